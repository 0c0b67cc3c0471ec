import { randomBytes } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { MOST_PICTURE_BYTES, PICTURE_IS_HEIC, PICTURE_TOO_LARGE } from '#contract/console-media.ts'
import type { PictureCrop } from '#contract/media.ts'
import { sharp } from '../platform/sharp.ts'
import { faultOfDrawing } from './drawing.rules.ts'
import type { PictureFile, PreparedPicture } from './media-store.ts'
import { decodedBytes, MOST_DECODED_BYTES } from './picture-memory.rules.ts'
import { PICTURE_NEEDS_TOO_MUCH, RefusedPicture } from './refused-picture.ts'
import {
  isCroppable,
  mailFileName,
  originalFileName,
  PICTURE_TYPES,
  pictureTypeOf,
  SIZES_FOLDER,
  sizeFileName,
} from './picture-files.rules.ts'

const MAXIMUM_DRAWING_BYTES = 2 * 1024 * 1024
const MAXIMUM_PIXELS = 60_000_000
/** The picture itself is kept no wider than a large screen shows it. */
const LARGEST_WIDTH = 2_400
/** A column of 60 million pixels would be one as well; encoding as AVIF takes 50 bytes and more for each pixel of the largest size. */
const LARGEST_HEIGHT = 3_600
/** What is kept as AVIF itself is encoded so as a whole. */
const LARGEST_AVIF = { width: 1_600, height: 2_400 }
/** Pixels: a phone, a phone with a fine screen, a computer. */
const WIDEST_SIZE = 1_600
const WIDTHS = [480, 960, WIDEST_SIZE]
/** Twice as wide as a letter shows pictures, for fine screens. */
const MAIL_WIDTH = 1_008
/** Less is no picture any more, on any page. */
const SMALLEST_CROP = 50
/** Parts of a crop. */
const WHOLE = 10_000
/** As wide as the frame of a crop is ever looked at. */
const PREVIEW_WIDTH = 1_200

const DAMAGED = 'The picture is damaged and cannot be read to its end.'

const FORMATS = {
  // Effort 4 takes four times as long as 3 and makes nothing smaller.
  avif: (image: Sharp) => image.avif({ quality: 55, effort: 3 }),
  webp: (image: Sharp) => image.webp({ quality: 78 }),
}

/** A file on the disk, by its path, or what is in memory already. */
export type PictureSource = string | Buffer

/**
 * Makes what is stored of a picture: the picture upright and without the camera's notes (they may name a place), and smaller sizes in modern formats. A
 * drawing (SVG) stays as it is.
 * @throws RefusedPicture
 */
export async function preparePicture(filename: string, source: PictureSource): Promise<PreparedPicture> {
  const size = typeof source === 'string' ? (await stat(source)).size : source.length
  if (size === 0) throw new RefusedPicture('The file is empty.')
  if (size > MOST_PICTURE_BYTES) throw new RefusedPicture(PICTURE_TOO_LARGE)
  if (isHeic(await beginningOf(source))) throw new RefusedPicture(PICTURE_IS_HEIC)
  const contentType = pictureTypeOf(filename)
  if (!contentType)
    throw new RefusedPicture(
      'Pictures are files that end in .jpg, .png, .webp, .avif, .gif or .svg. Save it as one of them.',
    )
  return contentType === 'image/svg+xml' ? prepareDrawing(filename, source, size) : preparePhotograph(filename, source)
}

async function prepareDrawing(filename: string, source: PictureSource, size: number): Promise<PreparedPicture> {
  if (size > MAXIMUM_DRAWING_BYTES)
    throw new RefusedPicture('The drawing is larger than 2 MB. Save it as a picture (.png or .jpg) instead.')
  const bytes = typeof source === 'string' ? await readFile(source) : source
  const text = bytes.toString('utf8')
  const fault = text.includes('\uFFFD') ? 'This is not an SVG drawing.' : faultOfDrawing(text)
  if (fault) throw new RefusedPicture(fault)
  await readMetadata(bytes)
  const name = storedName(filename, 'svg')
  return { filename: name, files: [{ name, contentType: 'image/svg+xml', bytes }] }
}

async function preparePhotograph(filename: string, source: PictureSource): Promise<PreparedPicture> {
  const facts = await readMetadata(source)
  const { format } = facts
  // A name that ends in .jpg may hold a PNG: what is inside decides.
  const ending = format === 'heif' ? 'avif' : format === 'jpeg' ? 'jpg' : String(format)
  if (!PICTURE_TYPES[ending] || ending === 'svg')
    throw new RefusedPicture('The file is not what its name says. Save it as .jpg or .png.')
  if (decodedBytes({ ...facts, format }) > MOST_DECODED_BYTES) throw new RefusedPicture(PICTURE_NEEDS_TOO_MUCH)
  const name = storedName(filename, ending)
  return readWhole(async () => {
    if (ending === 'gif') {
      const moving = sharp(source, { limitInputPixels: MAXIMUM_PIXELS, animated: true })
      const bytes = await moving.resize({ width: LARGEST_WIDTH, withoutEnlargement: true }).toBuffer()
      return { filename: name, files: [{ name, contentType: contentTypeOf(name), bytes }] }
    }
    const box = ending === 'avif' ? LARGEST_AVIF : { width: LARGEST_WIDTH, height: LARGEST_HEIGHT }
    let pixels = await shrinkUpright(source, box, facts.orientation ?? 1)
    const bytes = await opened(pixels)
      .toFormat(format === 'heif' ? 'avif' : format)
      .toBuffer()
    pixels = await pixelsOf(opened(pixels).resize({ width: WIDEST_SIZE, withoutEnlargement: true }))
    collectGarbage()
    return {
      filename: name,
      files: [...(await makeSizes(name, pixels)), { name, contentType: contentTypeOf(name), bytes }],
    }
  })
}

/** The pixels of a picture, 8 bits a channel. */
interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** Encoding begins when what came before it is gone: pixels lie outside the heap, where V8 does not feel their weight. */
function collectGarbage(): void {
  globalThis.gc?.()
}

/** EXIF: from here on, width and height change places. */
const LYING = 5
/** What makes each orientation of EXIF stand upright. */
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
 * At most as large as it is kept, and upright. It is shrunk first, while it is decoded line by line: turning needs every line at once, which of 50
 * million pixels would be 150 MB.
 */
async function shrinkUpright(
  source: PictureSource,
  { width, height }: { width: number; height: number },
  orientation: number,
): Promise<Pixels> {
  const box = orientation >= LYING ? { width: height, height: width } : { width, height }
  const small = sharp(source, { limitInputPixels: MAXIMUM_PIXELS, sequentialRead: true }).resize({
    ...box,
    fit: 'inside',
    withoutEnlargement: true,
  })
  const pixels = await pixelsOf(small)
  const turn = UPRIGHT[orientation]
  return turn ? pixelsOf(turn(opened(pixels))) : pixels
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { data, raw: { width, height, channels } }
}

function opened({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw })
}

/** @throws RefusedPicture, with what stands in the way */
async function readWhole<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading()
  } catch (error) {
    const isMemory = /memory|alloc/i.test((error as Error).message)
    throw new RefusedPicture(isMemory ? PICTURE_NEEDS_TOO_MUCH : DAMAGED)
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
  return { filename: name, files: [...(await makeSizes(name, await pixelsOf(sharp(bytes)))), itself] }
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

const BEGINNING_BYTES = 64

async function beginningOf(source: PictureSource): Promise<Buffer> {
  if (typeof source !== 'string') return source.subarray(0, BEGINNING_BYTES)
  const file = await open(source)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** As iPhones keep photographs; an AVIF is of the same family, and welcome. */
function isHeic(bytes: Buffer): boolean {
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(bytes.toString('latin1', 4, 12)) && !isAvif(bytes)
}

function isAvif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 8, 64).includes('avif')
}

async function makeSizes(filename: string, pixels: Pixels): Promise<PictureFile[]> {
  const { width: fullWidth } = pixels.raw
  const largest = Math.min(fullWidth, WIDEST_SIZE)
  const widths = [...WIDTHS.filter((width) => width < largest), largest]
  const letter = opened(pixels).resize({ width: MAIL_WIDTH, withoutEnlargement: true }).flatten({ background: '#fff' })
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
        bytes: await FORMATS[format](opened(pixels).resize({ width })).toBuffer(),
      })
    }
  }
  return files
}

async function readMetadata(source: PictureSource) {
  try {
    return await sharp(source, { limitInputPixels: MAXIMUM_PIXELS }).metadata()
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
