import { sql, type Selectable } from 'kysely'
import type { SubmittedAnswers } from '#contract/credentials/credential-kinds.ts'
import type { Db } from '#server/db/database.ts'
import type { CredentialTable } from '#server/db/schema/membership-schema.ts'

export interface Credential extends Omit<Selectable<CredentialTable>, 'evidenceKind' | 'answers'> {
  /** Answers to the questions that have no column, by the keys of the fields. */
  answers: Record<string, string>
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

/** Credentials approved by a release from before rechecks are counted from their approval. */
export function toCredential({ answers, ...row }: Selectable<CredentialTable>): Credential {
  return {
    ...row,
    answers: answers === null ? {} : (JSON.parse(answers) as Record<string, string>),
    countedFrom: row.countedFrom ?? (row.status === 'approved' ? row.decidedAt : null),
  }
}

/** The answers as calls return them: left out if there are none. */
export function toAnswers({ kind, npi, licenceState, place, endsOn, answers }: Credential): SubmittedAnswers {
  const hasAnswers = Object.keys(answers).length > 0
  return { kind, npi, licenceState, place, endsOn, ...(hasAnswers && { answers }) }
}

/** Whether no newer credentials replace these, in SQL. */
export const isNewest = sql<boolean>`not exists (
  select 1 from credential as newer where newer.account_id = credential.account_id
  and (newer.given_at > credential.given_at or (newer.given_at = credential.given_at and newer.id > credential.id))
)`
