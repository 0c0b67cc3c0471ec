import type { ApprovalState } from '#contract/console/approvals.ts'
import type { Db } from '#server/db/database.ts'
import { type ReadJson, readJson, writeJson } from '#server/db/schema/column-values.ts'
import type { ApprovalTable } from '#server/db/schema/console-schema.ts'

/** A request by one officer that a second officer must approve. */
export type ApprovalRequest = ReadJson<Omit<ApprovalTable, 'openKey'>, 'payload'>

/** Returns false if a request for the same act on the same account is pending. */
export async function insertApproval(
  db: Db,
  request: Omit<ApprovalRequest, 'state' | 'decidedBy' | 'decidedAt' | 'note'>,
): Promise<boolean> {
  const row = await db
    .insertInto('approval')
    .values({
      ...writeJson(request, 'payload'),
      state: 'waiting',
      openKey: `${request.act}:${request.subjectId}`,
      decidedBy: null,
      decidedAt: null,
      note: null,
    })
    .onConflict((conflict) => conflict.column('openKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findApproval(db: Db, id: string): Promise<ApprovalRequest | null> {
  const row = await db.selectFrom('approval').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'payload') : null
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
    .where('expiresAt', '>', now)
    .$if(subjectId !== undefined, (query) => query.where('subjectId', '=', subjectId ?? ''))
    .orderBy('askedAt')
    .orderBy('id')
    .execute()
  return rows.map((row) => readJson(row, 'payload'))
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
    .where('decidedAt', '>=', since)
    .orderBy('decidedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => readJson(row, 'payload'))
}

export async function listExpiredApprovals(db: Db, now: number): Promise<ApprovalRequest[]> {
  const rows = await db
    .selectFrom('approval')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('expiresAt', '<=', now)
    .execute()
  return rows.map((row) => readJson(row, 'payload'))
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
    .set({ state, openKey: null, decidedBy, decidedAt: now, note })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expiresAt', state === 'expired' ? '<=' : '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes old decided requests: the audit log keeps the decision, and addresses in payloads are not kept. */
export async function deleteOldApprovals(db: Db, before: number): Promise<void> {
  await db.deleteFrom('approval').where('decidedAt', '<', before).execute()
}
