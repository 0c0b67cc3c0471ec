import sharp, { type Sharp } from 'sharp'

/** A file that an officer may choose and that needs the most memory of its kind. */
export interface WorstPicture {
  what: string
  filename: string
  bytes: Buffer
}

/** 50 megapixels, as in the largest phone cameras. */
const [WIDE, HIGH] = [8_660, 5_774]
const GRAIN = 16
const FRAMES = 12

/** Ten of them, each below the 25 MB of an upload. */
export async function worstPictures(): Promise<WorstPicture[]> {
  const photograph = await grain(WIDE, HIGH)
  const square = { width: 7_700, height: 7_700, channels: 4, background: { r: 9, g: 90, b: 30, alpha: 0.5 } } as const
  const animated = await Promise.all(
    Array.from({ length: FRAMES }, async () => (await grain(1_000, 800)).png({ compressionLevel: 1 }).toBuffer()),
  )
  const camera = photograph.clone().withMetadata({ orientation: 6 }).jpeg({ quality: 85 })
  const made: [what: string, filename: string, Sharp][] = [
    ['50-megapixel JPEG lying on its side', 'camera.jpg', camera],
    ['the same again', 'camera-again.jpg', camera.clone()],
    ['50-megapixel progressive JPEG', 'progressive.jpg', photograph.clone().jpeg({ progressive: true })],
    [
      '50-megapixel progressive JPEG in full color',
      'progressive-444.jpg',
      photograph.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    ],
    [
      '59-megapixel interlaced 16-bit PNG',
      'interlaced.png',
      sharp({ create: square }).toColourspace('rgb16').png({ progressive: true, compressionLevel: 9 }),
    ],
    [
      '4-megapixel interlaced 16-bit PNG',
      'interlaced-small.png',
      sharp({ create: { ...square, width: 2_000, height: 2_000 } })
        .toColourspace('rgb16')
        .png({ progressive: true }),
    ],
    ['50-megapixel WebP', 'large.webp', photograph.clone().webp({ effort: 0 })],
    ['24-megapixel lossless WebP', 'lossless.webp', (await grain(6_000, 4_000)).webp({ lossless: true, effort: 0 })],
    ['12-megapixel AVIF', 'large.avif', (await grain(4_000, 3_000)).avif({ quality: 50, effort: 0 })],
    ['animated GIF', 'animated.gif', sharp(animated, { join: { animated: true } }).gif({ effort: 1, colours: 16 })],
  ]
  const pictures: WorstPicture[] = []
  for (const [what, filename, picture] of made) pictures.push({ what, filename, bytes: await picture.toBuffer() })
  return pictures
}

/** Grain of `GRAIN` pixels: neither flat, which compresses to nothing, nor noise, which does not compress. */
async function grain(width: number, height: number): Promise<Sharp> {
  const small = sharp({
    create: {
      width: Math.ceil(width / GRAIN),
      height: Math.ceil(height / GRAIN),
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
  return sharp(await small.png().toBuffer()).resize(width, height, { fit: 'fill', kernel: 'nearest' })
}
