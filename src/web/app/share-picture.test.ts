import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sharePicture } from './share-picture.ts'

const PUBLIC = 'public'
/** The illustrations that an event or an article can use. */
const PRINT = /^(?:(?:event|hero|made|news)-[\w-]+|clinic|forum|scholarship)(?=\.svg$)/

const prints = readdirSync(`${PUBLIC}/art`).flatMap((file) => PRINT.exec(file)?.[0] ?? [])

test.each(prints)('%s has a share image: a PNG of 1200 by 630 px', (name) => {
  const png = readFileSync(PUBLIC + sharePicture(name))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
})

test('the first of several images is shared; a photograph as it is', () => {
  expect(sharePicture(['made-1', 'made-2'])).toBe('/art/share/made-1.png')
  expect(sharePicture('/media/home/gala.jpg')).toBe('/media/home/gala.jpg')
})
