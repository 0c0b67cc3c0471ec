import { expect, test } from 'vitest'
import { suggestedEnd } from './term-end.rules.ts'

test.each([
  ['2026-03-02', 'year', 1, '2027-03-02'],
  ['2026-03-02', 'year', 3, '2029-03-02'],
  ['2028-02-29', 'year', 1, '2029-02-28'],
  ['2026-10-31', 'month', 1, '2026-11-30'],
  ['2026-12-15', 'month', 2, '2027-02-15'],
  ['2026-03-02', null, 1, ''],
  ['', 'year', 1, ''],
  ['2026-02-30', 'year', 1, ''],
] as const)('a term from %s, %s x %i, ends on %s', (startedOn, interval, intervalCount, end) => {
  expect(suggestedEnd(startedOn, { interval, intervalCount })).toBe(end)
})
