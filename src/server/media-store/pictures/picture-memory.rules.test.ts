import { expect, test } from 'vitest'
import { decodedBytes, MAX_DECODED_BYTES, type PictureMetadata } from './picture-memory.rules.ts'

const photograph: PictureMetadata = { format: 'jpeg', width: 8_660, height: 5_774, channels: 3, depth: 'uchar' }
const png: PictureMetadata = { ...photograph, format: 'png', width: 7_700, height: 7_700 }

test.each<[string, PictureMetadata, boolean]>([
  ['a JPEG of 50 megapixels', photograph, true],
  ['a progressive one', { ...photograph, isProgressive: true, chromaSubsampling: '4:2:0' }, true],
  ['a progressive one in full color', { ...photograph, isProgressive: true, chromaSubsampling: '4:4:4' }, false],
  ['a PNG of 59 megapixels and 16 bits', { ...png, channels: 4, depth: 'ushort' }, true],
  ['an interlaced one', { ...png, channels: 4, depth: 'ushort', isProgressive: true }, false],
  ['an interlaced one of 8 bits', { ...png, isProgressive: true }, false],
  ['a small interlaced one', { ...png, width: 4_000, height: 3_000, isProgressive: true }, true],
  ['a WebP of 24 megapixels', { ...photograph, format: 'webp', width: 6_000, height: 4_000 }, true],
  ['a WebP of 50', { ...photograph, format: 'webp' }, false],
  ['an AVIF of 8 megapixels', { ...photograph, format: 'heif', width: 3_264, height: 2_448 }, true],
  [
    'an AVIF of 8 megapixels and 10 bits',
    { ...photograph, format: 'heif', width: 3_264, height: 2_448, depth: 'ushort' },
    false,
  ],
  ['an AVIF of 12', { ...photograph, format: 'heif', width: 4_000, height: 3_000 }, false],
  ['a GIF of many frames', { ...photograph, format: 'gif', width: 1_200, height: 36_000, pageHeight: 900 }, true],
  ['a GIF of one large frame', { ...photograph, format: 'gif' }, false],
])('%s fits: %j %j', (_, metadata, fits) => {
  expect(decodedBytes(metadata) <= MAX_DECODED_BYTES).toBe(fits)
})
