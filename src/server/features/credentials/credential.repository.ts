import type { Db } from '#server/db/database.ts'
import { inBatches } from '#server/db/in-batches.ts'
import type { CredentialTable } from '#server/db/membership-schema.ts'
import { newId } from '#server/platform/ids.ts'

export interface Credential {
  id: string
  accountId: string
  npi: string
  licenceState: string
  givenAt: number
  status: CredentialTable['status']
  decidedAt: number | null
  decidedBy: string | null
  /** What was looked at, or why it was declined. */
  evidence: string | null
  kind: CredentialTable['kind']
  /** School or programme, and the day it ends; null of a licence. */
  place: string | null
  endsOn: string | null
  /** Since when the time until the next look runs; null until it was approved. */
  countedFrom: number | null
  question: string | null
  askedAt: number | null
  answeredAt: number | null
}

/** What somebody gives: a physician a licence, somebody in training where and until when. */
export type Given = Pick<Credential, 'kind' | 'npi' | 'licenceState' | 'place' | 'endsOn'>

export async function insertCredential(
  db: Db,
  accountId: string,
  { kind, npi, licenceState, place, endsOn }: Given,
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

/** The newest the person gave; null when there are none. */
export async function findCredential(db: Db, accountId: string): Promise<Credential | null> {
  return (await listCredentials(db, accountId))[0] ?? null
}

/** Newest first. */
export async function listCredentials(db: Db, accountId: string): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credential')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('given_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toCredential)
}

/** Those officers have to look at, oldest first. */
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

/** Of each person whose credentials were declined before, the reason they were given last. */
export async function findLastRefusals(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await inBatches([...new Set(accountIds)], (some) =>
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

/** Those replaced by newer ones need no decision. */
export async function withdrawWaiting(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('credential').where('account_id', '=', accountId).where('status', '=', 'waiting').execute()
}

/** False when somebody decided before. */
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

export function toCredential(row: CredentialTable): Credential {
  return {
    id: row.id,
    accountId: row.account_id,
    npi: row.npi,
    licenceState: row.licence_state,
    givenAt: row.given_at,
    status: row.status,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    evidence: row.evidence,
    kind: row.kind,
    place: row.place,
    endsOn: row.ends_on,
    // Approved by an instance older than re-checks.
    countedFrom: row.counted_from ?? (row.status === 'approved' ? row.decided_at : null),
    question: row.question,
    askedAt: row.asked_at,
    answeredAt: row.answered_at,
  }
}
