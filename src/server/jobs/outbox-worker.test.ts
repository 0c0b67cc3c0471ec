import { expect, test } from 'vitest'
import { retryDelayMs } from './outbox-worker.ts'

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [10, 2_560_000],
  [11, 3_600_000],
  [60, 3_600_000],
  [2_000, 3_600_000],
])('after %i attempts it waits %i ms', (attempts, ms) => {
  expect(retryDelayMs(attempts)).toBe(ms)
})
