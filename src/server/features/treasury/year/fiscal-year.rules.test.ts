import { expect, test } from 'vitest'
import { yearBefore, yearOfDay, yearSpan } from './fiscal-year.rules.ts'

test.each([
  [2026, 'calendar', 7, '2026-01-01', '2026-12-31', '2026'],
  [2026, 'fiscal', 1, '2026-01-01', '2026-12-31', '2026'],
  [2026, 'fiscal', 7, '2026-07-01', '2027-06-30', '2026-27'],
  [2027, 'fiscal', 3, '2027-03-01', '2028-02-29', '2027-28'],
  [2099, 'fiscal', 12, '2099-12-01', '2100-11-30', '2099-00'],
] as const)(
  'the year %i (%s, from month %i) runs from %s to %s and is called %s',
  (year, basis, beginsIn, from, to, label) => {
    const span = yearSpan(year, basis, beginsIn)
    expect(span).toMatchObject({ from, to, label })
    expect(span.months).toHaveLength(12)
    expect(yearOfDay(from, basis, beginsIn)).toBe(year)
    expect(yearOfDay(to, basis, beginsIn)).toBe(year)
  },
)

test.each([
  ['2026-11-26', '2025-11-26'],
  ['2028-02-29', '2027-02-28'],
])('a year before %s is %s', (day, before) => expect(yearBefore(day)).toBe(before))
