import type { ReactNode } from 'react'
import type { TextPage } from '#contract/public/association.ts'
import type { ClinicTimes } from '#contract/public/clinic.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { pictureName } from '#web/shared/pictures/picture-caption.rules.ts'
import { PICTURES_FAILED, usePictures } from '#web/shared/pictures/use-pictures.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture } from '#web/ui/picture.tsx'
import { dayInWords, describeHours, describeSchedule, nextClinicDays } from './clinic-days.rules.ts'

interface ClinicHeroProps {
  page: Pick<TextPage, 'title' | 'statement' | 'lead' | 'picture'>
  clinic: ClinicTimes
  /** Today in the association's time zone. */
  today: string
  /** The clinic folder's images from the server. */
  images: StoredImage[]
  /** The id of the section about the visit. */
  visitId: string
  /** Below the buttons. */
  children: ReactNode
}

/** Shows the first image of the clinic folder, or the page's own. */
export function ClinicHero({ page, clinic, today, images: rendered, visitId, children }: ClinicHeroProps) {
  const { title, statement, lead, picture } = page
  const [next] = nextClinicDays(clinic, today, 1)
  const { step, images, onPictureFailed: pictureFailed } = usePictures('clinic', 'hero', rendered)
  const [image] = images
  return (
    <div className="hero clinic-hero">
      <div className="hero-text">
        <h1 className={statement ? 'eyebrow' : undefined} tabIndex={-1}>
          {title}
        </h1>
        {statement && <p className="statement">{statement}</p>}
        {next && (
          <p className="next-clinic-day">
            <span>{next === today ? 'Open today' : 'Next open day'}</span>
            <b>
              <time dateTime={next}>{dayInWords(next)}</time>, <span className="nowrap">{describeHours(clinic)}</span>
            </b>
            {clinic.place}
          </p>
        )}
        <p className="lead">{lead}</p>
        <div className="buttons">
          <a className="button" href={clinic.mapLink} rel="noopener">
            Get directions
          </a>
          <a className="button line" href={`#${visitId}`}>
            What to expect
          </a>
        </div>
        <p className="small">{describeSchedule(clinic)} of each month. In an emergency, call 911.</p>
        {children}
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
