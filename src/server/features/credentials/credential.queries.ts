import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { CredentialTable } from '#server/db/schema/membership-schema.ts'

export type Credential = Omit<CredentialTable, 'evidenceKind'>

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
  return rows.map(withCountedFrom)
}

/** Credentials approved by a release from before rechecks are counted from their approval. */
export function withCountedFrom(row: Credential): Credential {
  return { ...row, countedFrom: row.countedFrom ?? (row.status === 'approved' ? row.decidedAt : null) }
}

/** Whether no newer credentials replace these, in SQL. */
export const isNewest = sql<boolean>`not exists (
  select 1 from credential as newer where newer.account_id = credential.account_id
  and (newer.given_at > credential.given_at or (newer.given_at = credential.given_at and newer.id > credential.id))
)`
