import { expect, test } from 'vitest'
import { rollRows, ruleKeyOf } from './roll-list.rules.ts'

const person = (lastName: string, sortKey: string) => ({
  lastName,
  firstName: 'Ana',
  sortKey,
  level: 'Life Member',
  way: 'email' as const,
  address: '12 Azalea Way, Macon, GA 31201',
})

test('the list is by the alphabet, with votes and addresses', () => {
  const rows = rollRows([person('Rao', 'rao ana'), person('Ábel', 'abel ana')])
  expect(rows.map(([name]) => name)).toEqual(['Last name', 'Ábel', 'Rao'])
  expect(rows[1]).toEqual(['Ábel', 'Ana', 'Life Member', '1', 'Email', '12 Azalea Way, Macon, GA 31201'])
})

test('the order of levels makes no other roll; day, time after the end and lost contact do', () => {
  const rule = { levels: ['life', 'annual'], graceDays: 0, includesLost: true }
  const key = ruleKeyOf('2026-11-02', rule)
  expect(ruleKeyOf('2026-11-02', { ...rule, levels: ['annual', 'life', 'life'] })).toBe(key)
  expect(
    new Set([
      key,
      ruleKeyOf('2026-11-03', rule),
      ruleKeyOf('2026-11-02', { ...rule, graceDays: 60 }),
      ruleKeyOf('2026-11-02', { ...rule, includesLost: false }),
    ]).size,
  ).toBe(4)
})
