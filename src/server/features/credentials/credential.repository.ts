import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { type Credential, toCredential } from './credential.queries.ts'

export async function findCredentialById(db: Db, id: string): Promise<Credential | null> {
  const row = await db.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toCredential(row) : null
}

/** Credentials awaiting review, oldest first. */
export async function listWaitingCredentials(db: Db): Promise<Credential[]> {
  const rows = await waiting(db).selectAll().orderBy('givenAt').orderBy('id').execute()
  return rows.map(toCredential)
}

/** How many of them have no open question to the member: the officers' work list. */
export async function countCredentialsToReview(db: Db): Promise<number> {
  const row = await waiting(db)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where(hasOpenQuestion, '=', 0)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

const hasOpenQuestion = sql<number>`case when asked_at is not null and answered_at is null then 1 else 0 end`

function waiting(db: Db) {
  return db.selectFrom('credential').where('status', '=', 'waiting')
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
