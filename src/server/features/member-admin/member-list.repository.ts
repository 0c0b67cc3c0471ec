import { sql, type RawBuilder } from 'kysely'
import type { MemberRenewal, MemberSort, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { IS_CURRENT_TERM } from '#server/features/memberships/payments/complimentary.queries.ts'
import { ALL_MEMBERS, type MemberFilter, chosen, prepareList } from './member-list.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'

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
  await prepareList(db, filter, page)
  const ids = await findMemberIds(db, filter, page)
  return queryInChunks(ids, async (some) => {
    const rows = await describe(db, some, page)
    return some.flatMap((id) => rows.get(id) ?? [])
  })
}

const NAME = [sql`listed.last_name`, sql`listed.first_name`, sql`listed.account_id`]

/** What many members have in common, or do not have: these are sorted by name among themselves. */
const SORT_KEYS: Record<Exclude<MemberSort, 'name' | 'joined' | 'email' | 'username'>, RawBuilder<unknown>> = {
  status: sql`listed.state`,
  level: sql`listed.level_key`,
  ends: sql`listed.runs_until`,
  credentials: sql`nullif(listed.credentials, 'none')`,
  renewal: sql`listed.renewal`,
  lastPayment: sql`listed.last_paid_at`,
  started: sql`listed.started_at`,
}

export async function findMemberIds(db: Db, filter: MemberFilter, page: MemberPage): Promise<string[]> {
  let query = chosen(db, filter, page).select('listed.accountId as id')
  if (page.order === 'email' || page.order === 'username')
    query = query.innerJoin('account', 'account.id', 'listed.accountId')
  for (const part of ordersOf(page)) query = query.orderBy(part)
  if (page.limit !== undefined) query = query.limit(page.limit).offset(page.offset ?? 0)
  return (await query.execute()).map(({ id }) => id)
}

function ordersOf({ order, descending }: Pick<MemberPage, 'order' | 'descending'>): RawBuilder<unknown>[] {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const inOrder = (...keys: RawBuilder<unknown>[]) => keys.map((key) => sql`${key} ${direction}`)
  switch (order) {
    case 'name':
      return inOrder(...NAME)
    case 'joined':
      return inOrder(sql`listed.joined_at`, sql`listed.account_id`)
    case 'email':
      return inOrder(sql`account.email_key`, sql`account.id`)
    case 'username':
      return inOrder(sql`lower(account.username)`, sql`account.id`)
    default:
      // Who has no such value comes last in either direction.
      return [sql`${SORT_KEYS[order]} ${direction} nulls last`, ...NAME]
  }
}

async function describe(
  db: Db,
  ids: readonly string[],
  moment: StatusContext,
): Promise<ReadonlyMap<string, MemberListRow>> {
  const rows = await chosen(db, { ...ALL_MEMBERS, ids }, moment)
    .innerJoin('account', 'account.id', 'listed.accountId')
    .leftJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .select([
      'account.id',
      'account.firstName',
      'account.lastName',
      'account.email',
      'account.username',
      'listed.joinedAt',
      'listed.levelKey',
      'listed.startedAt',
      'listed.state',
      'listed.runsUntil as endsAt',
      'listed.renewal',
      'listed.credentials',
    ])
    .select((eb) =>
      eb
        .selectFrom('complimentaryTerm')
        .select('reason')
        .where(IS_CURRENT_TERM)
        .orderBy('givenAt', 'desc')
        .limit(1)
        .as('complimentary'),
    )
    .execute()
  const payments = await lastPayments(db, ids)
  return new Map(
    rows.map(({ credentials, ...row }) => [
      row.id,
      {
        ...row,
        credentials: credentials === 'none' ? null : credentials,
        lastPayment: payments.get(row.id) ?? null,
      },
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
