import sharp from 'sharp'
import { expect, test } from 'vitest'
import { renderSVG } from 'uqr'
import { qrPicture } from './qr-picture.ts'

test.each(['https://www.example.org/console/rsvp/door#abc', 'x', 'y'.repeat(300)])(
  'the PNG of %j equals its SVG, pixel for pixel',
  async (code) => {
    const pixelsOf = (picture: Buffer) =>
      sharp(picture).flatten().toColourspace('b-w').threshold().raw().toBuffer({ resolveWithObject: true })
    const made = await pixelsOf(qrPicture(code))
    const drawn = await pixelsOf(Buffer.from(renderSVG(code, { border: 3, pixelSize: 12 })))
    expect([made.info.width, made.info.height]).toEqual([drawn.info.width, drawn.info.height])
    expect(made.data.equals(drawn.data)).toBe(true)
  },
)
