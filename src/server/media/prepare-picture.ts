import type { Sharp } from 'sharp'
import { sharp } from '../platform/sharp.ts'
import { faultOfDrawing } from './drawing.rules.ts'
import type { PictureFile, PreparedPicture } from './media-store.ts'
import { PICTURE_TYPES, pictureTypeOf, SIZES_FOLDER, sizeFileName } from './picture-files.rules.ts'

/** Why a file is not stored, in a sentence for the person who chose it. */
export class RefusedPicture extends Error {
  override readonly name = 'RefusedPicture'
}

const MAXIMUM_BYTES = 25 * 1024 * 1024
const MAXIMUM_DRAWING_BYTES = 2 * 1024 * 1024
const MAXIMUM_PIXELS = 60_000_000
/** The picture itself is kept no wider than a large screen shows it. */
const LARGEST_WIDTH = 2_400
/** Pixels: a phone, a phone with a fine screen, a computer. */
const WIDTHS = [480, 960, 1_600]

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
  if (bytes.length > MAXIMUM_BYTES)
    throw new RefusedPicture('The file is larger than 25 MB. Save it smaller and try again.')
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
  const contentType = PICTURE_TYPES[ending]
  if (!contentType || ending === 'svg')
    throw new RefusedPicture('The file is not what its name says. Save it as .jpg or .png.')
  const name = storedName(filename, ending)
  try {
    const picture = await sharp(bytes, { limitInputPixels: MAXIMUM_PIXELS, animated: ending === 'gif' })
      .autoOrient()
      .resize({ width: LARGEST_WIDTH, withoutEnlargement: true })
      .toBuffer({ resolveWithObject: true })
    const sizes = ending === 'gif' ? [] : await makeSizes(name, picture.data, picture.info.width)
    return { filename: name, files: [...sizes, { name, contentType, bytes: picture.data }] }
  } catch {
    throw new RefusedPicture('The picture is damaged and cannot be read to its end.')
  }
}

async function makeSizes(filename: string, bytes: Buffer, fullWidth: number): Promise<PictureFile[]> {
  const largest = Math.min(fullWidth, WIDTHS.at(-1) ?? fullWidth)
  const widths = [...WIDTHS.filter((width) => width < largest), largest]
  const files: PictureFile[] = []
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
