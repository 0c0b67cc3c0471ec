import type { SelectQueryBuilder } from 'kysely'
import { setTimeout as wait } from 'node:timers/promises'
import { engineOf, type Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'

/** How often, and how long, a reader waits for another one that is refreshing the same rows. */
const WAITS = 20
const WAIT_MS = 10

/**
 * Refreshes rows that triggers have marked as out of date, some at a time, until none is left or others hold the rest. Each is locked before what it is made
 * from is read: a change that comes later makes it out of date again.
 */
export async function refreshRows<Table extends keyof Schema>(
  db: Db,
  {
    due,
    atOnce,
    write,
  }: {
    due(db: Db): SelectQueryBuilder<Schema, Table, { accountId: string }>
    atOnce: number
    /** Writes the rows of these accounts, in the transaction that locked them. */
    write(tx: Db, ids: string[]): Promise<unknown>
  },
): Promise<void> {
  async function refreshSome(tx: Db): Promise<number> {
    let query = due(tx).limit(atOnce)
    if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const ids = (await query.execute()).map(({ accountId }) => accountId)
    if (ids.length > 0) await write(tx, ids)
    return ids.length
  }

  for (let waits = 0; waits < WAITS;) {
    if ((await due(db).limit(1).execute()).length === 0) return
    const refreshed = await (db.isTransaction ? refreshSome(db) : db.transaction().execute(refreshSome))
    if (refreshed > 0) continue
    waits++
    await wait(WAIT_MS)
  }
}
