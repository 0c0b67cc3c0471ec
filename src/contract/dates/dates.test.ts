import { expect, onTestFinished, test } from 'vitest'
import { region, setRegion } from '../region.ts'
import { dayOf, formatDeadline, formatLongDate } from './dates.ts'

test.each([
  ['2026-11-21T12:00:00Z', 'America/New_York', 'November 21, 2026'],
  ['2027-01-01T04:59:59.999Z', 'America/New_York', 'December 31, 2026'],
  ['2027-01-01T05:00:00Z', 'America/New_York', 'January 1, 2027'],
  ['2028-02-29T12:00:00Z', 'America/New_York', 'February 29, 2028'],
  ['2026-12-31T12:00:00Z', 'Pacific/Kiritimati', 'January 1, 2027'],
])('%s in %s is %s', (instant, zone, text) => {
  expect(formatLongDate(instant, zone)).toBe(text)
  expect(formatLongDate(Date.parse(instant), zone)).toBe(text)
})

test('dates are in the association’s time zone by default', () => {
  expect(formatLongDate('2027-01-01T02:00:00Z')).toBe('December 31, 2026')
  const before = region()
  onTestFinished(() => setRegion(before))
  setRegion({ ...before, timeZone: 'Asia/Kolkata' })
  expect(formatLongDate('2027-01-01T02:00:00Z')).toBe('January 1, 2027')
  expect(dayOf(Date.parse('2026-12-31T18:30:00Z'))).toBe('2027-01-01')
  expect(formatDeadline('2026-12-31T18:30:00Z')).toBe('December 31, 2026 at 11:59 PM GMT+5:30')
})

test.each([
  ['2026-11-21T12:00:00Z', 'America/New_York', '2026-11-21'],
  ['2027-01-01T04:59:59.999Z', 'America/New_York', '2026-12-31'],
  ['2026-03-08T06:59:00Z', 'America/New_York', '2026-03-08'],
  ['2026-03-08T04:59:00Z', 'America/New_York', '2026-03-07'],
  ['2026-11-01T03:59:00Z', 'America/New_York', '2026-10-31'],
  ['2026-11-01T04:00:00Z', 'America/New_York', '2026-11-01'],
  ['2026-01-01T09:59:00Z', 'Pacific/Honolulu', '2025-12-31'],
])('%s in %s is the day %s', (instant, zone, day) => {
  expect(dayOf(Date.parse(instant), zone)).toBe(day)
})
