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
