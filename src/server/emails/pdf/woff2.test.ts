import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { Blob, Face, Font } from 'harfbuzzjs'
import { expect, test } from 'vitest'
import { decodeWoff2 } from './woff2.ts'

const require = createRequire(import.meta.url)
const MOST_GLYPHS = 400
const ROUNDING = 2

const FONTS = [
  ...['latin', 'vietnamese', 'devanagari'].map((part) => `noto-sans/files/noto-sans-${part}-700-normal`),
  'noto-sans-tamil/files/noto-sans-tamil-tamil-400-normal',
  'noto-sans-malayalam/files/noto-sans-malayalam-malayalam-700-normal',
  'noto-sans-arabic/files/noto-sans-arabic-arabic-700-normal',
]

/** WOFF 1: each table is compressed separately, without transforms. */
function decodeWoff(file: Buffer): Buffer {
  const count = file.readUInt16BE(12)
  const header = Buffer.alloc(12 + 16 * count)
  file.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (let index = 0; index < count; index++) {
    const at = 44 + 20 * index
    const [start, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(at + field)) as [number, number, number]
    const content = file.subarray(start, start + packed)
    const table = packed < length ? inflateSync(content) : content
    file.copy(header, 12 + 16 * index, at, at + 4)
    header.writeUInt32BE(offset, 12 + 16 * index + 8)
    header.writeUInt32BE(length, 12 + 16 * index + 12)
    const padding = (4 - (length % 4)) % 4
    parts.push(table, Buffer.alloc(padding))
    offset += length + padding
  }
  return Buffer.concat(parts)
}

/** The width and bounding box of each glyph. */
function boxes(font: Buffer): number[][] {
  const face = new Face(new Blob(font))
  const drawn = new Font(face)
  return Array.from({ length: MOST_GLYPHS }, (_, id) => {
    const numbers = Array.from(drawn.glyphToPath(id).matchAll(/-?[\d.]+/g), ([number]) => Number(number))
    const [xs, ys] = [numbers.filter((_number, at) => at % 2 === 0), numbers.filter((_number, at) => at % 2 === 1)]
    const edges =
      numbers.length === 0 ? [0, 0, 0, 0] : [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    return [drawn.glyphHAdvance(id), ...edges]
  })
}

// The package has both formats of each font, with simplified outlines in WOFF 1.
test.each(FONTS)('%s has the same glyphs and widths in both formats', (name) => {
  const read = (ending: string) => readFileSync(require.resolve(`@fontsource/${name}.${ending}`))
  const [decoded, expected] = [boxes(decodeWoff2(read('woff2'))), boxes(decodeWoff(read('woff')))]
  expect(expected.filter(([, left = 0, right = 0]) => right > left).length).toBeGreaterThan(50)
  const different = decoded.filter((box, id) =>
    box.some((edge, at) => Math.abs(edge - (expected[id]?.[at] ?? NaN)) > ROUNDING),
  )
  expect(different).toEqual([])
})

test('a variable font is decoded completely', () => {
  const folder = '@fontsource-variable/noto-sans-sc/files/noto-sans-sc-116-wght-normal.woff2'
  const face = new Face(new Blob(decodeWoff2(readFileSync(require.resolve(folder)))))
  expect(Object.keys(face.getAxisInfos())).toEqual(['wght'])
  expect(new Font(face).glyphToPath(5)).toMatch(/^M/)
})

test('throws for anything else', () => {
  expect(() => decodeWoff2(Buffer.alloc(64))).toThrow('This is no WOFF2 file.')
})
