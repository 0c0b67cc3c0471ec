import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { readJson, type ReadJson } from '#server/db/schema/column-values.ts'
import type { BulkItemTable, BulkRunTable } from '#server/db/schema/console-schema.ts'

export type BulkRunRecord = ReadJson<Selectable<BulkRunTable>, 'details'>
export type BulkItem = Omit<Selectable<BulkItemTable>, 'runId'>

export async function insertRun(
  db: Db,
  run: Pick<BulkRunRecord, 'id' | 'action' | 'details' | 'officerId'>,
  items: readonly BulkItem[],
  now: number,
): Promise<void> {
  const details = JSON.stringify(run.details)
  await db
    .insertInto('bulkRun')
    .values({ ...run, details, state: 'running', createdAt: now, finishedAt: null })
    .execute()
  await queryInChunks(
    items,
    async (some) => {
      await db
        .insertInto('bulkItem')
        .values(some.map((item) => ({ ...item, runId: run.id })))
        .execute()
      return []
    },
    200,
  )
}

export async function findRun(db: Db, id: string): Promise<BulkRunRecord | null> {
  const row = await db.selectFrom('bulkRun').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'details') : null
}

/** Locks a run in this state until the transaction ends; null if it is in another one. */
export async function lockRun(tx: Tx, id: string, state: BulkRunRecord['state']): Promise<BulkRunRecord | null> {
  const row = await tx
    .updateTable('bulkRun')
    .set({ state })
    .where('id', '=', id)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
  return row ? readJson(row, 'details') : null
}

export async function setRunState(
  db: Db,
  id: string,
  set: { state: BulkRunRecord['state']; finishedAt?: number },
): Promise<void> {
  await db.updateTable('bulkRun').set(set).where('id', '=', id).execute()
}

export async function countItems(db: Db, runId: string): Promise<Record<BulkItem['state'], number>> {
  const rows = await db
    .selectFrom('bulkItem')
    .select(['state', sql<number | string>`count(*)`.as('count')])
    .where('runId', '=', runId)
    .groupBy('state')
    .execute()
  const counts = { waiting: 0, done: 0, skipped: 0, undone: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}

/** Skipped members with their names, by name. */
export async function listSkipped(db: Db, runId: string): Promise<{ name: string; reason: string }[]> {
  const rows = await db
    .selectFrom('bulkItem')
    .innerJoin('account', 'account.id', 'bulkItem.accountId')
    .select(['reason', sql<string>`account.first_name || ' ' || account.last_name`.as('name')])
    .where('runId', '=', runId)
    .where('bulkItem.state', '=', 'skipped')
    .orderBy('account.lastName')
    .orderBy('account.id')
    .execute()
  return rows.map(({ name, reason }) => ({ name, reason: reason ?? '' }))
}

export async function listItems(
  db: Db,
  { runId, state, limit }: { runId: string; state: BulkItem['state']; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('bulkItem')
    .select('accountId')
    .where('runId', '=', runId)
    .where('state', '=', state)
    .orderBy('accountId')
    .limit(limit)
    .execute()
  return rows.map(({ accountId }) => accountId)
}

export async function setItemState(
  db: Db,
  runId: string,
  accountIds: readonly string[],
  set: Pick<BulkItem, 'state' | 'reason'>,
): Promise<void> {
  if (accountIds.length === 0) return
  await db.updateTable('bulkItem').set(set).where('runId', '=', runId).where('accountId', 'in', accountIds).execute()
}

export async function deleteOldBulkRuns(db: Db, before: number): Promise<void> {
  await db.deleteFrom('bulkRun').where('createdAt', '<', before).where('state', '!=', 'running').execute()
}
