import { sql, type RawBuilder } from 'kysely'
import type { MemberOrder, MemberState } from '#contract/console-members.ts'
import type { Db } from '#server/db/database.ts'
import { inBatches } from '#server/db/in-batches.ts'
import { IS_PRESENT_TERM } from './complimentary.repository.ts'
import { hasWords, refreshMemberSearch } from './member-search.repository.ts'

/** The members an officer wants to see; instants are epoch milliseconds. */
export interface MemberFilter {
  /** Each has to be found in name, address or username, whatever its case and accents. */
  words: readonly string[]
  state: MemberState | null
  levelKey: string | null
  endsBefore: number | null
  credentials: 'waiting' | 'approved' | 'declined' | null
  joinedFrom: number | null
  joinedBefore: number | null
  /** Only this one. */
  id: string | null
}

/** What the states depend on besides the rows. */
export interface MemberMoment {
  now: number
  graceMs: number
}

export interface MemberRow {
  id: string
  firstName: string
  lastName: string
  email: string
  username: string
  state: MemberState
  levelKey: string | null
  joinedAt: number
  startedAt: number | null
  /** As `runsUntil` says it. */
  endsAt: number | null
  credentials: 'waiting' | 'approved' | 'declined' | null
  /** Why the present term costs nothing; null where it was paid for. */
  complimentary: string | null
}

export const EVERYBODY: MemberFilter = {
  words: [],
  state: null,
  levelKey: null,
  endsBefore: null,
  credentials: null,
  joinedFrom: null,
  joinedBefore: null,
  id: null,
}

export interface MemberPage extends MemberMoment {
  order: MemberOrder
  descending: boolean
  /** Left out: all of them. */
  limit?: number
  offset?: number
}

/** One page of the members chosen. Who is on it is found first: what is passed over on the way there is not even read. */
export async function findMemberRows(db: Db, filter: MemberFilter, page: MemberPage): Promise<MemberRow[]> {
  if (filter.words.length > 0) await refreshMemberSearch(db)
  const ids = await findMemberIds(db, filter, page)
  return inBatches(ids, async (some) => {
    const rows = await describe(db, some, page)
    return some.flatMap((id) => rows.get(id) ?? [])
  })
}

async function findMemberIds(db: Db, filter: MemberFilter, page: MemberPage): Promise<string[]> {
  const direction = sql.raw(page.descending ? 'desc' : 'asc')
  const up = sql.raw('asc')
  const byName = (way: RawBuilder<unknown>) => [
    sql`lower(account.last_name) ${way}`,
    sql`lower(account.first_name) ${way}`,
    sql`account.id ${way}`,
  ]
  const orders: Record<MemberOrder, RawBuilder<unknown>[]> = {
    name: byName(direction),
    joined: [sql`account.created_at ${direction}`, sql`account.id ${direction}`],
    // What never ends, and who has no level, comes last, whichever way.
    ends: [sql`${untilOf(page)} is null`, sql`${untilOf(page)} ${direction}`, ...byName(up)],
    level: [sql`membership.level_key is null`, sql`membership.level_key ${direction}`, ...byName(up)],
  }
  let query = chosen(db, filter, page).select('account.id')
  for (const part of orders[page.order]) query = query.orderBy(part)
  if (page.limit !== undefined) query = query.limit(page.limit).offset(page.offset ?? 0)
  return (await query.execute()).map(({ id }) => id)
}

async function describe(db: Db, ids: readonly string[], moment: MemberMoment): Promise<ReadonlyMap<string, MemberRow>> {
  let query = chosen(db, EVERYBODY, moment)
    .select([
      'account.id',
      'account.first_name as firstName',
      'account.last_name as lastName',
      'account.email',
      'account.username',
      'account.created_at as joinedAt',
      'membership.level_key as levelKey',
      'membership.started_at as startedAt',
    ])
    .select([stateOf(moment).as('state'), untilOf(moment).as('endsAt')])
    .select((eb) =>
      eb
        .selectFrom('complimentary_term')
        .select('reason')
        .where(IS_PRESENT_TERM)
        .orderBy('given_at', 'desc')
        .limit(1)
        .as('complimentary'),
    )
  query = query.where('account.id', 'in', ids)
  const [rows, credentials] = await Promise.all([query.execute(), newestCredentials(db, ids)])
  return new Map(rows.map((row) => [row.id, { ...row, credentials: credentials.get(row.id) ?? null }]))
}

export async function countMemberRows(db: Db, filter: MemberFilter, moment: MemberMoment): Promise<number> {
  if (filter.words.length > 0) await refreshMemberSearch(db)
  const { count } = await chosen(db, filter, moment)
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function chosen(db: Db, filter: MemberFilter, moment: MemberMoment) {
  const { words, state, levelKey, endsBefore, credentials, joinedFrom, joinedBefore, id } = filter
  let query = db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'account.id').on('membership.is_current', '=', 1),
    )
  if (words.length > 0) query = query.where(hasWords(words))
  if (state) query = query.where(sql<boolean>`${stateOf(moment)} = ${state}`)
  if (levelKey) query = query.where('membership.level_key', '=', levelKey)
  if (endsBefore !== null) {
    query = query
      .where('membership.ended_at', 'is', null)
      .where(untilOf(moment), '>=', moment.now)
      .where(untilOf(moment), '<', endsBefore)
  }
  if (credentials) {
    query = query.where(sql<boolean>`(
      select status from credential where credential.account_id = account.id order by given_at desc, id desc limit 1
    ) = ${credentials}`)
  }
  if (joinedFrom !== null) query = query.where('account.created_at', '>=', joinedFrom)
  if (joinedBefore !== null) query = query.where('account.created_at', '<', joinedBefore)
  if (id !== null) query = query.where('account.id', '=', id)
  return query
}

/** `runsUntil` in SQL; a test compares the two. */
export function untilOf({ graceMs }: Pick<MemberMoment, 'graceMs'>): RawBuilder<number | null> {
  const stopsTrying = sql`coalesce(membership.gave_up_at, membership.next_attempt_at, 0)`
  const graceEnds = sql`membership.past_due_since + ${graceMs}`
  return sql<number | null>`case
    when membership.ended_at is not null then membership.ended_at
    when membership.past_due_since is null then membership.ends_at
    when ${stopsTrying} > ${graceEnds} then ${stopsTrying}
    else ${graceEnds} end`
}

/** `membershipStatus` in the words of both databases, so that a page of ten thousand is chosen by them; a test holds the two together. */
function stateOf({ now, graceMs }: MemberMoment): RawBuilder<MemberState> {
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

/** The newest of each of these people. */
async function newestCredentials(
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, 'waiting' | 'approved' | 'declined'>> {
  const rows = await db
    .selectFrom('credential')
    .select(['account_id', 'status'])
    .where('account_id', 'in', accountIds)
    .orderBy('given_at')
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.account_id, row.status]))
}
