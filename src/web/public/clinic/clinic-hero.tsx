import type { WordsPage } from '#contract/association.ts'
import type { ClinicTimes } from '#contract/clinic.ts'
import type { StoredImage } from '#contract/media.ts'
import { pictureName } from '#web/features/media/stored-images.rules.ts'
import { PICTURES_FAILED, usePictures } from '#web/features/media/use-pictures.ts'
import { pictureAddress } from '#web/ui/picture-address.ts'
import { Picture } from '#web/ui/picture.tsx'
import { hours, rhythm } from './clinic-days.rules.ts'

interface ClinicHeroProps {
  page: Pick<WordsPage, 'title' | 'lead' | 'picture'>
  clinic: ClinicTimes
  /** Of the clinic's folder, as the server saw it. */
  images: StoredImage[]
  /** The id of the part that says what to bring. */
  visitId: string
}

/** The first picture of the clinic's folder; without one, the page's own. */
export function ClinicHero({ page: { title, lead, picture }, clinic, images: rendered, visitId }: ClinicHeroProps) {
  const { step, images, pictureFailed } = usePictures('clinic', 'hero', rendered)
  const [image] = images
  return (
    <div className="hero clinic-hero">
      <div className="hero-text">
        <p className="eyebrow">
          {rhythm(clinic)}, {hours(clinic)}
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
            shownAt="(min-width: 64rem) 54vw, 100vw"
            first
            onFailed={() => pictureFailed(image)}
          />
        ) : (
          picture && <Picture src={pictureAddress(picture.name)} alt={picture.alt} width={1200} height={900} first />
        )}
        {step === 'failed' && <p role="status">{PICTURES_FAILED}</p>}
      </div>
    </div>
  )
}
