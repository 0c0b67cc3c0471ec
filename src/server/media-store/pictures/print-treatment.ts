import type { Sharp } from 'sharp'
import type openImage from 'sharp'

/** The pixels of a picture, 8 bits a channel. */
export interface Pixels {
  data: Buffer
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

/** The inks of the site's drawings (tokens.css): `deep` in the shadows, `cloth` in the lights. */
const DEEP = [0x0f, 0x41, 0x47] as const
const CLOTH = [0xfb, 0xf3, 0xe3] as const
const CONTRAST = 1.08
const MIDDLE = 128

/** A tile of grains in the lighter ink. */
const GRAIN_SIZE = 160
const GRAIN_SHARE = 0.012
const GRAIN_ALPHA = 70

/**
 * Prints a photograph in two inks, so that photographs of many cameras stand beside the drawings. Every pixel of the result lies between the inks.
 * @param sharp the image library, loaded by the caller
 */
export async function toPrint({ data, raw }: Pixels, sharp: typeof openImage): Promise<Sharp> {
  const grey = await sharp(data, { raw })
    .flatten({ background: '#fff' })
    .greyscale()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = grey.info
  const scale = CLOTH.map((light, at) => (CONTRAST * (light - (DEEP[at] ?? 0))) / 255)
  const offset = CLOTH.map((light, at) => (DEEP[at] ?? 0) + ((1 - CONTRAST) * MIDDLE * (light - (DEEP[at] ?? 0))) / 255)
  const inked = Buffer.alloc(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const light = grey.data[pixel * channels] ?? 0
    for (let at = 0; at < 3; at++) {
      const value = (scale[at] ?? 0) * light + (offset[at] ?? 0)
      inked[pixel * 3 + at] = Math.round(Math.min(CLOTH[at] ?? 0, Math.max(DEEP[at] ?? 0, value)))
    }
  }
  const tile = { width: Math.min(GRAIN_SIZE, width), height: Math.min(GRAIN_SIZE, height), channels: 4 } as const
  return sharp(inked, { raw: { width, height, channels: 3 } }).composite([
    { input: grain(tile), raw: tile, tile: true, blend: 'over' },
  ])
}

/** The same grains for every picture: a picture that is printed twice stays the same. */
function grain({ width, height }: { width: number; height: number }): Buffer {
  const pixels = Buffer.alloc(width * height * 4)
  let seed = 7
  for (let at = 0; at < width * height; at++) {
    // The "minimal standard" generator of Park and Miller.
    seed = (seed * 48_271) % 2_147_483_647
    if (seed / 2_147_483_647 < GRAIN_SHARE) pixels.set([...CLOTH, GRAIN_ALPHA], at * 4)
  }
  return pixels
}
