import type { ImageSize, PicturePerson, StoredImage } from '#contract/media.ts'

// Written out, as everything here: the contract's schemas weigh more than the home page carries.
const PEOPLE_LISTS: readonly PicturePerson['list'][] = ['leaders', 'forum']

/** Of a list, the pictures that have the shape that the contract promises; without the contract's schemas, whose weight the home page does not carry. */
export function readImages(value: unknown): StoredImage[] | undefined {
  return Array.isArray(value) ? value.filter(isImage) : undefined
}

function isImage(value: unknown): value is StoredImage {
  if (typeof value !== 'object' || value === null) return false
  const { key, url, filename, size, lastModified, sizes, alt, caption, person } = value as Record<string, unknown>
  return (
    [key, url, filename, lastModified].every((text) => typeof text === 'string') &&
    url !== '' &&
    Number.isInteger(size) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every(isSize))) &&
    [alt, caption].every((text) => text === undefined || typeof text === 'string') &&
    (person === undefined || isPerson(person))
  )
}

function isSize(value: unknown): value is ImageSize {
  if (typeof value !== 'object' || value === null) return false
  const { url, width, type } = value as Record<string, unknown>
  return typeof url === 'string' && Number.isInteger(width) && typeof type === 'string'
}

function isPerson(value: unknown): value is PicturePerson {
  if (typeof value !== 'object' || value === null) return false
  const { list, name } = value as Record<string, unknown>
  return (PEOPLE_LISTS as readonly unknown[]).includes(list) && typeof name === 'string'
}

/** Whether two lists show the same: pictures, their order and what is said of them. */
export function isSameList(one: readonly StoredImage[], other: readonly StoredImage[]): boolean {
  return writtenOut(one) === writtenOut(other)
}

function writtenOut(images: readonly StoredImage[]): string {
  return JSON.stringify(images.map(({ url, alt, caption, person }) => [url, alt, caption, person?.list, person?.name]))
}

/** What stands under a picture: what an officer wrote; the words of its file where nobody has said. */
export function captionOf({ caption, filename }: Pick<StoredImage, 'caption' | 'filename'>): string {
  return caption ?? pictureName(filename)
}

/** The portrait of somebody who is listed. */
export function portraitOf(person: PicturePerson, images: readonly StoredImage[]): StoredImage | undefined {
  return images.find((image) => image.person?.list === person.list && image.person.name === person.name)
}

/** What a picture is called where nobody wrote a caption: 'lamp-lighting-2025.jpg' is 'Lamp lighting 2025'. */
export function pictureName(filename: string): string {
  const words = filename
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
