import type { AssociationEvent } from '#contract/events.ts'
import type { StoredImage } from '#contract/media.ts'
import { pictureAddress, sourceSet } from '#web/ui/picture-address.ts'

/** How wide the hero shows its pictures, as HTML writes it in `sizes`. */
export const HERO_SHOWN_AT = '(min-width: 64rem) 54vw, 100vw'

/** The picture of a slide of the hero: the pictures at the top of the home page in turn; without any, the event's own. */
export function heroPicture(
  event: Pick<AssociationEvent, 'imageKey'> | undefined,
  images: readonly StoredImage[],
  at: number,
): { src: string; image: StoredImage | undefined } {
  const image = images[at % Math.max(1, images.length)]
  return { src: image?.url ?? pictureAddress(event?.imageKey ?? ''), image }
}

/** What the head of the page names, so that the first picture is fetched before anything asks for it. */
export function preloadOfHero({ src, image }: ReturnType<typeof heroPicture>): Record<string, string> {
  const { sizes = [] } = image ?? {}
  if (sizes.length === 0) return { href: src }
  return { type: 'image/avif', imageSrcSet: sourceSet(sizes, 'image/avif'), imageSizes: HERO_SHOWN_AT }
}
