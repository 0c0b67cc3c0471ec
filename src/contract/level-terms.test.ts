import { expect, test } from 'vitest'
import { addTerms, isChargedAutomatically, TERM_UNITS, termMonths } from './level-terms.ts'

test.each([
  ['2025-01-31', { interval: 'month', intervalCount: 1 }, '2025-02-28'],
  ['2024-02-29', { interval: 'year', intervalCount: 1 }, '2025-02-28'],
  ['2025-11-15', { interval: 'month', intervalCount: 3 }, '2026-02-15'],
  ['2025-06-01', { interval: 'year', intervalCount: null }, '2026-06-01'],
  ['2025-06-01', { interval: null, intervalCount: null }, null],
] as const)('a term from %s of %o ends %s', (from, term, end) => {
  expect(addTerms(Date.parse(from), term)).toBe(end === null ? null : Date.parse(end))
})

test.each([
  ['a paid level with a term', { isRecurring: true, unitAmount: 10_000 }, true],
  ['a free level with a term', { isRecurring: true, unitAmount: 0 }, false],
  ['a level for life', { isRecurring: false, unitAmount: 100_000 }, false],
] as const)('%s is charged automatically: %o, %s', (_name, level, expected) => {
  expect(isChargedAutomatically(level)).toBe(expected)
})

test.each(TERM_UNITS)('a %s can be added and taken away again', (interval) => {
  const term = { interval, intervalCount: 2 }
  const start = Date.parse('2025-03-05')
  expect(addTerms(addTerms(start, term) ?? 0, term, -1)).toBe(start)
  expect(termMonths(term)).toBeGreaterThan(0)
})
