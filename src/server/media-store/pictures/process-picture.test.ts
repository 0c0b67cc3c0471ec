import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { findOriginal } from './picture-files.rules.ts'
import { cropPicture, measure, processPicture } from './process-picture.ts'

function photograph(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#b5472c' } })
}

const names = (files: { name: string }[]) => files.map(({ name }) => name)

describe('a photo', () => {
  test('gets smaller sizes in modern formats; the picture itself is last', async () => {
    const bytes = await photograph(2_000, 1_000).jpeg().toBuffer()
    const { filename, files } = await processPicture('Lamp Lighting (2).JPG', bytes)
    expect(filename).toBe('lamp-lighting-2.jpg')
    expect(names(files)).toEqual([
      '_sizes/lamp-lighting-2.jpg.mail.jpg',
      ...[480, 960, 1_600].flatMap((width) => [
        `_sizes/lamp-lighting-2.jpg.${width}.avif`,
        `_sizes/lamp-lighting-2.jpg.${width}.webp`,
      ]),
      'lamp-lighting-2.jpg',
    ])
    for (const { bytes: made, contentType, name } of files) {
      const { width, format } = await sharp(made).metadata()
      expect(contentType).toBe(`image/${format === 'heif' ? 'avif' : format}`)
      const glyphWidth = name.includes('.mail.') ? 1_008 : 2_000
      expect(width).toBe(Number(/\.(\d+)\.\w+$/.exec(name)?.[1] ?? glyphWidth))
    }
  })

  test('is never enlarged, and never stored larger than a screen', async () => {
    const small = await processPicture('a.png', await photograph(600, 400).png().toBuffer())
    expect(names(small.files)).toEqual([
      '_sizes/a.png.mail.jpg',
      '_sizes/a.png.480.avif',
      '_sizes/a.png.480.webp',
      '_sizes/a.png.600.avif',
      '_sizes/a.png.600.webp',
      'a.png',
    ])
    const large = await processPicture('a.png', await photograph(3_000, 30).png().toBuffer())
    expect((await sharp(large.files.at(-1)?.bytes).metadata()).width).toBe(2_400)
  })

  test('loses its metadata and is rotated upright', async () => {
    const bytes = await photograph(600, 400)
      .withExif({ IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '33/1 56/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const { files } = await processPicture('a.jpg', bytes)
    for (const { bytes: made } of files) {
      const { exif, width, height } = await sharp(made).metadata()
      expect(exif).toBeUndefined()
      expect(height).toBeGreaterThan(width ?? 0)
    }
  })

  test('gets its extension from its content', async () => {
    const { filename, files } = await processPicture('a.jpg', await photograph(40, 40).png().toBuffer())
    expect(filename).toBe('a.png')
    expect(files.at(-1)).toMatchObject({ name: 'a.png', contentType: 'image/png' })
  })
})

test('a crop keeps the original under an unguessable name that contains the crop', async () => {
  const halves = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
    .composite([{ input: await photograph(200, 200).png().toBuffer(), left: 200, top: 0 }])
    .png()
    .toBuffer()
  const crop = { left: 5_000, top: 0, width: 5_000, height: 10_000 }
  const { files } = await cropPicture('a.png', halves, crop)
  const [original] = files
  expect(original?.name).toMatch(/^_originals\/a\.png\.5000-0-5000-10000\.[0-9a-f]{24}\.png$/)
  expect(original?.bytes.equals(halves)).toBe(true)
  expect(findOriginal('a.png', names(files))).toEqual({ name: original?.name, crop })
  const cut = files.at(-1)
  expect([cut?.name, await measure(cut?.bytes ?? Buffer.alloc(0))]).toEqual(['a.png', { width: 200, height: 200 }])
  const { dominant } = await sharp(cut?.bytes).stats()
  expect(dominant.b).toBeGreaterThan(10)
  await expect(cropPicture('a.png', halves, { ...crop, width: 100 })).rejects.toMatchObject({
    message: 'The crop must be at least 50 pixels wide and high.',
  })
})

test('an SVG is stored unchanged', async () => {
  const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4v4z"/></svg>')
  expect(await processPicture('Mark.svg', bytes)).toEqual({
    filename: 'mark.svg',
    files: [{ name: 'mark.svg', contentType: 'image/svg+xml', bytes }],
  })
})

describe('is rejected with a message', () => {
  const heic = Buffer.from(`\0\0\0\x24ftypheic\0\0\0\0mif1heic${'\0'.repeat(200)}`, 'latin1')
  const jpeg = photograph(40, 40).jpeg().toBuffer()
  const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
    .jpeg()
    .toBuffer()
  test.each([
    ['an iPhone photo', 'IMG_1.HEIC', async () => heic, 'This image is in HEIC'],
    ['the same under another name', 'IMG_1.jpg', async () => heic, 'Most Compatible'],
    ['an empty file', 'a.jpg', async () => Buffer.alloc(0), 'The file is empty.'],
    ['a large file', 'a.jpg', async () => Buffer.alloc(26 * 1024 * 1024), 'larger than 25 MB'],
    ['another file type', 'a.pdf', async () => jpeg, 'Please use a .jpg'],
    ['no extension', 'picture', async () => jpeg, 'Please use a .jpg'],
    ['text', 'a.jpg', async () => Buffer.from('<script>alert(1)</script>'), 'cannot be read as a picture'],
    ['half a picture', 'a.jpg', async () => (await noise).subarray(0, 20_000), 'damaged'],
    [
      'an SVG named as a photo',
      'a.png',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><script/></svg>'),
      'does not match its extension',
    ],
    ['a photo named as an SVG', 'a.svg', async () => jpeg, 'not an SVG image'],
    [
      'an SVG with a script',
      'a.svg',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      'contains a script',
    ],
    [
      'a malformed SVG',
      'a.svg',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><g></svg>'),
      'cannot be read as a picture',
    ],
  ])('%s', async (_, name, bytes, sentence) => {
    await expect(processPicture(name, await bytes())).rejects.toMatchObject({
      name: 'RefusedPicture',
      message: expect.stringContaining(sentence) as string,
    })
  })
})

describe('a print in two inks', () => {
  /** From black at the left to white at the right, with some red. */
  async function ramp(width = 400, height = 120): Promise<Buffer> {
    const data = Buffer.alloc(width * height * 3)
    for (let at = 0; at < width * height; at++)
      data.fill(Math.round(((at % width) * 255) / (width - 1)), at * 3, at * 3 + 3)
    for (let at = 0; at < width * 10; at++) data.set([200, 30, 30], at * 3)
    return sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
  }

  const DEEP = [0x0f, 0x41, 0x47]
  const CLOTH = [0xfb, 0xf3, 0xe3]

  /** How far each pixel is from the nearest mix of the inks, at most. */
  async function distanceFromInks(picture: Buffer): Promise<number> {
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
    let worst = 0
    for (let at = 0; at < data.length; at += info.channels) {
      const share = ((data[at] ?? 0) - DEEP[0]!) / (CLOTH[0]! - DEEP[0]!)
      for (const channel of [1, 2])
        worst = Math.max(
          worst,
          Math.abs((data[at + channel] ?? 0) - (DEEP[channel]! + share * (CLOTH[channel]! - DEEP[channel]!))),
        )
    }
    return worst
  }

  test('lies between the inks everywhere, from the darkest to the lightest, and keeps the original', async () => {
    const bytes = await ramp()
    const { filename, files } = await processPicture('Ramp.png', bytes, { isPrint: true })
    expect(filename).toBe('ramp.png')
    const print = files.find(({ name }) => name === filename)!.bytes
    expect(await distanceFromInks(print)).toBeLessThan(4)
    const { data } = await sharp(print)
      .extract({ left: 0, top: 60, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual(DEEP)
    const original = findOriginal(filename, names(files))
    expect(original?.crop).toEqual({ left: 0, top: 0, width: 10_000, height: 10_000, isPrint: true })
    const kept = files.find(({ name }) => name === original?.name)!.bytes
    expect(await sharp(kept).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer())
  })

  test('printed twice from the original, it is the same; without ink it is the original again', async () => {
    const bytes = await ramp()
    const part = { left: 0, top: 0, width: 5_000, height: 10_000 }
    const printed = async () => (await cropPicture('a.png', bytes, { ...part, isPrint: true })).files.at(-1)!.bytes
    expect(await printed()).toEqual(await printed())
    const plain = (await cropPicture('a.png', bytes, part)).files.at(-1)!.bytes
    expect(await distanceFromInks(plain)).toBeGreaterThan(60)
  })

  test('an animation and a drawing are stored as they are', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    )
    const { files } = await processPicture('a.svg', svg, { isPrint: true })
    expect(files.map(({ bytes }) => bytes)).toEqual([svg])
  })
})
