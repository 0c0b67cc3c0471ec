import type { StoredImage } from '#contract/public/media.ts'

interface EventPicture {
  src: string
  alt: string
  caption: string
  sizes?: StoredImage['sizes']
}

/** Adds what officers wrote about the pictures of the gallery. */
export function describePictures(urls: readonly string[], gallery: readonly StoredImage[]): EventPicture[] {
  return urls.map((src) => {
    const stored = gallery.find(({ url }) => withoutQuery(url) === withoutQuery(src))
    return { src, alt: stored?.alt ?? '', caption: stored?.caption ?? '', sizes: stored?.sizes }
  })
}

/** Without the version of the picture. */
function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '')
}
