import { expect, test } from 'vitest'
import { TableDigest } from './table-digest.ts'

const TABLE = {
  name: 'person',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'visits', type: 'bigint' },
  ],
} as const

const ROWS = [
  { id: 'ana', visits: 1 },
  { id: 'bea', visits: null },
  { id: 'cleo', visits: 2 ** 53 - 1 },
]

function computeDigest(rows: readonly object[]): { rows: number; checksum: string } {
  const digest = new TableDigest({ ...TABLE, columns: [...TABLE.columns] })
  for (const row of rows) digest.add({ ...row })
  return { rows: digest.rows, checksum: digest.checksum }
}

test.for<[what: string, rows: readonly object[], isEqual: boolean]>([
  ['rows in another order', ROWS.toReversed(), true],
  ['fields in another order', ROWS.map(({ id, visits }) => ({ visits, id })), true],
  ['a row less', ROWS.slice(1), false],
  ['a row twice', [...ROWS, ROWS[0] ?? {}], false],
  ['one row in place of another', [ROWS[0] ?? {}, ROWS[0] ?? {}, ROWS[2] ?? {}], false],
  ['a number by one less', [ROWS[0] ?? {}, ROWS[1] ?? {}, { id: 'cleo', visits: 2 ** 53 - 2 }], false],
  ['zero for nothing', [ROWS[0] ?? {}, { id: 'bea', visits: 0 }, ROWS[2] ?? {}], false],
  ['a number as text', [{ id: 'ana', visits: '1' }, ROWS[1] ?? {}, ROWS[2] ?? {}], false],
  ['values of two rows exchanged', [{ id: 'bea', visits: 1 }, { id: 'ana', visits: null }, ROWS[2] ?? {}], false],
])('%s', ([, rows, isEqual]) => {
  expect(computeDigest(rows).checksum === computeDigest(ROWS).checksum).toBe(isEqual)
})
