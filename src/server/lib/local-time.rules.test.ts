import { expect, test } from 'vitest'
import { parseLocalTime, formatLocalTime, startOfDay } from './local-time.rules.ts'

const GEORGIA = 'America/New_York'

test.each([
  ['2026-01-15T09:30', '2026-01-15T14:30:00.000Z'],
  ['2026-07-15T09:30', '2026-07-15T13:30:00.000Z'],
  // Skipped when daylight saving starts; the first of two when it ends.
  ['2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
  ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['2026-13-01T09:30', null],
  ['2026-02-30T09:30', null],
  ['2026-02-01T25:30', null],
  ['tomorrow', null],
])('%s in Georgia is %s', (local, instant) => {
  const found = parseLocalTime(local, GEORGIA)
  expect(found === null ? null : new Date(found).toISOString()).toBe(instant)
})

test('an instant is formatted as local time', () => {
  expect(formatLocalTime(Date.UTC(2026, 6, 15, 13, 30, 59), GEORGIA)).toBe('2026-07-15T09:30')
})

test.each([
  ['2026-03-08', GEORGIA, '2026-03-08T05:00:00.000Z'],
  ['2026-11-01', GEORGIA, '2026-11-01T04:00:00.000Z'],
  ['2026-11-02', GEORGIA, '2026-11-02T05:00:00.000Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
])('%s starts in %s at %s', (day, timeZone, instant) => {
  expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(instant)
})
