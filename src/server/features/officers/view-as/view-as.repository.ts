import type { MemberViewingTable } from '#server/db/console-schema.ts'
import type { Db } from '#server/db/database.ts'

/** An officer sees the site as a member does. */
export interface Viewing {
  id: string
  officerId: string
  sessionId: string
  accountId: string
  reason: string
  startedAt: number
  /** At the latest. */
  endsAt: number
  endedAt: number | null
}

export async function insertViewing(db: Db, viewing: Omit<Viewing, 'endedAt'>): Promise<void> {
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

export async function findViewing(db: Db, id: string): Promise<Viewing | null> {
  const row = await db.selectFrom('member_viewing').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toViewing(row) : null
}

/** Those nobody has ended yet; of one officer, or of all. */
export async function listOpenViewings(db: Db, officerId?: string): Promise<Viewing[]> {
  let query = db.selectFrom('member_viewing').selectAll().where('ended_at', 'is', null)
  if (officerId !== undefined) query = query.where('officer_id', '=', officerId)
  return (await query.execute()).map(toViewing)
}

/** False when it had ended before. */
export async function markEnded(db: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('member_viewing')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function toViewing(row: MemberViewingTable): Viewing {
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
