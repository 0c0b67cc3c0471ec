import type { StoredImage } from '#contract/public/media.ts'
import { imageUrl, srcSet } from '#web/ui/image-url.ts'
import type { Slide } from './slides.ts'

/** The `sizes` attribute of the hero's images. */
export const HERO_SIZES = '(min-width: 64rem) 54vw, 100vw'

/** The image of a hero slide: its own, else the home page's top image at this place, else the event's; so none is shown twice. */
export function heroPicture(
  slide: Pick<Slide, 'imageKey' | 'isPictured'> | undefined,
  images: readonly StoredImage[],
  at: number,
): { src: string; image: StoredImage | undefined } {
  const image = slide?.isPictured ? undefined : images[at]
  return { src: image?.url ?? imageUrl(slide?.imageKey ?? ''), image }
}

/** The preload link of the first hero image. */
export function heroPreload({ src, image }: ReturnType<typeof heroPicture>): Record<string, string> {
  const { sizes = [] } = image ?? {}
  if (sizes.length === 0) return { href: src }
  return { type: 'image/avif', imageSrcSet: srcSet(sizes, 'image/avif'), imageSizes: HERO_SIZES }
}
