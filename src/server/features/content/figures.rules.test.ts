import { expect, test } from 'vitest'
import { showFigures } from './figures.rules.ts'

const years = { value: '30+', label: 'years', asOf: '2025-01-01' }
const members = { value: '800', label: 'members', asOf: '2025-01-01', isFromRoll: true }

test('a figure bound to the roll has the count and the day of the last sealed one', () => {
  expect(showFigures([years, members], { people: 1_815, recordDay: '2026-11-01' })).toEqual([
    years,
    { value: '1,815', label: 'members', asOf: '2026-11-01' },
  ])
})

test('before a roll is sealed it shows what officers entered', () => {
  expect(showFigures([members], null)).toEqual([{ value: '800', label: 'members', asOf: '2025-01-01' }])
})
