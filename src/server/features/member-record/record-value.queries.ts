import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db } from '#server/db/database.ts'
import type { RecordValueTable } from '#server/db/schema/account-schema.ts'

/** A member's value of a field. */
export type RecordEntry = ReadJson<RecordValueTable, 'value'>

/** All values of an account, also of retired fields, in a fixed order. */
export async function listEntries(db: Db, accountId: string): Promise<RecordEntry[]> {
  const rows = await db
    .selectFrom('recordValue')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('fieldKey')
    .execute()
  return rows.map((row) => readJson(row, 'value'))
}

/** The values of some accounts, by account. */
export async function listEntriesOf(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RecordEntry[]>> {
  const rows = await queryInChunks(accountIds, (some) =>
    db.selectFrom('recordValue').selectAll().where('accountId', 'in', some).execute(),
  )
  return Map.groupBy(
    rows.map((row) => readJson(row, 'value')),
    ({ accountId }) => accountId,
  )
}

/** The values that a merge moves: those of fields for which the account that stays has none. */
export async function listMovingIds(db: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('recordValue')
    .select('id')
    .where('accountId', '=', from)
    .where('fieldKey', 'not in', (eb) => eb.selectFrom('recordValue').select('fieldKey').where('accountId', '=', to))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
