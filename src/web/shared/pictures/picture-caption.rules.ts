import type { StoredImage } from '#contract/public/media.ts'

/** The officer's caption, or one derived from the file name. */
export function captionOf({ caption, filename }: Pick<StoredImage, 'caption' | 'filename'>): string {
  return caption ?? pictureName(filename)
}

const DAY_OR_MONTH =
  /^((mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|(sept|nov|dec)ember|october)s?$/

/** The default caption: 'kites-in-january.jpg' becomes 'Kites in January'. */
export function pictureName(filename: string): string {
  const words = filename
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
    .split(' ')
  return words.map((word, at) => (at === 0 || DAY_OR_MONTH.test(word) ? capitalized(word) : word)).join(' ')
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
