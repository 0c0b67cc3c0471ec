import { sql } from 'kysely'
import type { Database, Tx } from '#server/db/database.ts'
import { listDataTables, type Table } from '#server/db/schema/tables.ts'

/**
 * Rows in every table, for any release: row n has the same text in every text column, so that references match, and the largest numbers that both
 * engines store.
 */
export async function fillEveryTable({ db }: Database, count = 2): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of await listDataTables(tx)) {
      if (table.name === 'migration') continue
      for (let row = 1; row <= count; row++) await insert(tx, table, row)
    }
  })
}

function insert(tx: Tx, { name, columns }: Table, row: number): Promise<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const values = sql.join(columns.map(({ type }) => valueOf(type, row)))
  return sql`insert into ${sql.table(name)} (${names}) values (${values})`.execute(tx)
}

function valueOf(type: Table['columns'][number]['type'], row: number): string | number {
  if (type === 'bigint') return Number.MAX_SAFE_INTEGER - row
  if (type === 'integer') return 2_147_483_647 - row
  return `row ${row} “Śrī” 🪔\n\t"quoted" \\ 'twice' \u2028 </x>`
}
