import { expect, test } from 'vitest'
import { TERM_UNITS } from '#contract/level-terms.ts'
import { readTerm, TERM_OPTIONS } from './term-options.rules.ts'

test.each([
  ['A year, renews', { interval: 'year', intervalCount: 1 }],
  ['3 years, renews', { interval: 'year', intervalCount: 3 }],
  ['6 months, renews', { interval: 'month', intervalCount: 6 }],
  ['A month, renews', { interval: 'month', intervalCount: 1 }],
  ['For life, paid once', { interval: null, intervalCount: 1 }],
])('%s is %o', (chosen, term) => {
  const value = TERM_OPTIONS.find(([, text]) => text === chosen)?.[0] ?? ''
  expect(readTerm(value)).toEqual(term)
})

test.each(TERM_UNITS)('a %s can be chosen', (unit) => {
  expect(TERM_OPTIONS.map(([value]) => readTerm(value))).toContainEqual({ interval: unit, intervalCount: 1 })
})

test('an unknown unit is not for life', () => {
  expect(() => readTerm('decade:1')).toThrow()
})
