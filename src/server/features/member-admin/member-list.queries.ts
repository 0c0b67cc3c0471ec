import { sql, type RawBuilder } from 'kysely'
import type { CredentialState, MemberRenewal, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { runsUntilSql, stateOf, type StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import { recordMatches, type RecordCondition } from './record-columns/record-filter.queries.ts'
import { matchesSearchTerms, refreshMemberSearch } from './member-search.queries.ts'

/** Filters of the member list; instants are epoch milliseconds. The values of one filter are alternatives; null does not filter. */
export interface MemberFilter {
  /** Search terms: each must occur in the name, address or username, ignoring case and accents. Together they may also be a number in credentials. */
  searchTerms: readonly string[]
  /** Instead of the terms: matches the member with this number in credentials, or this receipt. */
  number: { credential: string } | { receipt: string } | null
  states: readonly MemberState[] | null
  levelKeys: readonly string[] | null
  endsBefore: number | null
  credentials: readonly CredentialState[] | null
  renewals: readonly MemberRenewal[] | null
  joinedFrom: number | null
  joinedBefore: number | null
  /** Of the member record; each must hold. */
  record: readonly RecordCondition[]
  ids: readonly string[] | null
}

export const ALL_MEMBERS: MemberFilter = {
  searchTerms: [],
  number: null,
  states: null,
  levelKeys: null,
  endsBefore: null,
  credentials: null,
  renewals: null,
  joinedFrom: null,
  joinedBefore: null,
  record: [],
  ids: null,
}

/** Call it before a query of `chosen`: a search finds everyone who is there now. */
export async function prepareSearch(db: Db, { searchTerms }: MemberFilter): Promise<void> {
  if (searchTerms.length > 0) await refreshMemberSearch(db)
}

export async function countMemberRows(db: Db, filter: MemberFilter, moment: StatusContext): Promise<number> {
  await prepareSearch(db, filter)
  const { count } = await chosen(db, filter, moment)
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function chosen(db: Db, filter: MemberFilter, moment: StatusContext) {
  const { searchTerms: words, number, states, levelKeys, endsBefore, credentials, renewals, ids } = filter
  const { joinedFrom, joinedBefore, record } = filter
  let query = db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
  if (number && 'credential' in number) query = query.where('account.id', 'in', withNumber(number.credential))
  if (number && 'receipt' in number) {
    const { receipt } = number
    query = query.where('account.id', 'in', (eb) =>
      eb.selectFrom('payment').select('accountId').where('receiptNumber', '=', receipt),
    )
  }
  if (words.length > 0) {
    const number = words.join(' ')
    query = query.where((eb) =>
      /\d/.test(number)
        ? eb.or([matchesSearchTerms(words), eb('account.id', 'in', withNumber(number))])
        : matchesSearchTerms(words),
    )
  }
  if (states) query = query.where(sql<boolean>`${stateOf(moment)} in (${sql.join(states)})`)
  if (levelKeys) query = query.where('membership.levelKey', 'in', levelKeys)
  if (endsBefore !== null) query = query.where(endsWithinSql(moment, endsBefore))
  if (credentials) query = query.where(hasCredentials(credentials))
  if (renewals) query = query.where(sql<boolean>`${renewalOf(moment)} in (${sql.join(renewals)})`)
  if (joinedFrom !== null) query = query.where('account.createdAt', '>=', joinedFrom)
  if (joinedBefore !== null) query = query.where('account.createdAt', '<', joinedBefore)
  for (const condition of record) query = query.where(recordMatches(condition))
  if (ids !== null) query = query.where('account.id', 'in', ids)
  return query
}

/** Accounts that ever submitted credentials with this number, ignoring case. */
function withNumber(number: string): RawBuilder<string> {
  return sql`(select account_id from credential where lower(npi) = ${number.toLowerCase()})`
}

/** Whether the membership renews or ends from now until an instant. */
export function endsWithinSql(moment: StatusContext, before: number): RawBuilder<boolean> {
  const until = runsUntilSql(moment)
  return sql<boolean>`(membership.ended_at is null and ${until} >= ${moment.now} and ${until} < ${before})`
}

/** The newest credentials of each account, found in one pass. */
export const NEWEST_CREDENTIALS = sql<{ accountId: string; status: Exclude<CredentialState, 'none'> }>`(
  select account_id, status from (
    select account_id, status, row_number() over (partition by account_id order by given_at desc, id desc) as place
    from credential
  ) as ranked where place = 1
)`

function hasCredentials(states: readonly CredentialState[]): RawBuilder<boolean> {
  const given = states.filter((state) => state !== 'none')
  const isGiven = given.length > 0 ? sql`status in (${sql.join(given)})` : sql`1 = 0`
  const newest = sql<boolean>`account.id in (select account_id from ${NEWEST_CREDENTIALS} as newest where ${isGiven})`
  if (!states.includes('none')) return newest
  return sql<boolean>`(${newest} or not exists (select 1 from credential where credential.account_id = account.id))`
}

/** How the membership goes on; null without one and after its end. */
export function renewalOf({ now, graceMs }: StatusContext): RawBuilder<MemberRenewal | null> {
  return sql<MemberRenewal | null>`case
    when membership.id is null or membership.ended_at is not null then null
    when membership.kind = 'ONE_TIME' then 'never'
    when membership.cancel_at_period_end = 1 then case when ${runsUntilSql({ graceMs })} > ${now} then 'ends' end
    when membership.stripe_status is null or membership.stripe_status in ('canceled', 'incomplete_expired') then 'manual'
    else 'card' end`
}

/** When an account last paid dues, found in an index: adding up all payments would take as long as there are payments. */
export const LAST_PAID_AT = sql<number | null>`(
  select max(payment.paid_at) from payment where payment.account_id = account.id and payment.voided_at is null
)`
