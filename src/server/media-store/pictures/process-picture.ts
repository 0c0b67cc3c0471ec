import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { PICTURE_MAX_BYTES, PICTURE_IS_HEIC, PICTURE_TOO_LARGE } from '#contract/console/media.ts'
import type { PictureCrop } from '#contract/public/media.ts'
import { library, MAX_PIXELS, sharp } from './image-library.ts'
import { isHeic, readHeader, readMetadata, type PictureSource } from './read-picture.ts'
import { svgError } from './svg.rules.ts'
import type { PictureFile, PreparedPicture } from '../media-store.ts'
import { toPrint, type Pixels } from './print-treatment.ts'
import { decodedBytes, MAX_DECODED_BYTES } from './picture-memory.rules.ts'
import { PICTURE_NEEDS_TOO_MUCH_MEMORY, PictureRejectedError } from './picture-rejected-error.ts'
import {
  isCroppable,
  mailFileName,
  originalFileName,
  PICTURE_TYPES,
  pictureContentType,
  SIZES_FOLDER,
  sizeFileName,
  storedName,
} from './picture-files.rules.ts'

const MAX_SVG_BYTES = 2 * 1024 * 1024
/** The stored picture is at most as wide as a large screen. */
const MAX_WIDTH = 2_400
/** Limits tall pictures: encoding AVIF takes 50 bytes or more per pixel of the largest size. */
const MAX_HEIGHT = 3_600
/** A picture stored as AVIF is encoded at full size, so its limit is lower. */
const MAX_AVIF = { width: 1_600, height: 2_400 }
/** Widths in pixels for phones, high-density phones and computers. */
const MAX_SIZE_WIDTH = 1_600
const WIDTHS = [480, 960, MAX_SIZE_WIDTH]
/** Twice the display width in emails, for high-density screens. */
const MAIL_WIDTH = 1_008
/** In pixels. */
const MIN_CROP = 50
/** Crops are given in ten-thousandths of the picture. */
const CROP_UNITS = 10_000
/** The maximum width of the crop editor. */
const PREVIEW_WIDTH = 1_200

const DRAWING = 'drawing.png'

const DAMAGED = 'The picture is damaged and cannot be read completely.'

const FORMATS = {
  // Effort 4 takes four times as long as 3 without smaller files.
  avif: (image: Sharp) => image.avif({ quality: 55, effort: 3 }),
  webp: (image: Sharp) => image.webp({ quality: 78 }),
}

/**
 * Processes an upload: rotates it upright, removes metadata (which may contain a location), and adds smaller sizes in modern formats. An SVG is stored
 * unchanged. A photograph can be printed in the site's two inks; its original is then kept with it.
 * @throws PictureRejectedError
 */
export async function processPicture(
  filename: string,
  source: PictureSource,
  { isPrint = false }: { isPrint?: boolean } = {},
): Promise<PreparedPicture> {
  const size = typeof source === 'string' ? (await stat(source)).size : source.length
  if (size === 0) throw new PictureRejectedError('The file is empty.')
  if (size > PICTURE_MAX_BYTES) throw new PictureRejectedError(PICTURE_TOO_LARGE)
  if (isHeic(await readHeader(source))) throw new PictureRejectedError(PICTURE_IS_HEIC)
  const contentType = pictureContentType(filename)
  if (!contentType) throw new PictureRejectedError('Please use a .jpg, .png, .webp, .avif, .gif or .svg file.')
  return contentType === 'image/svg+xml' ? prepareSvg(filename, source, size) : preparePhoto(filename, source, isPrint)
}

async function prepareSvg(filename: string, source: PictureSource, size: number): Promise<PreparedPicture> {
  if (size > MAX_SVG_BYTES)
    throw new PictureRejectedError('The SVG image is larger than 2 MB. Save it as .png or .jpg instead.')
  const bytes = typeof source === 'string' ? await readFile(source) : source
  const text = bytes.toString('utf8')
  const fault = text.includes('\uFFFD') ? 'This is not an SVG image.' : svgError(text)
  if (fault) throw new PictureRejectedError(fault)
  await readMetadata(bytes)
  const name = storedName(filename, 'svg')
  return { filename: name, files: [{ name, contentType: 'image/svg+xml', bytes }] }
}

async function preparePhoto(filename: string, source: PictureSource, isPrint: boolean): Promise<PreparedPicture> {
  const metadata = await readMetadata(source)
  const { format } = metadata
  // A file named .jpg may be a PNG: the content decides.
  const extension = format === 'heif' ? 'avif' : format === 'jpeg' ? 'jpg' : String(format)
  if (!PICTURE_TYPES[extension] || extension === 'svg')
    throw new PictureRejectedError('The file does not match its extension. Save it as .jpg or .png.')
  if (decodedBytes({ ...metadata, format }) > MAX_DECODED_BYTES)
    throw new PictureRejectedError(PICTURE_NEEDS_TOO_MUCH_MEMORY)
  const name = storedName(filename, extension)
  return readCompletely(async () => {
    if (extension === 'gif') {
      const animation = sharp(source, { limitInputPixels: MAX_PIXELS, animated: true })
      const bytes = await animation.resize({ width: MAX_WIDTH, withoutEnlargement: true }).toBuffer()
      return { filename: name, files: [{ name, contentType: contentTypeOf(name), bytes }] }
    }
    const box = extension === 'avif' ? MAX_AVIF : { width: MAX_WIDTH, height: MAX_HEIGHT }
    let pixels = await shrinkUpright(source, box, metadata.orientation ?? 1)
    const bytes = await opened(pixels)
      .toFormat(format === 'heif' ? 'avif' : format)
      .toBuffer()
    if (isPrint) return cropPicture(name, bytes, WHOLE_PRINT)
    pixels = await pixelsOf(opened(pixels).resize({ width: MAX_SIZE_WIDTH, withoutEnlargement: true }))
    collectGarbage()
    return {
      filename: name,
      files: [...(await makeSizes(name, pixels)), { name, contentType: contentTypeOf(name), bytes }],
    }
  })
}

/** Frees decoded pixels before encoding: they are outside the heap, so V8 does not collect them in time. */
function collectGarbage(): void {
  globalThis.gc?.()
}

/** EXIF orientations from this value on swap width and height. */
const FIRST_SIDEWAYS = 5
/** Corrects each EXIF orientation. */
const UPRIGHT: Record<number, (image: Sharp) => Sharp> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.rotate(90).flop(),
  6: (image) => image.rotate(90),
  7: (image) => image.rotate(270).flop(),
  8: (image) => image.rotate(270),
}

/**
 * Resizes the picture to the box and rotates it upright. Resizing comes first, while decoding line by line: rotating needs all lines in memory, which is
 * 150 MB for 50 million pixels.
 */
async function shrinkUpright(
  source: PictureSource,
  { width, height }: { width: number; height: number },
  orientation: number,
): Promise<Pixels> {
  const box = orientation >= FIRST_SIDEWAYS ? { width: height, height: width } : { width, height }
  const small = sharp(source, { limitInputPixels: MAX_PIXELS, sequentialRead: true }).resize({
    ...box,
    fit: 'inside',
    withoutEnlargement: true,
  })
  const pixels = await pixelsOf(small)
  const rotate = UPRIGHT[orientation]
  return rotate ? pixelsOf(rotate(opened(pixels))) : pixels
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { data, raw: { width, height, channels } }
}

function opened({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw })
}

/** @throws PictureRejectedError with the reason */
async function readCompletely<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isMemory = /memory|alloc/i.test((error as Error).message)
    throw new PictureRejectedError(isMemory ? PICTURE_NEEDS_TOO_MUCH_MEMORY : DAMAGED)
  }
}

/** The whole picture, in two inks. */
const WHOLE_PRINT: PictureCrop = { left: 0, top: 0, width: CROP_UNITS, height: CROP_UNITS, isPrint: true }

/**
 * Crops a picture, prints it in two inks if wanted, and keeps the original with it.
 * @param whole the picture as processed by `processPicture`
 * @throws PictureRejectedError
 */
export async function cropPicture(filename: string, whole: Buffer, crop: PictureCrop): Promise<PreparedPicture> {
  const { width, height } = await measure(whole)
  const left = Math.round((crop.left * width) / CROP_UNITS)
  const top = Math.round((crop.top * height) / CROP_UNITS)
  const part = {
    left,
    top,
    width: Math.min(width - left, Math.round((crop.width * width) / CROP_UNITS)),
    height: Math.min(height - top, Math.round((crop.height * height) / CROP_UNITS)),
  }
  if (part.width < MIN_CROP || part.height < MIN_CROP)
    throw new PictureRejectedError(`The crop must be at least ${MIN_CROP} pixels wide and high.`)
  const visible = sharp(whole).extract(part)
  const cropped = crop.isPrint ? await printed(whole, visible) : await visible.toBuffer()
  const { filename: name, files } = await withSizes(filename, cropped)
  const original = originalFileName(filename, crop, randomBytes(12).toString('hex'))
  return { filename: name, files: [{ name: original, contentType: contentTypeOf(name), bytes: whole }, ...files] }
}

/** In two inks, in the format of the original. */
async function printed(whole: Buffer, visible: Sharp): Promise<Buffer> {
  const { format } = await readMetadata(whole)
  const inked = await toPrint(await pixelsOf(visible), library())
  return inked.toFormat(format === 'heif' ? 'avif' : format).toBuffer()
}

/** Creates all files of an uncropped picture. */
export async function withSizes(name: string, bytes: Buffer): Promise<PreparedPicture> {
  const itself = { name, contentType: contentTypeOf(name), bytes }
  if (!isCroppable(name)) return { filename: name, files: [itself] }
  return { filename: name, files: [...(await makeSizes(name, await pixelsOf(sharp(bytes)))), itself] }
}

/** Draws an SVG of the site in its own size. */
export async function drawPicture(bytes: Buffer): Promise<PreparedPicture> {
  const drawn = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).png({ compressionLevel: 9 }).toBuffer()
  return { filename: DRAWING, files: [{ name: DRAWING, contentType: contentTypeOf(DRAWING), bytes: drawn }] }
}

/** A preview small enough for a JSON response, with the dimensions of the picture itself. */
export async function createPreview(bytes: Buffer): Promise<{ width: number; height: number; preview: string }> {
  const image = sharp(bytes).resize({ width: PREVIEW_WIDTH, withoutEnlargement: true })
  const small = await image.webp({ quality: 70 }).toBuffer()
  return { ...(await measure(bytes)), preview: `data:image/webp;base64,${small.toString('base64')}` }
}

/** In pixels. */
export async function measure(bytes: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await readMetadata(bytes)
  return { width, height }
}

function contentTypeOf(filename: string): string {
  return pictureContentType(filename) ?? 'application/octet-stream'
}

async function makeSizes(filename: string, pixels: Pixels): Promise<PictureFile[]> {
  const { width: fullWidth } = pixels.raw
  const largest = Math.min(fullWidth, MAX_SIZE_WIDTH)
  const widths = [...WIDTHS.filter((width) => width < largest), largest]
  const mailImage = opened(pixels)
    .resize({ width: MAIL_WIDTH, withoutEnlargement: true })
    .flatten({ background: '#fff' })
  const files: PictureFile[] = [
    {
      name: mailFileName(filename),
      contentType: 'image/jpeg',
      bytes: await mailImage.jpeg({ quality: 78, mozjpeg: true }).toBuffer(),
    },
  ]
  for (const width of widths) {
    for (const format of ['avif', 'webp'] as const) {
      files.push({
        name: `${SIZES_FOLDER}/${sizeFileName(filename, width, format)}`,
        contentType: `image/${format}`,
        bytes: await FORMATS[format](opened(pixels).resize({ width })).toBuffer(),
      })
    }
  }
  return files
}
