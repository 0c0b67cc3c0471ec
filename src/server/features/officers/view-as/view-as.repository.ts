import type { Selectable } from 'kysely'
import type { MemberViewingTable } from '#server/db/schema/console-schema.ts'
import type { Db } from '#server/db/database.ts'

/** An officer's view of the site as a member. */
export type ViewRecord = Selectable<MemberViewingTable>

export async function insertView(db: Db, viewing: Omit<ViewRecord, 'endedAt'>): Promise<void> {
  await db
    .insertInto('memberViewing')
    .values({ ...viewing, endedAt: null })
    .execute()
}

export async function findView(db: Db, id: string): Promise<ViewRecord | null> {
  const row = await db.selectFrom('memberViewing').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Returns the views that have not ended; of one officer, or all. */
export async function listOpenViews(db: Db, officerId?: string): Promise<ViewRecord[]> {
  let query = db.selectFrom('memberViewing').selectAll().where('endedAt', 'is', null)
  if (officerId !== undefined) query = query.where('officerId', '=', officerId)
  return query.execute()
}

/** Returns false if it had already ended. */
export async function markViewEnded(db: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('memberViewing')
    .set({ endedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
