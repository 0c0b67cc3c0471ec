import { expect, test } from 'vitest'
import {
  isDerivedFile,
  findOriginal,
  originalFileName,
  selectPictures,
  pictureContentType,
} from './picture-files.rules.ts'

test.each([
  ['lamp.jpg', 'image/jpeg'],
  ['Lamp Lighting.JPEG', 'image/jpeg'],
  ['दीपावली.webp', 'image/webp'],
  ['a.b.avif', 'image/avif'],
  ['drawing.svg', 'image/svg+xml'],
  ['notes.txt', undefined],
  ['page.html', undefined],
  ['jpg', undefined],
  ['.jpg', undefined],
  ['.hidden.jpg', undefined],
  ['a.constructor', undefined],
  ['a.jpg.part', undefined],
  ['a.jpg\u0000.txt', undefined],
  ['a\u0000.jpg', undefined],
  ['a\u202egpj.jpg', undefined],
  ['../a.jpg', undefined],
  ['..\\a.jpg', undefined],
  ['_sizes', undefined],
  [`${'a'.repeat(300)}.jpg`, undefined],
  ['', undefined],
])('%j is %s', (name, type) => {
  expect(pictureContentType(name)).toBe(type)
})

test('finds the original of a cropped picture only', () => {
  const original = '_originals/b.jpg.100-0-9000-10000.ab12.jpg'
  const names = ['b.jpg', '_sizes/b.jpg.480.webp', '_originals/b.jpg.jpg', original]
  expect(findOriginal('b.jpg', names)).toEqual({
    name: original,
    crop: { left: 100, top: 0, width: 9_000, height: 10_000 },
  })
  expect(findOriginal('a.jpg', names)).toBeNull()
  expect(isDerivedFile('b.jpg', original)).toBe(true)
  expect(originalFileName('b.jpg', { left: 1, top: 2, width: 3, height: 4 }, 'x')).toBe(
    '_originals/b.jpg.1-2-3-4.x.jpg',
  )
})

test('lists the pictures of a folder by name, each with its sizes', () => {
  const at = Date.UTC(2026, 10, 1)
  const file = (name: string) => ({ name, url: `/u/${name}`, size: 5, modifiedAt: at })
  const pictures = selectPictures('gallery', [
    file('b.jpg'),
    file('_sizes/b.jpg.960.webp'),
    file('_sizes/b.jpg.480.webp'),
    file('_sizes/b.jpg.480.avif'),
    file('_sizes/gone.jpg.480.avif'),
    file('_sizes/b.jpg.0.avif'),
    file('_sizes/b.jpg.480.exe'),
    file('a.svg'),
    file('readme.md'),
    file('deeper/c.jpg'),
  ])
  expect(pictures.map(({ key }) => key)).toEqual(['gallery/a.svg', 'gallery/b.jpg'])
  expect(pictures[0]).toEqual({
    key: 'gallery/a.svg',
    url: '/u/a.svg',
    filename: 'a.svg',
    size: 5,
    lastModified: '2026-11-01T00:00:00.000Z',
  })
  expect(pictures[1]?.sizes?.map(({ width, type }) => `${width} ${type}`)).toEqual([
    '480 image/webp',
    '480 image/avif',
    '960 image/webp',
  ])
})

test('the original of a print tells that it is one', () => {
  const crop = { left: 0, top: 0, width: 10_000, height: 10_000, isPrint: true }
  const name = originalFileName('b.jpg', crop, 'x')
  expect(name).toBe('_originals/b.jpg.0-0-10000-10000-print.x.jpg')
  expect(findOriginal('b.jpg', [name])).toEqual({ name, crop })
})
