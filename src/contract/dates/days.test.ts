import { expect, test } from 'vitest'
import { addDays, weekdayOf, formatDayRange } from './days.ts'

test.each([
  ['2026-12-12', '2026-12-12', 'December 12, 2026'],
  ['2026-12-12', '2026-12-14', 'December 12-14, 2026'],
  ['2026-11-30', '2026-12-02', 'November 30 - December 2, 2026'],
  ['2026-12-30', '2027-01-02', 'December 30, 2026 - January 2, 2027'],
])('%s to %s is written %j', (startsOn, endsOn, text) => {
  expect(formatDayRange({ startsOn, endsOn })).toBe(text)
})

test('days are added across months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect(weekdayOf('2026-11-21')).toBe(6)
})
