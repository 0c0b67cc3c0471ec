import { describe, expect, test } from 'vitest'
import { toCrop, describeFrame, toFrame, fitRatio, moveFrame, resizeFrame, wholeFrame } from './crop-frame.rules.ts'
import type { Corner, Frame, Ratio } from './crop-frame.rules.ts'

const whole = { width: 800, height: 600 }
const frame = { left: 100, top: 100, width: 400, height: 300 }

test.each([
  ['right and down', 10, 20, { left: 110, top: 120 }],
  ['as far as the left and the top go', -500, -500, { left: 0, top: 0 }],
  ['as far as the right and the bottom go', 5_000, 5_000, { left: 400, top: 300 }],
])('the frame moves %s', (_, x, y, at) => {
  expect(moveFrame(frame, { x, y }, whole)).toEqual({ ...frame, ...at })
})

describe('a corner moves, the one opposite stays', () => {
  test.each<[Ratio, Corner, number, number, Frame]>([
    ['free', 'bottom right', 50, -20, { left: 100, top: 100, width: 450, height: 280 }],
    ['free', 'top left', 50, 20, { left: 150, top: 120, width: 350, height: 280 }],
    ['free', 'top right', 900, -900, { left: 100, top: 0, width: 700, height: 400 }],
    ['free', 'bottom left', 900, -900, { left: 450, top: 100, width: 50, height: 50 }],
    ['4:3', 'bottom right', 40, 0, { left: 100, top: 100, width: 440, height: 330 }],
    ['4:3', 'bottom right', 0, -30, { left: 100, top: 100, width: 360, height: 270 }],
    ['4:3', 'bottom right', 900, 900, { left: 100, top: 100, width: 500 / 0.75, height: 500 }],
    ['4:3', 'top left', -900, 0, { left: 0, top: 25, width: 500, height: 375 }],
    ['4:3', 'top left', 900, 0, { left: 500 - 200 / 3, top: 350, width: 200 / 3, height: 50 }],
  ])('%s, %s', (ratio, corner, x, y, expected) => {
    const sized = resizeFrame(frame, corner, { x, y }, { whole, ratio })
    for (const key of ['left', 'top', 'width', 'height'] as const) expect(sized[key]).toBeCloseTo(expected[key], 6)
  })
})

test.each<[Ratio, Frame]>([
  ['free', frame],
  ['4:3', { left: 0, top: 0, width: 800, height: 600 }],
  ['16:9', { left: 0, top: 25, width: 800, height: 450 }],
  ['square', { left: 0, top: 0, width: 600, height: 600 }],
  ['portrait', { left: 75, top: 0, width: 450, height: 600 }],
])('%s takes as much of the picture as it can', (ratio, expected) => {
  expect(fitRatio(frame, ratio, whole)).toEqual(expected)
})

test('a frame goes to the server and comes back, never beyond the picture', () => {
  expect(toCrop(frame, whole)).toEqual({ left: 1_250, top: 1_667, width: 5_000, height: 5_000 })
  const odd = { width: 333, height: 77 }
  const edge = { left: 332.99, top: 0.004, width: 0.01, height: 76.996 }
  const { left, width, top, height } = toCrop(edge, odd)
  expect([left + width, top + height]).toEqual([10_000, 10_000])
  expect(toFrame(toCrop(wholeFrame(odd), odd), odd)).toEqual(wholeFrame(odd))
  expect(describeFrame({ ...frame, left: 99.6 })).toBe('400 by 300 pixels, 100 from the left and 100 from the top')
})
