import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { storedImage } from '#contract/media.ts'
import { pictureName, readImages } from './stored-images.rules.ts'

const image = {
  key: 'gallery/a.jpg',
  url: '/media/home/gallery/a.jpg',
  filename: 'a.jpg',
  size: 1,
  lastModified: '2026-11-01T12:00:00.000Z',
}
const size = { url: '/a', width: 480, type: 'image/webp' }

describe('of a list, the pictures are read that the contract reads', () => {
  test.each([
    [[]],
    [[image]],
    [[image, { ...image, sizes: [] }]],
    [[{ ...image, sizes: [size] }]],
    [[{ ...image, more: 1 }]],
    [null],
    [undefined],
    [{}],
    ['[]'],
    [[null]],
    [['a.jpg']],
    [[{ ...image, key: undefined }]],
    [[{ ...image, url: '' }]],
    [[{ ...image, url: 7 }]],
    [[{ ...image, filename: null }]],
    [[{ ...image, size: '1' }]],
    [[{ ...image, size: 1.5 }]],
    [[{ ...image, lastModified: 1 }]],
    [[{ ...image, sizes: {} }]],
    [[{ ...image, sizes: [null] }]],
    [[{ ...image, sizes: [{ ...size, width: 'a' }] }]],
    [[image, { ...image, size: NaN }, { ...image, key: 'gallery/b.jpg' }]],
  ])('%j', (value) => {
    const readable = (item: unknown) => z.safeParse(storedImage, item).success
    expect(readImages(value)).toEqual(Array.isArray(value) ? value.filter(readable) : undefined)
  })
})

test.each([
  ['lamp-lighting-2025.jpg', 'Lamp lighting 2025'],
  ['clinic.svg', 'Clinic'],
  ['white_coats at__the-capitol.webp', 'White coats at the capitol'],
  ['dr.iyer.png', 'Dr.iyer'],
  ['', ''],
])('%j is called %j', (filename, name) => {
  expect(pictureName(filename)).toBe(name)
})
