import { sql, type RawBuilder } from 'kysely'
import type { MemberSort, MemberState } from '#contract/console/member-list.ts'
import type { Db } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import { IS_CURRENT_TERM } from '#server/features/memberships/payments/complimentary.queries.ts'
import { refreshMemberSearch } from './member-search.repository.ts'
import {
  ALL_MEMBERS,
  type MemberFilter,
  type StatusContext,
  chosen,
  runsUntilSql,
  stateOf,
} from './member-list.queries.ts'

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
  credentials: 'waiting' | 'approved' | 'declined' | null
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
  if (filter.searchTerms.length > 0) await refreshMemberSearch(db)
  const ids = await findMemberIds(db, filter, page)
  return queryInChunks(ids, async (some) => {
    const rows = await describe(db, some, page)
    return some.flatMap((id) => rows.get(id) ?? [])
  })
}

async function findMemberIds(db: Db, filter: MemberFilter, page: MemberPage): Promise<string[]> {
  const direction = sql.raw(page.descending ? 'desc' : 'asc')
  const ascending = sql.raw('asc')
  const byName = (order: RawBuilder<unknown>) => [
    sql`lower(account.last_name) ${order}`,
    sql`lower(account.first_name) ${order}`,
    sql`account.id ${order}`,
  ]
  const orders: Record<MemberSort, RawBuilder<unknown>[]> = {
    name: byName(direction),
    joined: [sql`account.created_at ${direction}`, sql`account.id ${direction}`],
    // No end date and no level sort last in either direction.
    ends: [sql`${runsUntilSql(page)} is null`, sql`${runsUntilSql(page)} ${direction}`, ...byName(ascending)],
    level: [sql`membership.level_key is null`, sql`membership.level_key ${direction}`, ...byName(ascending)],
  }
  let query = chosen(db, filter, page).select('account.id')
  for (const part of orders[page.order]) query = query.orderBy(part)
  if (page.limit !== undefined) query = query.limit(page.limit).offset(page.offset ?? 0)
  return (await query.execute()).map(({ id }) => id)
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
    .select([stateOf(moment).as('state'), runsUntilSql(moment).as('endsAt')])
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
  const [rows, credentials] = await Promise.all([query.execute(), newestCredentials(db, ids)])
  return new Map(rows.map((row) => [row.id, { ...row, credentials: credentials.get(row.id) ?? null }]))
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
