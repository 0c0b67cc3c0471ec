import type { ImageSize, StoredImage } from '#contract/media.ts'

/** Of a list, the pictures that have the shape that the contract promises; without the contract's schemas, whose weight the home page does not carry. */
export function readImages(value: unknown): StoredImage[] | undefined {
  return Array.isArray(value) ? value.filter(isImage) : undefined
}

function isImage(value: unknown): value is StoredImage {
  if (typeof value !== 'object' || value === null) return false
  const { key, url, filename, size, lastModified, sizes } = value as Record<string, unknown>
  return (
    [key, url, filename, lastModified].every((text) => typeof text === 'string') &&
    url !== '' &&
    Number.isInteger(size) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every(isSize)))
  )
}

function isSize(value: unknown): value is ImageSize {
  if (typeof value !== 'object' || value === null) return false
  const { url, width, type } = value as Record<string, unknown>
  return typeof url === 'string' && Number.isInteger(width) && typeof type === 'string'
}

/** What a picture is called where nobody wrote a caption: 'lamp-lighting-2025.jpg' is 'Lamp lighting 2025'. */
export function pictureName(filename: string): string {
  const words = filename
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
