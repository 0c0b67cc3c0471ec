import { expect, test } from 'vitest'
import { readSchedule } from '../event-times.rules.ts'
import { resolveDay, resolveEventDate } from './relative-dates.rules.ts'

const TODAY = '2026-11-21'

test.each<[day: Partial<Parameters<typeof resolveEventDate>[0]>, date: string, startsOn: string, endsOn: string]>([
  [{ in: '0 days' }, 'November 21, 2026', '2026-11-21', '2026-11-21'],
  [{ in: '1 days', weekday: 'saturday' }, 'November 28, 2026', '2026-11-28', '2026-11-28'],
  [{ in: '0 days', weekday: 'saturday' }, 'November 21, 2026', '2026-11-21', '2026-11-21'],
  [{ in: '-7 days' }, 'November 14, 2026', '2026-11-14', '2026-11-14'],
  [{ in: '9 days', days: 3 }, 'November 30 - December 2, 2026', '2026-11-30', '2026-12-02'],
  [{ in: '40 days', days: 2 }, 'December 31, 2026 - January 1, 2027', '2026-12-31', '2027-01-01'],
  [{ date: 'Dec. 12–14, 2026' }, 'Dec. 12–14, 2026', '2026-12-12', '2026-12-14'],
])('an event with %j is on %j', (day, date, startsOn, endsOn) => {
  const resolved = resolveEventDate({ days: 1, ...day }, TODAY)
  expect(resolved).toBe(date)
  expect(readSchedule({ date: resolved })).toMatchObject({ startsOn, endsOn })
})

test('hours come from the time, or else from the date', () => {
  const date = 'December 12, 2026, 6 PM - 10 PM'
  expect(readSchedule({ date })).toMatchObject({ startsAt: '18:00', endsAt: '22:00' })
  expect(readSchedule({ date, time: '7 PM' })).toMatchObject({ startsAt: '19:00', endsAt: null })
})

test('a date that cannot be parsed has no days', () => {
  expect(readSchedule({ date: 'To be announced' })).toMatchObject({ startsOn: null, endsOn: null })
})

test('a news item has a date or a number of days from today', () => {
  expect(resolveDay({ date: '2026-11-02' }, TODAY)).toBe('2026-11-02')
  expect(resolveDay({ in: '-30 days' }, TODAY)).toBe('2026-10-22')
})
