import { expect, test } from 'vitest'
import { isFutureDay, noonUtc, paidAtOn } from './term-days.rules.ts'

test.each([
  { now: '2026-11-26T08:00:00Z', day: '2026-11-25', paidAt: '2026-11-25T12:00:00Z' },
  { now: '2026-11-26T18:00:00Z', day: '2026-11-26', paidAt: '2026-11-26T12:00:00Z' },
  { now: '2026-11-26T08:00:00Z', day: '2026-11-26', paidAt: '2026-11-26T08:00:00Z' },
  { now: '2026-11-26T03:00:00Z', day: '2026-11-27', paidAt: '2026-11-26T03:00:00Z' },
])('a payment received on $day and recorded at $now counts from $paidAt', ({ now, day, paidAt }) => {
  expect(new Date(paidAtOn(day, Date.parse(now))).toISOString()).toBe(new Date(paidAt).toISOString())
})

test('a day of a term is noon in UTC', () => {
  expect(noonUtc('2026-11-26')).toBe(Date.parse('2026-11-26T12:00:00Z'))
})

test('tomorrow is not a future day, and any later one is', () => {
  const now = Date.parse('2026-11-26T18:00:00Z')
  expect(isFutureDay('2026-11-27', now)).toBe(false)
  expect(isFutureDay('2026-11-28', now)).toBe(true)
})
