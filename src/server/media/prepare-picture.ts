import { randomBytes } from 'node:crypto'
import type { Sharp } from 'sharp'
import { MOST_PICTURE_BYTES, PICTURE_IS_HEIC, PICTURE_TOO_LARGE } from '#contract/console-media.ts'
import type { PictureCrop } from '#contract/media.ts'
import { sharp } from '../platform/sharp.ts'
import { faultOfDrawing } from './drawing.rules.ts'
import type { PictureFile, PreparedPicture } from './media-store.ts'
import {
  mailFileName,
  originalFileName,
  PICTURE_TYPES,
  pictureTypeOf,
  SIZES_FOLDER,
  sizeFileName,
} from './picture-files.rules.ts'

/** Why a file is not stored, in a sentence for the person who chose it. */
export class RefusedPicture extends Error {
  override readonly name = 'RefusedPicture'
}

const MAXIMUM_DRAWING_BYTES = 2 * 1024 * 1024
const MAXIMUM_PIXELS = 60_000_000
/** The picture itself is kept no wider than a large screen shows it. */
const LARGEST_WIDTH = 2_400
/** Pixels: a phone, a phone with a fine screen, a computer. */
const WIDTHS = [480, 960, 1_600]
/** Twice as wide as a letter shows pictures, for fine screens. */
const MAIL_WIDTH = 1_008
/** Less is no picture any more, on any page. */
const SMALLEST_CROP = 50
/** Parts of a crop. */
const WHOLE = 10_000
/** As wide as the frame of a crop is ever looked at. */
const PREVIEW_WIDTH = 1_200

const FORMATS = {
  avif: (image: Sharp) => image.avif({ quality: 55, effort: 4 }),
  webp: (image: Sharp) => image.webp({ quality: 78 }),
}

/**
 * Makes what is stored of a picture: the picture upright and without the camera's notes (they may name a place), and smaller sizes in modern formats. A
 * drawing (SVG) stays as it is.
 * @throws RefusedPicture
 */
export async function preparePicture(filename: string, bytes: Buffer): Promise<PreparedPicture> {
  if (bytes.length === 0) throw new RefusedPicture('The file is empty.')
  if (bytes.length > MOST_PICTURE_BYTES) throw new RefusedPicture(PICTURE_TOO_LARGE)
  if (isHeic(bytes)) throw new RefusedPicture(PICTURE_IS_HEIC)
  const contentType = pictureTypeOf(filename)
  if (!contentType)
    throw new RefusedPicture(
      'Pictures are files that end in .jpg, .png, .webp, .avif, .gif or .svg. Save it as one of them.',
    )
  return contentType === 'image/svg+xml' ? prepareDrawing(filename, bytes) : preparePhotograph(filename, bytes)
}

async function prepareDrawing(filename: string, bytes: Buffer): Promise<PreparedPicture> {
  if (bytes.length > MAXIMUM_DRAWING_BYTES)
    throw new RefusedPicture('The drawing is larger than 2 MB. Save it as a picture (.png or .jpg) instead.')
  const text = bytes.toString('utf8')
  const fault = text.includes('\uFFFD') ? 'This is not an SVG drawing.' : faultOfDrawing(text)
  if (fault) throw new RefusedPicture(fault)
  await readMetadata(bytes)
  const name = storedName(filename, 'svg')
  return { filename: name, files: [{ name, contentType: 'image/svg+xml', bytes }] }
}

async function preparePhotograph(filename: string, bytes: Buffer): Promise<PreparedPicture> {
  const { format } = await readMetadata(bytes)
  // A name that ends in .jpg may hold a PNG: what is inside decides.
  const ending = format === 'heif' ? 'avif' : format === 'jpeg' ? 'jpg' : String(format)
  if (!PICTURE_TYPES[ending] || ending === 'svg')
    throw new RefusedPicture('The file is not what its name says. Save it as .jpg or .png.')
  const name = storedName(filename, ending)
  try {
    const picture = await sharp(bytes, { limitInputPixels: MAXIMUM_PIXELS, animated: ending === 'gif' })
      .autoOrient()
      .resize({ width: LARGEST_WIDTH, withoutEnlargement: true })
      .toBuffer({ resolveWithObject: true })
    return await withSizes(name, picture.data)
  } catch {
    throw new RefusedPicture('The picture is damaged and cannot be read to its end.')
  }
}

/**
 * The same picture cut, and what it was before beside it.
 * @param whole as `preparePicture` made it
 * @throws RefusedPicture
 */
export async function cropPicture(filename: string, whole: Buffer, crop: PictureCrop): Promise<PreparedPicture> {
  const { width, height } = await measure(whole)
  const left = Math.round((crop.left * width) / WHOLE)
  const top = Math.round((crop.top * height) / WHOLE)
  const part = {
    left,
    top,
    width: Math.min(width - left, Math.round((crop.width * width) / WHOLE)),
    height: Math.min(height - top, Math.round((crop.height * height) / WHOLE)),
  }
  if (part.width < SMALLEST_CROP || part.height < SMALLEST_CROP)
    throw new RefusedPicture(`Keep at least ${SMALLEST_CROP} pixels of the picture in each direction.`)
  const cut = await sharp(whole).extract(part).toBuffer()
  const { filename: name, files } = await withSizes(filename, cut)
  const original = originalFileName(filename, crop, randomBytes(12).toString('hex'))
  return { filename: name, files: [{ name: original, contentType: contentTypeOf(name), bytes: whole }, ...files] }
}

/** All files of a picture that is stored as it is. */
export async function withSizes(name: string, bytes: Buffer): Promise<PreparedPicture> {
  const itself = { name, contentType: contentTypeOf(name), bytes }
  if (!isCroppable(name)) return { filename: name, files: [itself] }
  const { width } = await measure(bytes)
  return { filename: name, files: [...(await makeSizes(name, bytes, width)), itself] }
}

/** What moves and what is drawn stays whole. */
export function isCroppable(filename: string): boolean {
  return !['image/gif', 'image/svg+xml', undefined].includes(pictureTypeOf(filename))
}

/** A picture small enough to travel within an answer, with the pixels of the picture itself. */
export async function previewOf(bytes: Buffer): Promise<{ width: number; height: number; preview: string }> {
  const image = sharp(bytes).resize({ width: PREVIEW_WIDTH, withoutEnlargement: true })
  const small = await image.webp({ quality: 70 }).toBuffer()
  return { ...(await measure(bytes)), preview: `data:image/webp;base64,${small.toString('base64')}` }
}

/** Pixels. */
export async function measure(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await readMetadata(bytes)
  return { width, height }
}

function contentTypeOf(filename: string): string {
  return pictureTypeOf(filename) ?? 'application/octet-stream'
}

/** As iPhones keep photographs; an AVIF is of the same family, and welcome. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(bytes.toString('latin1', 4, 12)) && !isAvif(bytes)
}

function isAvif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 8, 64).includes('avif')
}

async function makeSizes(filename: string, bytes: Buffer, fullWidth: number): Promise<PictureFile[]> {
  const largest = Math.min(fullWidth, WIDTHS.at(-1) ?? fullWidth)
  const widths = [...WIDTHS.filter((width) => width < largest), largest]
  const letter = sharp(bytes).resize({ width: MAIL_WIDTH, withoutEnlargement: true }).flatten({ background: '#fff' })
  const files: PictureFile[] = [
    {
      name: mailFileName(filename),
      contentType: 'image/jpeg',
      bytes: await letter.jpeg({ quality: 78, mozjpeg: true }).toBuffer(),
    },
  ]
  for (const width of widths) {
    for (const format of ['avif', 'webp'] as const) {
      files.push({
        name: `${SIZES_FOLDER}/${sizeFileName(filename, width, format)}`,
        contentType: `image/${format}`,
        bytes: await FORMATS[format](sharp(bytes).resize({ width })).toBuffer(),
      })
    }
  }
  return files
}

async function readMetadata(bytes: Buffer) {
  try {
    return await sharp(bytes, { limitInputPixels: MAXIMUM_PIXELS }).metadata()
  } catch {
    throw new RefusedPicture('This file is no picture that can be read. Save it as .jpg, .png or .webp and try again.')
  }
}

/** Letters that every address, disk and bucket takes: 'Lamp Lighting (2).JPG' becomes 'lamp-lighting-2.jpg'. */
function storedName(filename: string, ending: string): string {
  const words = filename
    .replace(/\.\w+$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${words.slice(0, 100) || 'picture'}.${ending}`
}
