import type { ApprovalAct, ApprovalState } from '#contract/console/approvals.ts'
import type { Db } from '#server/db/database.ts'
import type { ApprovalTable } from '#server/db/schema/console-schema.ts'

/** A request by one officer that a second officer must approve. */
export interface ApprovalRequest {
  id: string
  act: ApprovalAct
  /** Id of the account the request is about. */
  subjectId: string
  payload: Record<string, string>
  reason: string
  /** Account id of the officer who made the request. */
  askedBy: string
  askedAt: number
  expiresAt: number
  state: ApprovalState
  decidedBy: string | null
  decidedAt: number | null
  note: string | null
}

/** Returns false if a request for the same act on the same account is pending. */
export async function insertApproval(
  db: Db,
  request: Omit<ApprovalRequest, 'state' | 'decidedBy' | 'decidedAt' | 'note'>,
): Promise<boolean> {
  const row = await db
    .insertInto('approval')
    .values({
      id: request.id,
      act: request.act,
      subject_id: request.subjectId,
      payload: JSON.stringify(request.payload),
      reason: request.reason,
      asked_by: request.askedBy,
      asked_at: request.askedAt,
      expires_at: request.expiresAt,
      state: 'waiting',
      open_key: `${request.act}:${request.subjectId}`,
      decided_by: null,
      decided_at: null,
      note: null,
    })
    .onConflict((conflict) => conflict.column('open_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findApproval(db: Db, id: string): Promise<ApprovalRequest | null> {
  const row = await db.selectFrom('approval').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRequest(row) : null
}

/** Returns pending requests, oldest first; of one account, or all. */
export async function listPendingApprovals(
  db: Db,
  { now, subjectId }: { now: number; subjectId?: string },
): Promise<ApprovalRequest[]> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', subjectId ?? ''))
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  return rows.map(toRequest)
}

/** Returns the requests decided, withdrawn or expired since a time, newest first. */
export async function listDecidedApprovals(
  db: Db,
  { since, limit }: { since: number; limit: number },
): Promise<ApprovalRequest[]> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('state', '!=', 'waiting')
    .where('decided_at', '>=', since)
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRequest)
}

export async function listExpiredApprovals(db: Db, now: number): Promise<ApprovalRequest[]> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .execute()
  return rows.map(toRequest)
}

/** Returns true only for the call that decides the request. After its expiry, only `expired` is accepted. */
export async function decideApproval(
  db: Db,
  id: string,
  decision: { state: Exclude<ApprovalState, 'waiting'>; decidedBy: string | null; note: string | null; now: number },
): Promise<boolean> {
  const { state, decidedBy, note, now } = decision
  const { numUpdatedRows } = await db
    .updateTable('approval')
    .set({ state, open_key: null, decided_by: decidedBy, decided_at: now, note })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', state === 'expired' ? '<=' : '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes old decided requests: the audit log keeps the decision, and addresses in payloads are not kept. */
export async function deleteOldApprovals(db: Db, before: number): Promise<void> {
  await db.deleteFrom('approval').where('decided_at', '<', before).execute()
}

function toRequest(row: ApprovalTable): ApprovalRequest {
  return {
    id: row.id,
    act: row.act as ApprovalAct,
    subjectId: row.subject_id,
    payload: JSON.parse(row.payload) as Record<string, string>,
    reason: row.reason,
    askedBy: row.asked_by,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    note: row.note,
  }
}
