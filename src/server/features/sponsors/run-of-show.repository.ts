import type { Db } from '#server/db/database.ts'

/** An item as stored: a sponsor's title and minutes come from the sponsorship. */
export type StoredRunItem = { sponsorshipId: string } | { sponsorshipId: null; title: string; minutes: number }

export interface StoredRun {
  day: string
  startsAt: string
  items: StoredRunItem[]
  version: number
}

export async function findRun(db: Db, day: string): Promise<StoredRun | null> {
  const row = await db.selectFrom('run_of_show').selectAll().where('day', '=', day).executeTakeFirst()
  return row ? toRun(row) : null
}

/** Newest day first. */
export async function listRuns(db: Db): Promise<StoredRun[]> {
  const rows = await db.selectFrom('run_of_show').selectAll().orderBy('day', 'desc').execute()
  return rows.map(toRun)
}

/** `version` is the version that was edited, 0 for a new run of show. Returns false if it has changed since. */
export async function saveRun(db: Db, { day, startsAt, items, version }: StoredRun, now: number): Promise<boolean> {
  const values = { starts_at: startsAt, items: JSON.stringify(items), version: version + 1, updated_at: now }
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('run_of_show')
      .values({ day, ...values })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('run_of_show')
    .set(values)
    .where('day', '=', day)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if it has changed since `version`. */
export async function removeRun(db: Db, day: string, version: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('run_of_show')
    .where('day', '=', day)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

function toRun(row: { day: string; starts_at: string; items: string; version: number }): StoredRun {
  const { day, starts_at, items, version } = row
  return { day, startsAt: starts_at, items: JSON.parse(items) as StoredRunItem[], version }
}
