import { expect, test } from 'vitest'
import { isInWindow, noticeWindow, windowOf } from './notice-window.rules.ts'

const DAYS = { annualDays: 30, specialDays: 14, maxDays: 60 }
const WINDOW = noticeWindow({ meetingOn: '2027-02-06', meetingKind: 'annual' }, DAYS)

test('counts back from the day of the meeting, over a turn of the year', () => {
  expect(WINDOW).toEqual({
    meetingOn: '2027-02-06',
    meetingKind: 'annual',
    opensOn: '2026-12-08',
    closesOn: '2027-01-07',
    minDays: 30,
    maxDays: 60,
  })
})

test('only a notice that has a meeting has a window', () => {
  const meeting = { meetingOn: '2027-02-06', meetingKind: 'annual' } as const
  expect(windowOf({ topic: 'notice', ...meeting }, DAYS)).toEqual(WINDOW)
  expect(windowOf({ topic: 'news', ...meeting }, DAYS)).toBeNull()
  expect(windowOf({ topic: 'notice', ...meeting, meetingOn: null }, DAYS)).toBeNull()
})

test('a special meeting has its own last day', () => {
  expect(noticeWindow({ meetingOn: '2027-02-06', meetingKind: 'special' }, DAYS)).toMatchObject({
    opensOn: '2026-12-08',
    closesOn: '2027-01-23',
  })
})

test.each([
  ['2026-12-07', false],
  ['2026-12-08', true],
  ['2027-01-07', true],
  ['2027-01-08', false],
  ['2027-02-06', false],
])('a notice on %s is in time: %s', (day, isInTime) => {
  expect(isInWindow(day, WINDOW)).toBe(isInTime)
})
