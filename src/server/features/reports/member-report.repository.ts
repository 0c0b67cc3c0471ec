import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#server/db/database.ts'
import {
  ALL_MEMBERS,
  chosen,
  prepareList,
  type MemberFilter,
} from '#server/features/member-admin/member-list.queries.ts'
import type { StatusContext } from '#server/features/memberships/membership-state.queries.ts'
import type { LevelCount, MembershipSpan, ReportMonth } from './member-report.rules.ts'

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

/** Terms that were paid for, and how many of them the same person continued. */
export interface TermCount {
  month: string
  due: number
  renewed: number
}

/** The terms that ended in each month until now; a month without any is left out. A later term continues one if it was paid for by `withinMs` after its end. */
export async function countPaidTerms(
  db: Db,
  months: readonly ReportMonth[],
  { now, withinMs }: { now: number; withinMs: number },
): Promise<TermCount[]> {
  const values = months.map(
    ({ month, from, until }) => sql`(${month}, cast(${from} as bigint), cast(${Math.min(until, now)} as bigint))`,
  )
  if (values.length === 0) return []
  // `+ 0` keeps SQLite to the index that also has the ends of terms.
  const isContinuedBy = (term: RawBuilder<unknown>) => sql`exists (
    select 1 from payment as later where later.account_id = payment.account_id and later.voided_at is null and ${term}
    and later.paid_at + 0 <= payment.period_ends_at + ${withinMs})`
  const { rows } = await sql<{ month: string; due: number | string; renewed: number | string }>`
    with month(month, starts_at, ends_at) as (values ${sql.join(values)})
    select month.month, count(*) as due, sum(case
      when ${isContinuedBy(sql`later.period_ends_at > payment.period_ends_at`)}
        or ${isContinuedBy(sql`later.period_ends_at is null`)} then 1 else 0 end) as renewed
    from month
    join payment on payment.period_ends_at >= month.starts_at and payment.period_ends_at < month.ends_at
    where payment.voided_at is null and payment.amount_refunded < payment.amount
    group by month.month`.execute(db)
  return rows.map(({ month, due, renewed }) => ({ month, due: Number(due), renewed: Number(renewed) }))
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
  await prepareList(db, ALL_MEMBERS, moment)
  const rows = await db
    .with(
      // From the few whose term ends, each looked up: SQLite would begin with those who have rights, or with every current membership.
      (cte) => cte('ending').materialized(),
      () =>
        chosen(db, ALL_MEMBERS, moment)
          .select(['listed.accountId', 'listed.runsUntil'])
          .where(sql`case when listed.state in ('ACTIVE', 'PAST_DUE') then 1 else 0 end`, '=', 1)
          .where('listed.runsUntil', '>=', from)
          .where('listed.runsUntil', '<', until),
    )
    .selectFrom('ending')
    .crossJoin('account')
    .crossJoin('membership')
    .innerJoin('membershipLevel', 'membershipLevel.key', 'membership.levelKey')
    .whereRef('account.id', '=', 'ending.accountId')
    .whereRef('membership.accountId', '=', 'ending.accountId')
    .where('membership.isCurrent', '=', 1)
    .select(['account.id', 'account.firstName', 'account.lastName', 'account.email', 'membershipLevel.key as levelKey'])
    .select(['ending.runsUntil as endsAt', 'membershipLevel.currency'])
    .select(sql<number | string>`coalesce(membership.renewal_amount, membership_level.unit_amount)`.as('amount'))
    .select(
      sql<number>`case when membership.stripe_status in ('active', 'trialing')
        and membership.cancel_at_period_end = 0 then 1 else 0 end`.as('isAutomatic'),
    )
    .orderBy('ending.runsUntil')
    .orderBy('account.id')
    .execute()
  return rows.map((row) => ({
    ...row,
    endsAt: Number(row.endsAt),
    amount: Number(row.amount),
    isAutomatic: Number(row.isAutomatic) === 1,
  }))
}
