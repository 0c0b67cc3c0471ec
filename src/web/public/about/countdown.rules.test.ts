import { expect, test } from 'vitest'
import { countdownText } from './countdown.rules.ts'

test.each([
  [60, 'in 60 days', 'Monday, November 30'],
  [2, 'in 2 days', 'Monday, November 30'],
  [1, 'tomorrow', 'Monday, November 30'],
  [0, 'today', 'Monday, November 30'],
])('%i days before the deadline, applications close %s, %s', (days, when, date) => {
  expect(countdownText({ day: '2026-11-30', days })).toEqual({ when, date })
})
