import type { Db } from '#server/db/database.ts'
import { type ComplimentaryTerm } from './complimentary.queries.ts'

export async function insertComplimentaryTerm(db: Db, term: ComplimentaryTerm): Promise<void> {
  await db
    .insertInto('complimentary_term')
    .values({
      id: term.id,
      account_id: term.accountId,
      membership_id: term.membershipId,
      level_key: term.levelKey,
      ends_at: term.endsAt,
      reason: term.reason,
      given_by: term.grantedBy,
      given_at: term.grantedAt,
    })
    .execute()
}
