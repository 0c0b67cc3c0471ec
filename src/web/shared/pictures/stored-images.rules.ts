import type { ImageSize, PicturePerson, StoredImage } from '#contract/public/media.ts'

// Written without the contract's schemas, which are too large for the home page.
const PEOPLE_LISTS: readonly PicturePerson['list'][] = ['leaders', 'forum']

/** Returns the valid images of a list; undefined when it is not a list. */
export function parseImages(value: unknown): StoredImage[] | undefined {
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

/** Whether two lists show the same images, order and descriptions. */
export function isSameList(one: readonly StoredImage[], other: readonly StoredImage[]): boolean {
  return writtenOut(one) === writtenOut(other)
}

function writtenOut(images: readonly StoredImage[]): string {
  return JSON.stringify(images.map(({ url, alt, caption, person }) => [url, alt, caption, person?.list, person?.name]))
}

/** The portrait of a listed person. */
export function portraitOf(person: PicturePerson, images: readonly StoredImage[]): StoredImage | undefined {
  return images.find((image) => image.person?.list === person.list && image.person.name === person.name)
}
