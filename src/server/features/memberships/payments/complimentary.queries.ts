import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** A term that an officer gave for nothing. */
export interface ComplimentaryTerm {
  id: string
  accountId: string
  membershipId: string
  levelKey: string
  /** Its last instant; null for life. */
  endsAt: number | null
  reason: string
  /** The officer's account, or 'webmaster'. */
  givenBy: string
  givenAt: number
}

/** Whether a term is the one that its membership is in: once it was paid on, it ends on another day. */
export const IS_PRESENT_TERM = sql<boolean>`complimentary_term.membership_id = membership.id and (
  complimentary_term.ends_at = membership.ends_at or (complimentary_term.ends_at is null and membership.ends_at is null))`

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
      given_by: term.givenBy,
      given_at: term.givenAt,
    })
    .execute()
}

/** Whether the term that a membership is in was given for nothing. */
export async function isGrantedTerm(db: Db, { id, endsAt }: { id: string; endsAt: number | null }): Promise<boolean> {
  const row = await db
    .selectFrom('complimentary_term')
    .select('id')
    .where('membership_id', '=', id)
    .where('ends_at', endsAt === null ? 'is' : '=', endsAt)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those given in a span, with who got them; also of accounts that are gone. */
export async function findComplimentaryBetween(db: Db, from: number, to: number) {
  return db
    .selectFrom('complimentary_term')
    .leftJoin('account', 'account.id', 'complimentary_term.account_id')
    .leftJoin('membership_level', 'membership_level.key', 'complimentary_term.level_key')
    .select([
      'complimentary_term.id',
      'complimentary_term.given_at as givenAt',
      'complimentary_term.reason',
      'account.id as accountId',
      sql<string>`coalesce(account.first_name || ' ' || account.last_name, 'An account that is gone')`.as('name'),
      sql<string>`coalesce(account.email, '')`.as('email'),
      sql<string>`coalesce(membership_level.name, complimentary_term.level_key)`.as('what'),
      sql<string>`coalesce(membership_level.currency, 'usd')`.as('currency'),
    ])
    .where('given_at', '>=', from)
    .where('given_at', '<', to)
    .execute()
}
