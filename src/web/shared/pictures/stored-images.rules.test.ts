import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { storedImage } from '#contract/public/media.ts'
import { isSameList, portraitOf, parseImages } from './stored-images.rules.ts'

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
    [[{ ...image, alt: 'A', caption: '', person: { list: 'forum', name: 'A' } }]],
    [[{ ...image, alt: 1 }]],
    [[{ ...image, caption: null }]],
    [[{ ...image, person: null }]],
    [[{ ...image, person: { list: 'x', name: 'A' } }]],
    [[{ ...image, person: { list: 'leaders' } }]],
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
    expect(parseImages(value)).toEqual(Array.isArray(value) ? value.filter(readable) : undefined)
  })
})

test('lists are the same when they show the same', () => {
  expect(isSameList([image], [{ ...image, size: 2 }])).toBe(true)
  for (const other of [
    { ...image, url: '/x' },
    { ...image, caption: 'C' },
    { ...image, alt: 'A' },
  ])
    expect(isSameList([image], [other])).toBe(false)
  expect(isSameList([image], [image, image])).toBe(false)
})

test('a portrait is found by the name and the list it was chosen in', () => {
  const portrait = { ...image, person: { list: 'leaders', name: 'Asha Iyer' } } as const
  expect(portraitOf({ list: 'leaders', name: 'Asha Iyer' }, [image, portrait])).toBe(portrait)
  expect(portraitOf({ list: 'forum', name: 'Asha Iyer' }, [image, portrait])).toBeUndefined()
  expect(portraitOf({ list: 'leaders', name: 'a' }, [{ ...image, filename: 'a.jpg' }])).toBeUndefined()
})
