import { sql, type RawBuilder } from 'kysely'
import type { MemberRenewal, MemberSort, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { IS_CURRENT_TERM } from '#server/features/memberships/payments/complimentary.queries.ts'
import {
  ALL_MEMBERS,
  LAST_PAID_AT,
  type MemberFilter,
  NEWEST_CREDENTIALS,
  chosen,
  prepareSearch,
  renewalOf,
} from './member-list.queries.ts'
import { type StatusContext, runsUntilSql, stateOf } from '#server/features/memberships/membership-state.queries.ts'

export interface MemberListRow {
  id: string
  firstName: string
  lastName: string
  email: string
  username: string
  state: MemberState
  levelKey: string | null
  joinedAt: number
  startedAt: number | null
  /** As returned by `runsUntil`. */
  endsAt: number | null
  /** null without a membership, and after its end. */
  renewal: MemberRenewal | null
  credentials: 'waiting' | 'approved' | 'declined' | null
  /** null if no dues were paid. */
  lastPayment: { at: number; amount: number; currency: string } | null
  /** The reason for a complimentary term; null for a paid one. */
  complimentary: string | null
}

export interface MemberPage extends StatusContext {
  order: MemberSort
  descending: boolean
  /** Default: no limit. */
  limit?: number
  offset?: number
}

/** One page of the filtered members. Selects ids first, so skipped rows are not read. */
export async function findMemberRows(db: Db, filter: MemberFilter, page: MemberPage): Promise<MemberListRow[]> {
  await prepareSearch(db, filter)
  const ids = await findMemberIds(db, filter, page)
  return queryInChunks(ids, async (some) => {
    const rows = await describe(db, some, page)
    return some.flatMap((id) => rows.get(id) ?? [])
  })
}

function sortKeys(page: MemberPage): Partial<Record<MemberSort, RawBuilder<unknown>>> {
  return {
    status: stateOf(page),
    level: sql`membership.level_key`,
    ends: runsUntilSql(page),
    credentials: sql`newest.status`,
    renewal: renewalOf(page),
    lastPayment: LAST_PAID_AT,
    started: sql`membership.started_at`,
  }
}

export async function findMemberIds(db: Db, filter: MemberFilter, page: MemberPage): Promise<string[]> {
  const direction = sql.raw(page.descending ? 'desc' : 'asc')
  const ascending = sql.raw('asc')
  const byName = (order: RawBuilder<unknown>) => [
    sql`lower(account.last_name) ${order}`,
    sql`lower(account.first_name) ${order}`,
    sql`account.id ${order}`,
  ]
  const whole: Partial<Record<MemberSort, RawBuilder<unknown>[]>> = {
    name: byName(direction),
    joined: [sql`account.created_at ${direction}`, sql`account.id ${direction}`],
    email: [sql`account.email_key ${direction}`, sql`account.id ${direction}`],
    username: [sql`lower(account.username) ${direction}`, sql`account.id ${direction}`],
  }
  const key = sortKeys(page)[page.order]
  // Who has no such value comes last in either direction.
  const orders = whole[page.order] ?? (key ? [sql`${key} ${direction} nulls last`, ...byName(ascending)] : [])
  let query = withSorted(chosen(db, filter, page), page.order).select('account.id')
  for (const part of orders) query = query.orderBy(part)
  if (page.limit !== undefined) query = query.limit(page.limit).offset(page.offset ?? 0)
  return (await query.execute()).map(({ id }) => id)
}

/** Joins what the list is sorted by, if that is stored elsewhere. */
function withSorted(query: ReturnType<typeof chosen>, order: MemberSort): ReturnType<typeof chosen> {
  return order === 'credentials'
    ? query.leftJoin(NEWEST_CREDENTIALS.as('newest'), 'newest.accountId', 'account.id')
    : query
}

async function describe(
  db: Db,
  ids: readonly string[],
  moment: StatusContext,
): Promise<ReadonlyMap<string, MemberListRow>> {
  let query = chosen(db, ALL_MEMBERS, moment)
    .select([
      'account.id',
      'account.firstName',
      'account.lastName',
      'account.email',
      'account.username',
      'account.createdAt as joinedAt',
      'membership.levelKey',
      'membership.startedAt',
    ])
    .select([stateOf(moment).as('state'), runsUntilSql(moment).as('endsAt'), renewalOf(moment).as('renewal')])
    .select((eb) =>
      eb
        .selectFrom('complimentaryTerm')
        .select('reason')
        .where(IS_CURRENT_TERM)
        .orderBy('givenAt', 'desc')
        .limit(1)
        .as('complimentary'),
    )
  query = query.where('account.id', 'in', ids)
  const [rows, credentials, payments] = await Promise.all([
    query.execute(),
    newestCredentials(db, ids),
    lastPayments(db, ids),
  ])
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, credentials: credentials.get(row.id) ?? null, lastPayment: payments.get(row.id) ?? null },
    ]),
  )
}

async function lastPayments(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, { at: number; amount: number; currency: string }>> {
  const rows = await db
    .selectFrom('payment')
    .select(['accountId', 'paidAt', 'amount', 'currency'])
    .where('accountId', 'in', accountIds)
    .where('voidedAt', 'is', null)
    .orderBy('paidAt')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ accountId, paidAt, amount, currency }) => [accountId, { at: paidAt, amount, currency }]))
}

/** The status of each account's newest credentials. */
async function newestCredentials(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, 'waiting' | 'approved' | 'declined'>> {
  const rows = await db
    .selectFrom('credential')
    .select(['accountId', 'status'])
    .where('accountId', 'in', accountIds)
    .orderBy('givenAt')
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.accountId, row.status]))
}
