import type { TextPage } from '#contract/public/association.ts'
import type { ClinicTimes } from '#contract/public/clinic.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { pictureName } from '#web/shared/stored-images.rules.ts'
import { PICTURES_FAILED, usePictures } from '#web/shared/use-pictures.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture } from '#web/ui/picture.tsx'
import { describeHours, describeSchedule } from './clinic-days.rules.ts'

interface ClinicHeroProps {
  page: Pick<TextPage, 'title' | 'lead' | 'picture'>
  clinic: ClinicTimes
  /** The clinic folder's images from the server. */
  images: StoredImage[]
  /** The id of the section about the visit. */
  visitId: string
}

/** Shows the first image of the clinic folder, or the page's own. */
export function ClinicHero({ page: { title, lead, picture }, clinic, images: rendered, visitId }: ClinicHeroProps) {
  const { step, images, onPictureFailed: pictureFailed } = usePictures('clinic', 'hero', rendered)
  const [image] = images
  return (
    <div className="hero clinic-hero">
      <div className="hero-text">
        <p className="eyebrow">
          {describeSchedule(clinic)}, {describeHours(clinic)}
        </p>
        <h1 tabIndex={-1}>{title}</h1>
        <p className="lead">{lead}</p>
        <div className="buttons">
          <a className="button" href={clinic.mapLink} rel="noopener">
            Open in maps
          </a>
          <a className="button line" href={`#${visitId}`}>
            What to expect
          </a>
        </div>
      </div>
      <div className="clinic-picture">
        {image ? (
          <Picture
            src={image.url}
            alt={image.alt ?? pictureName(image.filename)}
            width={1200}
            height={900}
            sizes={image.sizes}
            displayWidth="(min-width: 64rem) 54vw, 100vw"
            isPriority
            onFailed={() => pictureFailed(image)}
          />
        ) : (
          picture && <Picture src={imageUrl(picture.name)} alt={picture.alt} width={1200} height={900} isPriority />
        )}
        {step === 'failed' && <p role="status">{PICTURES_FAILED}</p>}
      </div>
    </div>
  )
}
