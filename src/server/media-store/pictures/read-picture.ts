import { open } from 'node:fs/promises'
import { MAX_PIXELS, sharp } from './image-library.ts'
import { PictureRejectedError } from './picture-rejected-error.ts'

/** The path of a file, or the bytes. */
export type PictureSource = string | Buffer

const HEADER_BYTES = 64

/** The first bytes, which tell the format. */
export async function readHeader(source: PictureSource): Promise<Buffer> {
  if (typeof source !== 'string') return source.subarray(0, HEADER_BYTES)
  const file = await open(source)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The format of iPhone photos. AVIF uses the same container and is accepted. */
export function isHeic(bytes: Buffer): boolean {
  return /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(bytes.toString('latin1', 4, 12)) && !isAvif(bytes)
}

function isAvif(bytes: Buffer): boolean {
  return bytes.toString('latin1', 8, 64).includes('avif')
}

/** Reads format and dimensions. @throws PictureRejectedError */
export async function readMetadata(source: PictureSource) {
  try {
    return await sharp(source, { limitInputPixels: MAX_PIXELS }).metadata()
  } catch {
    throw new PictureRejectedError(
      'This file cannot be read as a picture. Save it as .jpg, .png or .webp and try again.',
    )
  }
}
