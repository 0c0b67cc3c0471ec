import { expect, test } from 'vitest'
import { fullDate } from './event-text.rules.ts'

test.each([
  ['December 19, 2026', '2026-12-19', '2026-12-19', 'Saturday, December 19, 2026'],
  ['December 19, 2026', '2026-12-19', null, 'Saturday, December 19, 2026'],
  ['February 6-7, 2027', '2027-02-06', '2027-02-07', 'February 6-7, 2027'],
  ['Saturday, December 19', '2026-12-19', '2026-12-19', 'Saturday, December 19'],
  ['To be announced', null, null, 'To be announced'],
])('%j from %s to %s is shown as %j', (date, startsOn, endsOn, shown) => {
  expect(fullDate({ date, startsOn, endsOn })).toBe(shown)
})
