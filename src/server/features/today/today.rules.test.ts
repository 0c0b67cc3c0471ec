import { expect, test } from 'vitest'
import { deadlineUrgency, messageUrgency } from './today.rules.ts'

test.each([
  ['2026-11-30', '2026-10-31', 'calm', 'Applications close on November 30, 2026, in 30 days.'],
  ['2026-11-30', '2026-11-23', 'soon', 'Applications close on November 30, 2026, in 7 days.'],
  ['2026-11-30', '2026-11-29', 'soon', 'Applications close on November 30, 2026, tomorrow.'],
  ['2026-11-30', '2026-11-30', 'soon', 'Applications close on November 30, 2026, today.'],
])('a deadline of %s on %s is %s', (deadline, today, urgency, detail) => {
  expect(deadlineUrgency(deadline, today)).toEqual({ urgency, detail })
})

test('the oldest message determines the urgency', () => {
  const HOUR = 3_600_000
  expect(messageUrgency(null, 0)).toEqual({ urgency: 'calm', detail: null })
  expect(messageUrgency(0, HOUR).urgency).toBe('calm')
  expect(messageUrgency(0, 30 * HOUR)).toEqual({ urgency: 'soon', detail: 'The oldest is due in 18 hours.' })
  expect(messageUrgency(0, 140 * HOUR).detail).toBe('The oldest was due 3 days ago.')
  expect(messageUrgency(0, 50 * HOUR)).toEqual({ urgency: 'late', detail: 'The oldest was due 2 hours ago.' })
})
