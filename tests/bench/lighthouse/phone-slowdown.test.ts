import { expect, test } from 'vitest'
import { phoneSlowdown } from './phone-slowdown.ts'

test.each([
  [90, 1],
  [150, 1],
  [475, 1.5],
  [800, 2],
  [1_050, 2.5],
  [1_300, 3],
  [1_533, 4],
  [2_600, 4],
])('with a benchmark index of %i, a phone is %f times slower', (index, times) => {
  expect(phoneSlowdown(index)).toBe(times)
})
