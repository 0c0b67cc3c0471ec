import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { RunOfShowTable } from '#server/db/schema/inbox-schema.ts'

/** An item as stored: a sponsor's title and minutes come from the sponsorship. */
export type StoredRunItem = { sponsorshipId: string } | { sponsorshipId: null; title: string; minutes: number }

export type StoredRun = ReadJson<Omit<RunOfShowTable, 'updatedAt'>, 'items'>

export async function findRun(db: Db, day: string): Promise<StoredRun | null> {
  const row = await db.selectFrom('runOfShow').selectAll().where('day', '=', day).executeTakeFirst()
  return row ? readJson(row, 'items') : null
}

/** Newest day first. */
export async function listRuns(db: Db): Promise<StoredRun[]> {
  const rows = await db.selectFrom('runOfShow').selectAll().orderBy('day', 'desc').execute()
  return rows.map((row) => readJson(row, 'items'))
}

/** `version` is the version that was edited, 0 for a new run of show. Returns false if it has changed since. */
export async function saveRun(db: Db, { day, startsAt, items, version }: StoredRun, now: number): Promise<boolean> {
  const values = { startsAt, items: JSON.stringify(items), version: version + 1, updatedAt: now }
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('runOfShow')
      .values({ day, ...values })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('runOfShow')
    .set(values)
    .where('day', '=', day)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if it has changed since `version`. */
export async function removeRun(db: Db, day: string, version: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('runOfShow')
    .where('day', '=', day)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
