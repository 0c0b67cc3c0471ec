import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { type Credential, withCountedFrom } from './credential.queries.ts'

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
      accountId,
      kind,
      npi,
      licenceState,
      place,
      endsOn,
      givenAt: now,
      status: 'waiting',
      decidedAt: null,
      decidedBy: null,
      evidence: null,
      evidenceKind: null,
      countedFrom: null,
      question: null,
      askedAt: null,
      answeredAt: null,
    })
    .execute()
}

export async function findCredentialById(db: Db, id: string): Promise<Credential | null> {
  const row = await db.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? withCountedFrom(row) : null
}

/** Credentials awaiting review, oldest first. */
export async function listWaitingCredentials(db: Db): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credential')
    .selectAll()
    .where('status', '=', 'waiting')
    .orderBy('givenAt')
    .orderBy('id')
    .execute()
  return rows.map(withCountedFrom)
}

/** The latest reason for declining, by account; accounts that were never declined are missing. */
export async function findLastDeclineReasons(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryInChunks([...new Set(accountIds)], (some) =>
    db
      .selectFrom('credential')
      .select(['accountId', 'evidence'])
      .where('status', '=', 'declined')
      .where('accountId', 'in', some)
      .orderBy('givenAt')
      .orderBy('id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.accountId, row.evidence ?? '']))
}

/** Deletes credentials awaiting review that newer ones replace. */
export async function deletePendingCredential(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('credential').where('accountId', '=', accountId).where('status', '=', 'waiting').execute()
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
      decidedBy: decision.decidedBy,
      evidence: decision.evidence,
      evidenceKind: decision.evidenceKind,
      decidedAt: decision.decidedAt,
      countedFrom: decision.status === 'approved' ? decision.decidedAt : null,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
