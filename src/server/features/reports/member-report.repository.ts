import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import {
  ALL_MEMBERS,
  chosen,
  prepareList,
  type MemberFilter,
} from '#server/features/member-admin/member-list.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import type { LevelCount, MembershipSpan, PaidTerm } from './member-report.rules.ts'

const MEMBERS_WITH_RIGHTS: MemberFilter = { ...ALL_MEMBERS, states: ['ACTIVE', 'PAST_DUE'] }

/** When a membership ended or ends, whichever is first. */
const END = sql<number | null>`case
  when ended_at is not null and (ends_at is null or ended_at < ends_at) then ended_at
  else ends_at end`

/** How many memberships of each level ran at each moment (epoch milliseconds). */
export async function countByLevel(db: Db, moments: readonly number[]): Promise<LevelCount[]> {
  if (moments.length === 0) return []
  const values = sql.join(moments.map((at) => sql`(cast(${at} as bigint))`))
  const { rows } = await sql<{ at: number | string; levelKey: string; count: number | string }>`
    with moment(at) as (values ${values})
    select moment.at, membership.level_key as level_key, count(*) as count
    from moment
    join membership on membership.started_at <= moment.at
      and (membership.ended_at is null or membership.ended_at > moment.at)
      and (membership.ends_at is null or membership.ends_at > moment.at)
    group by moment.at, membership.level_key`.execute(db)
  return rows.map(({ at, levelKey, count }) => ({ at: Number(at), levelKey, count: Number(count) }))
}

/** How many members of each level have rights now, as the list of members says. */
export async function countCurrentByLevel(db: Db, moment: StatusContext): Promise<LevelCount[]> {
  await prepareList(db, MEMBERS_WITH_RIGHTS, moment)
  const rows = await chosen(db, MEMBERS_WITH_RIGHTS, moment)
    .select(['listed.levelKey', sql<number | string>`count(*)`.as('count')])
    .groupBy('listed.levelKey')
    .execute()
  return rows.map(({ levelKey, count }) => ({ at: moment.now, levelKey: levelKey ?? '', count: Number(count) }))
}

/** Memberships that started or ended in a period, each beside the same person's others. */
export async function listSpansBetween(
  db: Db,
  { from, until }: { from: number; until: number },
): Promise<MembershipSpan[]> {
  const isWithin = (instant: RawBuilder<unknown>) => sql`${instant} >= ${from} and ${instant} < ${until}`
  const { rows } = await sql<{
    startedAt: number | string
    endsAt: number | string | null
    endedBefore: number | string | null
    nextStartedAt: number | string | null
  }>`
    select * from (
      select started_at, ${END} as ends_at,
        lag(${END}) over (partition by account_id order by started_at, id) as ended_before,
        lead(started_at) over (partition by account_id order by started_at, id) as next_started_at
      from membership
      where account_id in (select account_id from membership where ${isWithin(sql`started_at`)} or (${isWithin(END)}))
    ) as span
    where ${isWithin(sql`started_at`)} or (${isWithin(sql`ends_at`)})`.execute(db)
  const time = (value: number | string | null) => (value === null ? null : Number(value))
  return rows.map(({ startedAt, endsAt, endedBefore, nextStartedAt }) => ({
    startedAt: Number(startedAt),
    endsAt: time(endsAt),
    endedBefore: time(endedBefore),
    nextStartedAt: time(nextStartedAt),
  }))
}

/** Terms paid for that ended in a period, and whether the same person paid for a later one around that time. */
export async function listPaidTermsBetween(
  db: Db,
  { from, until, withinMs }: { from: number; until: number; withinMs: number },
): Promise<PaidTerm[]> {
  const rows = await db
    .selectFrom('payment')
    .select(({ exists, selectFrom }) => [
      'payment.periodEndsAt',
      exists(
        selectFrom('payment as later')
          .select('later.id')
          .whereRef('later.accountId', '=', 'payment.accountId')
          .whereRef('later.id', '!=', 'payment.id')
          .where('later.voidedAt', 'is', null)
          .where(sql<boolean>`(later.period_ends_at is null or later.period_ends_at > payment.period_ends_at)`)
          .where(sql<boolean>`later.paid_at <= payment.period_ends_at + ${withinMs}`),
      ).as('isContinued'),
    ])
    .where('payment.periodEndsAt', '>=', from)
    .where('payment.periodEndsAt', '<', until)
    .where('payment.voidedAt', 'is', null)
    .where(sql<boolean>`payment.amount_refunded < payment.amount`)
    .execute()
  return rows.map(({ periodEndsAt, isContinued }) => ({
    endsAt: Number(periodEndsAt),
    isContinued: Boolean(isContinued),
  }))
}

/** A membership whose term ends, with what its renewal brings. */
export interface EndingMembership {
  id: string
  firstName: string
  lastName: string
  email: string
  levelKey: string
  endsAt: number
  /** What the renewal brings, in cents. */
  amount: number
  currency: string
  /** The card provider renews it. */
  isAutomatic: boolean
}

/** Current memberships whose term ends in a period, soonest first. */
export async function listEndingBetween(
  db: Db,
  { from, until }: { from: number; until: number },
  moment: StatusContext,
): Promise<EndingMembership[]> {
  await prepareList(db, MEMBERS_WITH_RIGHTS, moment)
  const rows = await chosen(db, MEMBERS_WITH_RIGHTS, moment)
    .innerJoin('account', 'account.id', 'listed.accountId')
    .innerJoin('membership', (join) =>
      join.onRef('membership.accountId', '=', 'account.id').on('membership.isCurrent', '=', 1),
    )
    .innerJoin('membershipLevel', 'membershipLevel.key', 'membership.levelKey')
    .select(['account.id', 'account.firstName', 'account.lastName', 'account.email', 'membershipLevel.key as levelKey'])
    .select(['listed.runsUntil as endsAt', 'membershipLevel.currency'])
    .select(sql<number | string>`coalesce(membership.renewal_amount, membership_level.unit_amount)`.as('amount'))
    .select(
      sql<number>`case when membership.stripe_status in ('active', 'trialing')
        and membership.cancel_at_period_end = 0 then 1 else 0 end`.as('isAutomatic'),
    )
    .where('listed.runsUntil', '>=', from)
    .where('listed.runsUntil', '<', until)
    .orderBy('listed.runsUntil')
    .orderBy('account.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    endsAt: Number(row.endsAt),
    amount: Number(row.amount),
    isAutomatic: Number(row.isAutomatic) === 1,
  }))
}
