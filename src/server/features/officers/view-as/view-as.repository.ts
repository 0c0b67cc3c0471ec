import type { MemberViewingTable } from '#server/db/schema/console-schema.ts'
import type { Db } from '#server/db/database.ts'

/** An officer's view of the site as a member. */
export interface ViewRecord {
  id: string
  officerId: string
  sessionId: string
  accountId: string
  reason: string
  startedAt: number
  /** The latest end of the view. */
  endsAt: number
  endedAt: number | null
}

export async function insertView(db: Db, viewing: Omit<ViewRecord, 'endedAt'>): Promise<void> {
  await db
    .insertInto('memberViewing')
    .values({
      id: viewing.id,
      officerId: viewing.officerId,
      sessionId: viewing.sessionId,
      accountId: viewing.accountId,
      reason: viewing.reason,
      startedAt: viewing.startedAt,
      endsAt: viewing.endsAt,
      endedAt: null,
    })
    .execute()
}

export async function findView(db: Db, id: string): Promise<ViewRecord | null> {
  const row = await db.selectFrom('memberViewing').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toViewing(row) : null
}

/** Returns the views that have not ended; of one officer, or all. */
export async function listOpenViews(db: Db, officerId?: string): Promise<ViewRecord[]> {
  let query = db.selectFrom('memberViewing').selectAll().where('endedAt', 'is', null)
  if (officerId !== undefined) query = query.where('officerId', '=', officerId)
  return (await query.execute()).map(toViewing)
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

function toViewing(row: MemberViewingTable): ViewRecord {
  return {
    id: row.id,
    officerId: row.officerId,
    sessionId: row.sessionId,
    accountId: row.accountId,
    reason: row.reason,
    startedAt: row.startedAt,
    endsAt: row.endsAt,
    endedAt: row.endedAt,
  }
}
