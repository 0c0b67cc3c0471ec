import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'

/** How often, and how long, a reader waits for another one that is refreshing the same rows. */
const WAITS = 20
const WAIT_MS = 10

/**
 * Refreshes rows that triggers have marked as out of date, some at a time, until none is left or others hold the rest.
 * @param refreshSome in one transaction: locks rows that no one else has locked, then works them out; returns how many
 */
export async function refreshRows(
  db: Db,
  { isAnyDue, refreshSome }: { isAnyDue: (db: Db) => Promise<boolean>; refreshSome: (db: Db) => Promise<number> },
): Promise<void> {
  for (let waits = 0; waits < WAITS;) {
    if (!(await isAnyDue(db))) return
    const refreshed = await (db.isTransaction ? refreshSome(db) : db.transaction().execute(refreshSome))
    if (refreshed > 0) continue
    waits++
    await wait(WAIT_MS)
  }
}
