import type { ApprovalAct, ApprovalState } from '#contract/console-approvals.ts'
import type { Db } from '#server/db/database.ts'
import type { ApprovalTable } from '#server/db/console-schema.ts'

/** What one officer asked for and a second one approves. */
export interface ApprovalRequest {
  id: string
  act: ApprovalAct
  /** The account it is about. */
  subjectId: string
  payload: Record<string, string>
  reason: string
  /** The account of the officer who asked. */
  askedBy: string
  askedAt: number
  expiresAt: number
  state: ApprovalState
  decidedBy: string | null
  decidedAt: number | null
  note: string | null
}

/** False when the same act on the same account waits already. */
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

/** Those that wait, oldest first; of one account, or all. */
export async function listWaitingApprovals(
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

/** Those decided, withdrawn or expired since an instant, newest first. */
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

/** True for the one call that decides it. Only `expired` is said of one whose time is over. */
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

/** Once an account is ended, nothing about it waits any more, and what was asked for it is forgotten. */
export async function closeApprovalsAbout(db: Db, subjectId: string, now: number): Promise<void> {
  await db
    .updateTable('approval')
    .set({ state: 'withdrawn', open_key: null, decided_at: now })
    .where('subject_id', '=', subjectId)
    .where('state', '=', 'waiting')
    .execute()
  await db.updateTable('approval').set({ payload: '{}' }).where('subject_id', '=', subjectId).execute()
}

/** The history keeps what was decided; the addresses in a request need not stay. */
export async function forgetOldApprovals(db: Db, before: number): Promise<void> {
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
