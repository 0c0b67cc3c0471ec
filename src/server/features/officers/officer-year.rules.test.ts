import { expect, test } from 'vitest'
import { yearAround } from './officer-year.rules.ts'

test.each([
  ['2026-06-30', '07-01', '2025-07-01', '2026-06-30'],
  ['2026-07-01', '07-01', '2026-07-01', '2027-06-30'],
  ['2026-12-31', '01-01', '2026-01-01', '2026-12-31'],
  ['2028-02-29', '03-01', '2027-03-01', '2028-02-29'],
])('on %s, with a first day of %s: %s to %s', (today, beginsOn, startsOn, endsOn) => {
  expect(yearAround(today, beginsOn)).toEqual({ startsOn, endsOn })
})
