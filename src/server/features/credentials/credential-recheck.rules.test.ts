import { describe, expect, test } from 'vitest'
import { lastAnniversary } from '#server/db/migrations/0018-views-and-rechecks.ts'
import {
  recheckCutoff,
  shouldAskAfterTraining,
  validateTrainingEnd,
  recheckReason,
} from './credential-recheck.rules.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const dayAt = (instant: number | null) => instant && new Date(instant).toISOString().slice(0, 10)

test.each([
  ['2026-11-21', 12, '2025-11-21'],
  ['2026-11-21', 6, '2026-05-21'],
  ['2028-02-29', 12, '2027-02-28'],
  ['2026-11-21', 0, null],
])('on %s with %i months, credentials reviewed on %s or before are due', (now, months, expected) => {
  expect(dayAt(recheckCutoff(at(now), months))).toBe(expected)
})

test.each([
  [null, '2025-11-21', 'time'],
  [null, '2025-11-22', null],
  ['2026-11-20', '2026-11-01', 'training'],
  ['2026-11-20', '2020-01-01', 'training'],
  ['2026-11-21', '2026-11-01', null],
  ['2027-06-30', '2025-11-01', 'time'],
])('training until %s, reviewed %s: due because of %s', (endsOn, looked, why) => {
  const moment = { today: '2026-11-21', before: at('2025-11-21') }
  expect(recheckReason({ endsOn, countedFrom: at(looked) }, moment)).toBe(why)
})

test('with rechecks off, only training that has ended is due', () => {
  const moment = { today: '2026-11-21', before: null }
  expect(recheckReason({ endsOn: null, countedFrom: 0 }, moment)).toBe(null)
  expect(recheckReason({ endsOn: '2026-06-30', countedFrom: 0 }, moment)).toBe('training')
})

test.each([
  ['2026-11-20', 'past'],
  ['2026-11-21', null],
  ['2031-06-30', null],
  ['2037-01-01', 'far'],
])('training that ends on %s, submitted on 2026-11-21: %s', (endsOn, fault) => {
  expect(validateTrainingEnd(endsOn, '2026-11-21')).toBe(fault)
})

test.each([
  [null, null, false],
  ['2026-11-21', null, false],
  ['2026-11-20', null, true],
  ['2026-11-20', '2026-11-20', true],
  ['2026-11-20', '2026-11-21', false],
])('training until %s, asked on %s: ask again on 2026-11-21: %s', (endsOn, askedOn, expected) => {
  expect(shouldAskAfterTraining({ endsOn, askedOn }, '2026-11-21')).toBe(expected)
})

describe('approvals from before rechecks existed', () => {
  test.each([
    ['2026-03-01', '2026-03-01'],
    ['2025-11-22', '2025-11-22'],
    ['2025-11-21', '2026-11-21'],
    ['2019-07-04', '2026-07-04'],
  ])('approved on %s, counts from %s', (decided, expected) => {
    expect(dayAt(lastAnniversary(at(decided), at('2026-11-21')))).toBe(expected)
  })

  test('800 old approvals are spread over the next year', () => {
    const now = at('2026-11-21')
    const due = Array.from({ length: 800 }, (_, n) => lastAnniversary(now - (n + 1) * 3.3 * 86_400_000, now))
    const inMonth = (month: number) =>
      due.filter((from) => {
        const at12 = new Date(from).setUTCFullYear(new Date(from).getUTCFullYear() + 1)
        return at12 > now + month * 30.4 * 86_400_000 && at12 <= now + (month + 1) * 30.4 * 86_400_000
      }).length
    for (let month = 0; month < 12; month++) expect(inMonth(month)).toBeLessThan(110)
    expect(due.every((from) => from <= now && from > now - 366 * 86_400_000)).toBe(true)
  })
})
