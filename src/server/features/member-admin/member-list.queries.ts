import { sql, type RawBuilder } from 'kysely'
import type { MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { matchesSearchTerms, refreshMemberSearch } from './member-search.repository.ts'

/** Filters of the member list; instants are epoch milliseconds. */
export interface MemberFilter {
  /** Search terms: each must occur in the name, address or username, ignoring case and accents. */
  searchTerms: readonly string[]
  state: MemberState | null
  levelKey: string | null
  endsBefore: number | null
  credentials: 'waiting' | 'approved' | 'declined' | null
  joinedFrom: number | null
  joinedBefore: number | null
  /** Matches a single member. */
  id: string | null
}

/** Inputs of the state besides the rows. */
export interface StatusContext {
  now: number
  graceMs: number
}

export const ALL_MEMBERS: MemberFilter = {
  searchTerms: [],
  state: null,
  levelKey: null,
  endsBefore: null,
  credentials: null,
  joinedFrom: null,
  joinedBefore: null,
  id: null,
}

export async function countMemberRows(db: Db, filter: MemberFilter, moment: StatusContext): Promise<number> {
  if (filter.searchTerms.length > 0) await refreshMemberSearch(db)
  const { count } = await chosen(db, filter, moment)
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function chosen(db: Db, filter: MemberFilter, moment: StatusContext) {
  const { searchTerms: words, state, levelKey, endsBefore, credentials, joinedFrom, joinedBefore, id } = filter
  let query = db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
  if (words.length > 0) query = query.where(matchesSearchTerms(words))
  if (state) query = query.where(sql<boolean>`${stateOf(moment)} = ${state}`)
  if (levelKey) query = query.where('membership.levelKey', '=', levelKey)
  if (endsBefore !== null) {
    query = query
      .where('membership.endedAt', 'is', null)
      .where(runsUntilSql(moment), '>=', moment.now)
      .where(runsUntilSql(moment), '<', endsBefore)
  }
  if (credentials) {
    query = query.where(sql<boolean>`(
      select status from credential where credential.account_id = account.id order by given_at desc, id desc limit 1
    ) = ${credentials}`)
  }
  if (joinedFrom !== null) query = query.where('account.createdAt', '>=', joinedFrom)
  if (joinedBefore !== null) query = query.where('account.createdAt', '<', joinedBefore)
  if (id !== null) query = query.where('account.id', '=', id)
  return query
}

/** `runsUntil` in SQL; a test compares them. */
export function runsUntilSql({ graceMs }: Pick<StatusContext, 'graceMs'>): RawBuilder<number | null> {
  const stopsTrying = sql`coalesce(membership.gave_up_at, membership.next_attempt_at, 0)`
  const graceEnds = sql`membership.past_due_since + ${graceMs}`
  return sql<number | null>`case
    when membership.ended_at is not null then membership.ended_at
    when membership.past_due_since is null then membership.ends_at
    when ${stopsTrying} > ${graceEnds} then ${stopsTrying}
    else ${graceEnds} end`
}

/** `membershipStatus` in portable SQL, so the database can filter and page; a test compares them. */
export function stateOf({ now, graceMs }: StatusContext): RawBuilder<MemberState> {
  return sql<MemberState>`case
    when account.deactivated_by = 'self' then 'LEFT'
    when account.deactivated_by = 'officer' then 'DISABLED'
    when membership.id is null then 'NONE'
    when membership.ended_at <= ${now} then 'CANCELED'
    when membership.kind = 'ONE_TIME' then 'ACTIVE'
    when membership.stripe_status is null and membership.ends_at <= ${now}
      then case when membership.cancel_at_period_end = 1 then 'CANCELED' else 'EXPIRED' end
    when membership.stripe_status is null then 'ACTIVE'
    when membership.stripe_status = 'incomplete' then 'INCOMPLETE'
    when membership.stripe_status = 'incomplete_expired' then 'EXPIRED'
    when membership.stripe_status in ('active', 'trialing') and membership.ends_at <= ${now}
      and membership.cancel_at_period_end = 1 then 'CANCELED'
    when membership.stripe_status in ('active', 'trialing') then 'ACTIVE'
    when membership.past_due_since is null
      then case when membership.stripe_status = 'past_due' then 'PAST_DUE' else 'CANCELED' end
    when membership.stripe_status = 'past_due' and membership.next_attempt_at is not null then 'PAST_DUE'
    when membership.past_due_since > ${now - graceMs} then 'PAST_DUE'
    when coalesce(membership.gave_up_at, membership.next_attempt_at, 0) > ${now} then 'PAST_DUE'
    else 'EXPIRED' end`
}
