import type { Db } from '#server/db/database.ts'
import { type ComplimentaryTerm } from './complimentary.queries.ts'

export async function insertComplimentaryTerm(db: Db, term: ComplimentaryTerm): Promise<void> {
  await db
    .insertInto('complimentaryTerm')
    .values({
      id: term.id,
      accountId: term.accountId,
      membershipId: term.membershipId,
      levelKey: term.levelKey,
      endsAt: term.endsAt,
      reason: term.reason,
      givenBy: term.grantedBy,
      givenAt: term.grantedAt,
    })
    .execute()
}
