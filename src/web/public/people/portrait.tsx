import type { Leader } from '#contract/public/association.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { portraitOf } from '#web/shared/pictures/stored-images.rules.ts'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture } from '#web/ui/picture.tsx'
import { standInsFor } from './stand-in.rules.ts'

/** What a portrait shows. The alt text of a drawing is empty, because the name stands beside it. */
export interface PortraitPicture {
  src: string
  alt: string
  sizes?: StoredImage['sizes']
}

/** The portrait of each person: the uploaded one, or else the one in their record, or else a drawing that stands in. */
export function portraitsOf(members: readonly Leader[], images: readonly StoredImage[]): PortraitPicture[] {
  const standIns = standInsFor(members.map(({ name }) => name))
  return members.map(({ name, portrait }, index) => {
    const uploaded = portraitOf({ list: 'leaders', name }, images)
    if (uploaded) return { src: uploaded.url, alt: uploaded.alt ?? `Portrait of ${name}`, sizes: uploaded.sizes }
    return { src: portrait === null ? (standIns[index] ?? '') : imageUrl(portrait), alt: '' }
  })
}

interface PortraitProps {
  picture: PortraitPicture
  /** A value for `sizes`. */
  displayWidth: string
  isPriority?: boolean
}

export function Portrait({ picture: { src, alt, sizes }, displayWidth, isPriority = false }: PortraitProps) {
  return (
    <div className="portrait">
      <Picture
        src={src}
        alt={alt}
        width={600}
        height={700}
        sizes={sizes}
        displayWidth={displayWidth}
        isPriority={isPriority}
      />
    </div>
  )
}
