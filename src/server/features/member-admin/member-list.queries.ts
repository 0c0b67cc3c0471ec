import { sql, type RawBuilder } from 'kysely'
import type { CredentialState, MemberRenewal, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import {
  membersNow,
  refreshListedMembers,
  STORED_MEMBERS,
} from '#server/features/listed-members/listed-members.queries.ts'
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

/** Call it before a query of `chosen`: a search finds everyone who is there now, and the list shows them as they are now. */
export async function prepareList(db: Db, filter: MemberFilter, moment: StatusContext): Promise<void> {
  if (filter.searchTerms.length > 0) await refreshMemberSearch(db)
  if (readsStored(db, filter)) await refreshListedMembers(db, moment)
}

/** Few members, and those of a transaction, are worked out when they are read. */
function readsStored(db: Db, { ids }: MemberFilter): boolean {
  return ids === null && !db.isTransaction
}

export async function countMemberRows(db: Db, filter: MemberFilter, moment: StatusContext): Promise<number> {
  await prepareList(db, filter, moment)
  const { count } = await chosen(db, filter, moment)
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The filtered members as `listed`. */
export function chosen(db: Db, filter: MemberFilter, moment: StatusContext) {
  const { searchTerms: words, number, states, levelKeys, endsBefore, credentials, renewals, ids } = filter
  const { joinedFrom, joinedBefore, record } = filter
  const members = readsStored(db, filter) ? STORED_MEMBERS : membersNow(moment)
  let query = db.selectFrom(members.as('listed'))
  if (number && 'credential' in number) query = query.where('listed.accountId', 'in', withNumber(number.credential))
  if (number && 'receipt' in number) {
    const { receipt } = number
    query = query.where('listed.accountId', 'in', (eb) =>
      eb.selectFrom('payment').select('accountId').where('receiptNumber', '=', receipt),
    )
  }
  if (words.length > 0) {
    const number = words.join(' ')
    query = query.where((eb) =>
      /\d/.test(number)
        ? eb.or([matchesSearchTerms(words), eb('listed.accountId', 'in', withNumber(number))])
        : matchesSearchTerms(words),
    )
  }
  if (states) query = query.where('listed.state', 'in', states)
  if (levelKeys) query = query.where('listed.levelKey', 'in', levelKeys)
  if (endsBefore !== null) query = query.where(endsWithinSql(moment, endsBefore))
  if (credentials) query = query.where('listed.credentials', 'in', credentials)
  if (renewals) query = query.where('listed.renewal', 'in', renewals)
  if (joinedFrom !== null) query = query.where('listed.joinedAt', '>=', joinedFrom)
  if (joinedBefore !== null) query = query.where('listed.joinedAt', '<', joinedBefore)
  for (const condition of record) query = query.where(recordMatches(condition))
  if (ids !== null) query = query.where('listed.accountId', 'in', ids)
  return query
}

/** Accounts that ever submitted credentials with this number, ignoring case. */
function withNumber(number: string): RawBuilder<string> {
  return sql`(select account_id from credential where lower(npi) = ${number.toLowerCase()})`
}

/** Whether the membership of a `listed` member renews or ends from now until an instant. */
export function endsWithinSql({ now }: StatusContext, before: number): RawBuilder<boolean> {
  return sql<boolean>`(listed.is_ended = 0 and listed.runs_until >= ${now} and listed.runs_until < ${before})`
}
