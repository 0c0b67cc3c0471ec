import { describe, expect, test } from 'vitest'
import {
  dayInLanguage,
  groupDaysByMonth,
  describeHours,
  nextClinicDays,
  describeSchedule,
} from './clinic-days.rules.ts'

const FIRST_AND_THIRD = { weekday: 'Saturday', weeks: [1, 3] } as const
const saturdays = { ...FIRST_AND_THIRD, weeks: [...FIRST_AND_THIRD.weeks] }

describe('the next clinic day', () => {
  test.each([
    ['before the first Saturday', '2026-12-01', '2026-12-05'],
    ['on the first Saturday itself', '2026-12-05', '2026-12-05'],
    ['the day after', '2026-12-06', '2026-12-19'],
    ['on the second Saturday, which is none', '2026-12-12', '2026-12-19'],
    ['on the third Saturday', '2026-11-21', '2026-11-21'],
    ['after the third, in a month of four', '2026-11-22', '2026-12-05'],
    ['after the third, in a month of five', '2026-08-16', '2026-09-05'],
    ['on a fifth Saturday, which is none', '2026-08-29', '2026-09-05'],
    ['in a month that begins with a Saturday', '2026-08-01', '2026-08-01'],
    ['in a month that ends with a Friday', '2026-07-31', '2026-08-01'],
    ['in a month whose first Saturday is the seventh', '2026-11-01', '2026-11-07'],
    ['at the turn of the year', '2026-12-20', '2027-01-02'],
    ['on New Year’s Eve', '2027-12-31', '2028-01-01'],
    ['in a leap February', '2028-02-20', '2028-03-04'],
    ['on the leap day', '2028-02-29', '2028-03-04'],
    ['on the day clocks go forward', '2027-03-14', '2027-03-20'],
    ['on the day clocks go back', '2026-11-01', '2026-11-07'],
  ])('%s', (_, today, next) => {
    expect(nextClinicDays(saturdays, today, 1)).toEqual([next])
  })

  test('is followed by others, two a month, all Saturdays from the 1st to the 7th and the 15th to the 21st', () => {
    const days = nextClinicDays(saturdays, '2026-01-01', 24)
    expect(days).toHaveLength(24)
    expect(new Set(days.map((day) => day.slice(0, 7))).size).toBe(12)
    for (const day of days) {
      expect(new Date(`${day}T12:00:00Z`).getUTCDay()).toBe(6)
      const date = Number(day.slice(8))
      expect((date >= 1 && date <= 7) || (date >= 15 && date <= 21)).toBe(true)
    }
  })

  test('can be a fifth Sunday; a sixth does not exist', () => {
    expect(nextClinicDays({ weekday: 'Sunday', weeks: [5] }, '2026-11-21', 1)).toEqual(['2026-11-29'])
    expect(nextClinicDays({ weekday: 'Sunday', weeks: [6] }, '2026-11-21', 1)).toEqual([])
  })
})

test('days are grouped by month', () => {
  expect(groupDaysByMonth(['2026-12-05', '2026-12-19', '2027-01-02'])).toEqual([
    {
      month: 'December 2026',
      days: [
        { day: '2026-12-05', label: 'Saturday 5' },
        { day: '2026-12-19', label: 'Saturday 19' },
      ],
    },
    { month: 'January 2027', days: [{ day: '2027-01-02', label: 'Saturday 2' }] },
  ])
})

test.each([
  [[1, 3], '1st and 3rd Saturday'],
  [[2], '2nd Saturday'],
  [[1, 3, 5], '1st, 3rd, and 5th Saturday'],
])('weeks %j are written as %s', (weeks, text) => {
  expect(describeSchedule({ weekday: 'Saturday', weeks })).toBe(text)
})

test.each([
  ['13:00', '16:00', '1:00 PM to 4:00 PM'],
  ['09:30', '12:00', '9:30 AM to 12:00 PM'],
  ['00:05', '11:59', '12:05 AM to 11:59 AM'],
])('%s to %s is %s', (startsAt, endsAt, text) => {
  expect(describeHours({ startsAt, endsAt })).toBe(text)
})

test.each([
  ['es', /^sábado, 5 de diciembre, 1:00.p\.?.?m\.? – 4:00/],
  ['gu', /^શનિવાર, 5 ડિસેમ્બર/],
  ['hi', /^शनिवार, 5 दिसंबर/],
  ['te', /డిసెంబర్.*శనివారం|శనివారం.*డిసెంబర్/],
])('the next day is written in %s', (language, pattern) => {
  expect(dayInLanguage(language, '2026-12-05', { startsAt: '13:00', endsAt: '16:00' })).toMatch(pattern)
})
