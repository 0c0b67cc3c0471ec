import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTestDatabase } from '#tests/support/use-test-database.ts'
import { listTables } from './schema/tables.ts'

const db = useTestDatabase()
const HEADING = 'Tables and retention'

/** The rows of the table in `docs/running.md`: name, what it grows with, and retention. */
function documented(): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/running.md'), 'utf8')
  const section = text.split(`### ${HEADING}`)[1]?.split(/^##/m)[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

test('docs/running.md documents for every table what it grows with and how long its rows are kept', async () => {
  const tables = (await listTables(db())).map(({ name }) => name)
  const named = documented().map(([name = '']) => name)
  const missing = tables.filter((name) => !named.includes(name))
  const unknown = named.filter((name) => !tables.includes(name))
  expect(
    missing,
    `Add a row to "${HEADING}" in docs/running.md for: ${missing.join(', ')}. Document what the table grows with and how long its rows are kept, and have housekeeping delete rows that need not be kept.`,
  ).toEqual([])
  expect(unknown, `docs/running.md names tables that are gone: ${unknown.join(', ')}.`).toEqual([])
})

test('each row documents both, and each table is listed once, in order', () => {
  const rows = documented()
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell === ''))).toEqual([])
  const names = rows.map(([name = '']) => name)
  expect(names).toEqual([...new Set(names)].sort())
})
