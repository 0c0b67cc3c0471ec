import { expect, test } from 'vitest'
import { addMonths, dollarsOf, readDollars, readSpan } from './span.rules.ts'

test.each([
  ['', '2026-11-01', '2026-11-30', 'November 2026'],
  ['month=2028-02', '2028-02-01', '2028-02-29', 'February 2028'],
  ['month=2028-13', '2026-11-01', '2026-11-30', 'November 2026'],
  ['from=2026-01-05&to=2026-03-01', '2026-01-05', '2026-03-01', '2026-01-05 to 2026-03-01'],
  ['from=2026-03-01&to=2026-01-05', '2026-11-01', '2026-11-30', 'November 2026'],
])('the address %s shows %s to %s', (address, from, to, name) => {
  expect(readSpan(new URLSearchParams(address), '2026-11')).toMatchObject({ from, to, name })
})

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
])('%s and %i months is %s', (month, by, expected) => expect(addMonths(month, by)).toBe(expected))

test.each([
  ['100', 10_000],
  ['$1,250.50', 125_050],
  ['0.5', 50],
  ['ten', null],
  ['-5', null],
])('the amount %s is %s cents', (typed, cents) => expect(readDollars(typed)).toBe(cents))

test('cents are shown without a fraction if there is none', () => {
  expect([dollarsOf(10_000), dollarsOf(10_050)]).toEqual(['100', '100.50'])
})
