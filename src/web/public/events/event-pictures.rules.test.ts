import { expect, test } from 'vitest'
import type { StoredImage } from '#contract/public/media.ts'
import { describePictures } from './event-pictures.rules.ts'

const CHOIR = '/media/home/gallery/choir.jpg'
const choir = { url: `${CHOIR}?v=2`, alt: 'A choir', caption: 'The second half.' } as StoredImage

test.each([
  [[], []],
  [['/art/scene-crates.svg'], [['/art/scene-crates.svg', '', '']]],
  [
    [CHOIR, `${CHOIR}?v=1`],
    [
      [CHOIR, 'A choir', 'The second half.'],
      [`${CHOIR}?v=1`, 'A choir', 'The second half.'],
    ],
  ],
  [['/media/home/articles/choir.jpg'], [['/media/home/articles/choir.jpg', '', '']]],
])('%j with alt texts and captions are %j', (urls, shown) => {
  expect(describePictures(urls, [choir]).map(({ src, alt, caption }) => [src, alt, caption])).toEqual(shown)
})
