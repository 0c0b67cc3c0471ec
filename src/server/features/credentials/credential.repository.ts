import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { type Credential, toCredential } from './credential.queries.ts'

/** Submitted credentials: a license, or a training program with its end date. */
export type SubmittedCredential = Pick<Credential, 'kind' | 'npi' | 'licenceState' | 'place' | 'endsOn'>

export async function insertCredential(
  db: Db,
  accountId: string,
  { kind, npi, licenceState, place, endsOn }: SubmittedCredential,
  now: number,
): Promise<void> {
  await db
    .insertInto('credential')
    .values({
      id: newId(now),
      account_id: accountId,
      kind,
      npi,
      licence_state: licenceState,
      place,
      ends_on: endsOn,
      given_at: now,
      status: 'waiting',
      decided_at: null,
      decided_by: null,
      evidence: null,
      evidence_kind: null,
      counted_from: null,
      question: null,
      asked_at: null,
      answered_at: null,
    })
    .execute()
}

export async function findCredentialById(db: Db, id: string): Promise<Credential | null> {
  const row = await db.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toCredential(row) : null
}

/** Credentials awaiting review, oldest first. */
export async function listWaitingCredentials(db: Db): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credential')
    .selectAll()
    .where('status', '=', 'waiting')
    .orderBy('given_at')
    .orderBy('id')
    .execute()
  return rows.map(toCredential)
}

/** The latest reason for declining, by account; accounts that were never declined are missing. */
export async function findLastDeclineReasons(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryInChunks([...new Set(accountIds)], (some) =>
    db
      .selectFrom('credential')
      .select(['account_id', 'evidence'])
      .where('status', '=', 'declined')
      .where('account_id', 'in', some)
      .orderBy('given_at')
      .orderBy('id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.account_id, row.evidence ?? '']))
}

/** Deletes credentials awaiting review that newer ones replace. */
export async function deletePendingCredential(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('credential').where('account_id', '=', accountId).where('status', '=', 'waiting').execute()
}

/** False when they were already decided. */
export async function decideCredential(
  db: Db,
  id: string,
  decision: {
    status: 'approved' | 'declined'
    decidedBy: string
    evidence: string
    evidenceKind: string | null
    decidedAt: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credential')
    .set({
      status: decision.status,
      decided_by: decision.decidedBy,
      evidence: decision.evidence,
      evidence_kind: decision.evidenceKind,
      decided_at: decision.decidedAt,
      counted_from: decision.status === 'approved' ? decision.decidedAt : null,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
