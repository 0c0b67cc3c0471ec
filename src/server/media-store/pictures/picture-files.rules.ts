import type { ImageSize, PictureCrop, StoredImage } from '#contract/media.ts'

/** Kinds of pictures, by the ending of the file's name. */
export const PICTURE_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** The folder of a folder in which the sizes of its pictures lie. */
export const SIZES_FOLDER = '_sizes'

/** The folder of a folder in which pictures lie as they were before they were cropped. */
const ORIGINALS_FOLDER = '_originals'

/** The folders in which files of pictures lie, besides the pictures themselves. */
export const PARTS_FOLDERS = [SIZES_FOLDER, ORIGINALS_FOLDER] as const

const LONGEST_NAME = 200

/** Undefined for a name that is no picture's, or no name at all: hidden, with a separator, or with letters that nobody can see. */
export function pictureTypeOf(name: string): string | undefined {
  if (name.length > LONGEST_NAME || name.startsWith('.') || /[/\\\p{C}]/u.test(name)) return undefined
  const ending = /[^.]\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(PICTURE_TYPES, ending) ? PICTURE_TYPES[ending] : undefined
}

/** What moves and what is drawn stays whole. */
export function isCroppable(filename: string): boolean {
  return !['image/gif', 'image/svg+xml', undefined].includes(pictureTypeOf(filename))
}

/** `lamp.jpg` at 480 pixels as WebP is `lamp.jpg.480.webp`. */
export function sizeFileName(filename: string, width: number, format: 'avif' | 'webp'): string {
  return `${filename}.${width}.${format}`
}

/** The one that letters show: mail programs know neither newer formats nor several sizes. */
export function mailFileName(filename: string): string {
  return `${SIZES_FOLDER}/${filename}.mail.jpg`
}

/**
 * Where a cropped picture is kept whole. The name says how it is cut, so that picture and cut are never of two minds, and holds a secret: what was cut
 * away may have been meant to be gone, and object storage answers to whoever knows a name.
 */
export function originalFileName(filename: string, { left, top, width, height }: PictureCrop, secret: string): string {
  const ending = filename.split('.').at(-1) ?? ''
  return `${ORIGINALS_FOLDER}/${filename}.${left}-${top}-${width}-${height}.${secret}.${ending}`
}

/** The original among the files of a picture; null while it is whole. */
export function originalAmong(filename: string, names: readonly string[]): { name: string; crop: PictureCrop } | null {
  const before = `${ORIGINALS_FOLDER}/${filename}.`
  for (const name of names) {
    const [, ...numbers] = (name.startsWith(before) && ORIGINAL_FILE.exec(name.slice(before.length))) || []
    const [left = 0, top = 0, width = 0, height = 0] = numbers.map(Number)
    if (width > 0 && height > 0) return { name, crop: { left, top, width, height } }
  }
  return null
}

const ORIGINAL_FILE = /^(\d{1,5})-(\d{1,5})-(\d{1,5})-(\d{1,5})\.[a-z0-9]+\.[a-z]+$/

/** Whether a file of one of the folders of parts belongs to a picture. */
export function isPartOf(filename: string, name: string): boolean {
  return PARTS_FOLDERS.some((folder) => name.startsWith(`${folder}/${filename}.`))
}

/** A file that lies in a folder, as its store lists it. */
export interface ListedFile {
  /** Within the folder. */
  name: string
  url: string
  size: number
  /** Epoch milliseconds. */
  modifiedAt: number
}

/** The pictures among the files of a folder, by name, each with its sizes. */
export function picturesAmong(folder: string, files: readonly ListedFile[]): StoredImage[] {
  const sizes = new Map<string, ImageSize[]>()
  for (const { name, url } of files) {
    const found = SIZE_FILE.exec(name)?.groups
    if (!found) continue
    const { picture = '', width, format } = found
    const size: ImageSize = { url, width: Number(width), type: `image/${format as 'avif' | 'webp'}` }
    sizes.set(picture, [...(sizes.get(picture) ?? []), size])
  }
  return files
    .filter(({ name }) => pictureTypeOf(name) !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, url, size, modifiedAt }) => {
      const own = sizes.get(name)?.sort((a, b) => a.width - b.width)
      return {
        key: `${folder}/${name}`,
        url,
        filename: name,
        size,
        lastModified: new Date(modifiedAt).toISOString(),
        ...(own && { sizes: own }),
      }
    })
}

const SIZE_FILE = new RegExp(`^${SIZES_FOLDER}/(?<picture>.+)\\.(?<width>[1-9]\\d{0,3})\\.(?<format>avif|webp)$`)
