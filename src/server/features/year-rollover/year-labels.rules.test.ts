import { expect, test } from 'vitest'
import { excerpts, updateYear, collectTexts, withText } from './year-labels.rules.ts'

test.each([
  ['2025-2026 Executive Committee', '2026-2027 Executive Committee'],
  ['Committee 2025-26, and 2025–26', 'Committee 2026-27, and 2026–27'],
  ['Year 2025/26 (2025 – 2026)', 'Year 2026/27 (2026 – 2027)'],
  ['Founded in 2025', 'Founded in 2025'],
  ['2024-25 and 2026-27 stay', '2024-25 and 2026-27 stay'],
  ['Call 555-2025-26', 'Call 555-2025-26'],
  ['On 2025-26-01', 'On 2025-26-01'],
  ['12025-26 and 2025-267', '12025-26 and 2025-267'],
  ['', ''],
])('%s becomes %s', (before, after) => {
  expect(updateYear(before, '2025-26', '2026-27')).toBe(after)
})

test('the turn of a century keeps the long form', () => {
  expect(updateYear('1998-99, 1998-1999', '1998-99', '1999-00')).toBe('1999-00, 1999-2000')
})

const simple = { hint: null, isRequired: true, isFixed: false, options: [] }
const fields = [
  { ...simple, name: 'title', label: 'Title', control: 'line' as const },
  { ...simple, name: 'version', label: 'Version', control: 'line' as const },
  { ...simple, name: 'picture', label: 'Picture', control: 'picture' as const },
  { ...simple, name: 'address.city', label: 'City', control: 'line' as const },
  {
    ...simple,
    name: 'tiers',
    label: 'Tiers',
    control: 'group' as const,
    fields: [{ ...simple, name: 'benefits', label: 'Benefits', control: 'lines' as const }],
  },
]
const value = {
  title: 'A',
  version: '2025-26',
  picture: 'b',
  address: { city: 'Macon' },
  tiers: [{ benefits: ['c', 'd'] }],
}

test('finds every text that visitors read, and changes only the one at the path', () => {
  expect(collectTexts(fields, value)).toEqual([
    { path: 'title', label: 'Title', text: 'A' },
    { path: 'address.city', label: 'City', text: 'Macon' },
    { path: 'tiers.0.benefits.0', label: 'Benefits', text: 'c' },
    { path: 'tiers.0.benefits.1', label: 'Benefits', text: 'd' },
  ])
  expect(withText(value, 'tiers.0.benefits.1', 'x')).toEqual({ ...value, tiers: [{ benefits: ['c', 'x'] }] })
  expect(withText(value, 'address.city', 'Rome')).toEqual({ ...value, address: { city: 'Rome' } })
})

test('shows the part of a long text around the label', () => {
  const around = 'word '.repeat(40)
  const shown = excerpts(`${around}in 2025-26 ${around}`, `${around}in 2026-27 ${around}`)
  expect(shown.before).toMatch(/^… word .*in 2025-26 word .* …$/)
  expect(shown.after.length).toBeLessThan(120)
  expect(excerpts('2025-26', '2026-27')).toEqual({ before: '2025-26', after: '2026-27' })
})
