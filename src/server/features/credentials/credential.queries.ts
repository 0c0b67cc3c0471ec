import type { Db } from '#server/db/database.ts'
import type { CredentialTable } from '#server/db/schema/membership-schema.ts'

export interface Credential {
  id: string
  accountId: string
  npi: string
  licenceState: string
  submittedAt: number
  status: CredentialTable['status']
  decidedAt: number | null
  decidedBy: string | null
  /** What the decision was based on, or why it was declined. */
  evidence: string | null
  kind: CredentialTable['kind']
  /** School or program, and its end date; null for a license. */
  place: string | null
  endsOn: string | null
  /** Start of the recheck interval; null until approved. */
  recheckCountedFrom: number | null
  question: string | null
  askedAt: number | null
  answeredAt: number | null
}

/** The member's newest credentials, or null. */
export async function findCredential(db: Db, accountId: string): Promise<Credential | null> {
  return (await listCredentials(db, accountId))[0] ?? null
}

/** Newest first. */
export async function listCredentials(db: Db, accountId: string): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credential')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('givenAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toCredential)
}

export function toCredential(row: CredentialTable): Credential {
  return {
    id: row.id,
    accountId: row.accountId,
    npi: row.npi,
    licenceState: row.licenceState,
    submittedAt: row.givenAt,
    status: row.status,
    decidedAt: row.decidedAt,
    decidedBy: row.decidedBy,
    evidence: row.evidence,
    kind: row.kind,
    place: row.place,
    endsOn: row.endsOn,
    // Approved by a release from before rechecks.
    recheckCountedFrom: row.countedFrom ?? (row.status === 'approved' ? row.decidedAt : null),
    question: row.question,
    askedAt: row.askedAt,
    answeredAt: row.answeredAt,
  }
}
