import type { ImageSize, PictureCrop, StoredImage } from '#contract/public/media.ts'

/** Content types by file extension. */
export const PICTURE_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

/** The subfolder for the sizes of pictures. */
export const SIZES_FOLDER = '_sizes'

/** The subfolder for the uncropped originals. */
const ORIGINALS_FOLDER = '_originals'

/** The subfolders for sizes and originals. */
export const DERIVED_FOLDERS = [SIZES_FOLDER, ORIGINALS_FOLDER] as const

const MAX_NAME_LENGTH = 200

/** The content type for a file name; undefined for other extensions, hidden files, and names with separators or invisible characters. */
export function pictureContentType(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH || name.startsWith('.') || /[/\\\p{C}]/u.test(name)) return undefined
  const extension = /[^.]\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(PICTURE_TYPES, extension) ? PICTURE_TYPES[extension] : undefined
}

/** Animations and SVG images cannot be cropped. */
export function isCroppable(filename: string): boolean {
  return !['image/gif', 'image/svg+xml', undefined].includes(pictureContentType(filename))
}

/** `lamp.jpg` at 480 pixels as WebP is `lamp.jpg.480.webp`. */
export function sizeFileName(filename: string, width: number, format: 'avif' | 'webp'): string {
  return `${filename}.${width}.${format}`
}

/** The version for emails: email clients support neither modern formats nor multiple sizes. */
export function mailFileName(filename: string): string {
  return `${SIZES_FOLDER}/${filename}.mail.jpg`
}

/**
 * The name of a cropped picture's original. It contains the crop, so that picture and crop cannot disagree, and a secret: the removed part may be private,
 * and object storage serves anyone who knows a name.
 */
export function originalFileName(
  filename: string,
  { left, top, width, height, isPrint = false }: PictureCrop,
  secret: string,
): string {
  const extension = filename.split('.').at(-1) ?? ''
  const edit = `${left}-${top}-${width}-${height}${isPrint ? '-print' : ''}`
  return `${ORIGINALS_FOLDER}/${filename}.${edit}.${secret}.${extension}`
}

/** Finds the original among the files of a picture; null if it is not cropped. */
export function findOriginal(filename: string, names: readonly string[]): { name: string; crop: PictureCrop } | null {
  const prefix = `${ORIGINALS_FOLDER}/${filename}.`
  for (const name of names) {
    const groups = (name.startsWith(prefix) && ORIGINAL_FILE.exec(name.slice(prefix.length))?.groups) || {}
    const [left = 0, top = 0, width = 0, height = 0] = (groups['crop'] ?? '').split('-').map(Number)
    if (width > 0 && height > 0)
      return { name, crop: { left, top, width, height, ...(groups['print'] !== undefined && { isPrint: true }) } }
  }
  return null
}

const ORIGINAL_FILE = /^(?<crop>\d{1,5}-\d{1,5}-\d{1,5}-\d{1,5})(?<print>-print)?\.[a-z0-9]+\.[a-z]+$/

/** Whether a file is a size or the original of a picture. */
export function isDerivedFile(filename: string, name: string): boolean {
  return DERIVED_FOLDERS.some((folder) => name.startsWith(`${folder}/${filename}.`))
}

/** A file as its store lists it. */
export interface ListedFile {
  /** Relative to the folder. */
  name: string
  url: string
  size: number
  /** Epoch milliseconds. */
  modifiedAt: number
}

/** Selects the pictures of a folder, by name, each with its sizes. */
export function selectPictures(folder: string, files: readonly ListedFile[]): StoredImage[] {
  const sizes = new Map<string, ImageSize[]>()
  for (const { name, url } of files) {
    const groups = SIZE_FILE.exec(name)?.groups
    if (!groups) continue
    const { picture = '', width, format } = groups
    const size: ImageSize = { url, width: Number(width), type: `image/${format as 'avif' | 'webp'}` }
    sizes.set(picture, [...(sizes.get(picture) ?? []), size])
  }
  return files
    .filter(({ name }) => pictureContentType(name) !== undefined)
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

/** A name that is safe in URLs, file systems and buckets: 'Lamp Lighting (2).JPG' becomes 'lamp-lighting-2.jpg'. */
export function storedName(filename: string, extension: string): string {
  const slug = filename
    .replace(/\.\w+$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${slug.slice(0, 100) || 'picture'}.${extension}`
}
