import { describe, expect, test } from 'vitest'
import { countdownTo, nextDeadline } from './deadline.rules.ts'

describe('the next deadline', () => {
  test.each([
    ['11-30', '2026-11-21', '2026-11-30'],
    ['11-30', '2026-11-30', '2026-11-30'],
    ['11-30', '2026-12-01', '2027-11-30'],
    ['01-02', '2026-12-31', '2027-01-02'],
    ['02-29', '2028-02-01', '2028-02-29'],
    ['02-29', '2027-02-01', '2027-03-01'],
  ])('%s after %s is %s', (deadline, today, next) => {
    expect(nextDeadline(deadline, today)).toBe(next)
  })
})

describe('the countdown to a deadline', () => {
  test.each([
    ['11-30', '2026-09-30', null],
    ['11-30', '2026-10-01', { day: '2026-11-30', days: 60 }],
    ['11-30', '2026-11-01', { day: '2026-11-30', days: 29 }],
    ['11-30', '2026-11-22', { day: '2026-11-30', days: 8 }],
    ['11-30', '2026-11-29', { day: '2026-11-30', days: 1 }],
    ['11-30', '2026-11-30', { day: '2026-11-30', days: 0 }],
    ['11-30', '2026-12-01', null],
    ['01-15', '2026-11-30', null],
    ['01-15', '2026-12-01', { day: '2027-01-15', days: 45 }],
    ['01-15', '2027-01-15', { day: '2027-01-15', days: 0 }],
    ['03-31', '2026-02-01', { day: '2026-03-31', days: 58 }],
  ])('%s on %s is %j', (deadline, today, expected) => {
    expect(countdownTo(deadline, today)).toEqual(expected)
  })
})
