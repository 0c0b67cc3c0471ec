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
    .insertInto('member_viewing')
    .values({
      id: viewing.id,
      officer_id: viewing.officerId,
      session_id: viewing.sessionId,
      account_id: viewing.accountId,
      reason: viewing.reason,
      started_at: viewing.startedAt,
      ends_at: viewing.endsAt,
      ended_at: null,
    })
    .execute()
}

export async function findView(db: Db, id: string): Promise<ViewRecord | null> {
  const row = await db.selectFrom('member_viewing').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toViewing(row) : null
}

/** Returns the views that have not ended; of one officer, or all. */
export async function listOpenViews(db: Db, officerId?: string): Promise<ViewRecord[]> {
  let query = db.selectFrom('member_viewing').selectAll().where('ended_at', 'is', null)
  if (officerId !== undefined) query = query.where('officer_id', '=', officerId)
  return (await query.execute()).map(toViewing)
}

/** Returns false if it had already ended. */
export async function markViewEnded(db: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('member_viewing')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function toViewing(row: MemberViewingTable): ViewRecord {
  return {
    id: row.id,
    officerId: row.officer_id,
    sessionId: row.session_id,
    accountId: row.account_id,
    reason: row.reason,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    endedAt: row.ended_at,
  }
}
