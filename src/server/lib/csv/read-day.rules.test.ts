import { expect, test } from 'vitest'
import { dayForms, writesDayFirst } from '#contract/dates/day-order.ts'
import { readDay, readsDayFirst } from './read-day.rules.ts'

test.each<[string, boolean, string]>([
  ['3/2/2026', false, '2026-03-02'],
  ['3/2/2026', true, '2026-02-03'],
  ['3.2.2026', true, '2026-02-03'],
  ['03-02-2026 14:05', true, '2026-02-03'],
  ['3/2.2026', true, '3/2.2026'],
  ['31/6/2026', true, '31/6/2026'],
  ['2026-03-02', true, '2026-03-02'],
  ['2 Mar 2026', false, '2026-03-02'],
])('%s, with the day first: %s, is %s', (text, isDayFirst, day) => {
  expect(readDay(text, isDayFirst)).toBe(day)
})

test.each<[string, string[], boolean, boolean]>([
  ['a day after the twelfth in front', ['3/2/2026', '13/2/2026'], false, true],
  ['a day after the twelfth behind', ['3/2/2026', '2/13/2026 8:00 AM'], true, false],
  ['both', ['13/2/2026', '2/13/2026'], true, true],
  ['no such day', ['3/2/2026', '', '2026-02-13', '13/13/2026', 'soon'], true, true],
  ['no day at all', [], false, false],
])('a file with %s', (_name, texts, usual, expected) => {
  expect(readsDayFirst(texts, usual)).toBe(expected)
})

test.each([
  ['US', false],
  ['PR', false],
  ['CA', false],
  ['GB', true],
  ['IN', true],
  ['DE', true],
])('in %s the day is first: %s', (country, expected) => {
  expect(writesDayFirst(country)).toBe(expected)
})

test('hints have the order of the file', () => {
  expect([dayForms(false), dayForms(true)]).toEqual([
    '2026-03-02, or as 3/2/2026 with the month first',
    '2026-03-02, or as 2/3/2026 with the day first',
  ])
})
