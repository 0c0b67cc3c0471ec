import { sql } from 'kysely'
import type { MembershipStatus } from '#contract/public/account.ts'
import type { Db } from '#server/db/database.ts'
import { overdueSince } from '#server/jobs/outbox-records.repository.ts'
import { membershipStatus } from '#server/features/memberships/membership.rules.ts'

export interface OutboxCounts {
  /** Due or scheduled, dead letters excluded. */
  waiting: number
  givenUp: number
  /** How long the oldest one is overdue, in milliseconds. */
  oldestWaitsMs: number
}

/** Counts emails separately: they depend on the mail server, the rest mostly on the card provider. */
export async function countOutbox(db: Db, now: number): Promise<Record<'emails' | 'rest', OutboxCounts>> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => [
      sql<number>`case when kind like 'email.%' then 1 else 0 end`.as('is_email'),
      sql<number>`count(*) - count(dead_at)`.as('waiting'),
      sql<number>`count(dead_at)`.as('dead'),
      eb.fn.min(eb.case().when('dead_at', 'is', null).then(overdueSince).end()).as('oldest'),
    ])
    .where('done_at', 'is', null)
    .groupBy(sql`1`)
    .execute()
  const countsOf = (isEmail: number): OutboxCounts => {
    const row = rows.find((candidate) => Number(candidate.is_email) === isEmail)
    const oldest = row?.oldest ?? null
    return {
      waiting: Number(row?.waiting ?? 0),
      givenUp: Number(row?.dead ?? 0),
      oldestWaitsMs: oldest === null ? 0 : Math.max(0, now - Number(oldest)),
    }
  }
  return { emails: countsOf(1), rest: countsOf(0) }
}

export interface JobState {
  name: string
  lastDoneAt: number | null
  dueAt: number
  /** The error of the last run; null when it succeeded. */
  error: string | null
}

export async function listJobs(db: Db): Promise<JobState[]> {
  const rows = await db.selectFrom('job').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    name: row.name,
    lastDoneAt: row.last_done_at,
    dueAt: row.due_at,
    error: row.last_error,
  }))
}

/** Counts current memberships by status. Groups memberships with the same inputs, so that the status rule runs once per group. */
export async function countMemberships(
  db: Db,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<Partial<Record<MembershipStatus, number>>> {
  const columns = [
    'kind',
    'stripe_status',
    'cancel_at_period_end',
    'past_due_since',
    'next_attempt_at',
    'gave_up_at',
  ] as const
  const rows = await db
    // Computed in a subquery: PostgreSQL treats the same expression with two parameters as two expressions.
    .selectFrom((eb) =>
      eb
        .selectFrom('membership')
        .select([
          ...columns,
          sql<number>`case when ends_at <= ${now} then 1 else 0 end`.as('is_over'),
          sql<number>`case when ended_at <= ${now} then 1 else 0 end`.as('has_ended'),
        ])
        .where('is_current', '=', 1)
        .as('present'),
    )
    .select((eb) => [...columns, 'is_over', 'has_ended', eb.fn.countAll<number>().as('count')])
    .groupBy([...columns, 'is_over', 'has_ended'])
    .execute()
  const counts: Partial<Record<MembershipStatus, number>> = {}
  for (const row of rows) {
    const status = membershipStatus(
      {
        kind: row.kind,
        stripeStatus: row.stripe_status,
        cancelAtPeriodEnd: row.cancel_at_period_end === 1,
        pastDueSince: row.past_due_since,
        nextAttemptAt: row.next_attempt_at,
        gaveUpAt: row.gave_up_at,
        endsAt: Number(row.is_over) === 1 ? now : now + 1,
        endedAt: Number(row.has_ended) === 1 ? now : null,
      },
      now,
      graceMs,
    )
    counts[status] = (counts[status] ?? 0) + Number(row.count)
  }
  return counts
}

export async function countDeliveries(db: Db): Promise<{ state: string; count: number }[]> {
  const rows = await db
    .selectFrom('delivery')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return rows.map(({ state, count }) => ({ state, count: Number(count) }))
}

export async function countMailings(db: Db): Promise<{ state: string; count: number }[]> {
  const rows = await db
    .selectFrom('mailing')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return rows.map(({ state, count }) => ({ state, count: Number(count) }))
}

/**
 * When the card provider must have sent its last webhook event, judging by our own records: a payment, or a session of ours that expired. null when there was
 * none since `since`.
 */
export async function findLastExpectedEvent(
  db: Db,
  { since, until }: { since: number; until: number },
): Promise<number | null> {
  const paid = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.max('paid_at').as('at'))
    .where('payment_intent_id', 'is not', null)
    .where('paid_at', '>=', since)
    .where('paid_at', '<=', until)
    .executeTakeFirst()
  const sponsored = await db
    .selectFrom('sponsorship')
    .select((eb) => eb.fn.max('paid_at').as('at'))
    .where('payment_reference', 'is not', null)
    .where('paid_at', '>=', since)
    .where('paid_at', '<=', until)
    .executeTakeFirst()
  const seats = await db
    .selectFrom('rsvp_order')
    .select((eb) => eb.fn.max('paid_at').as('at'))
    .where('payment_reference', 'is not', null)
    .where('paid_at', '>=', since)
    .where('paid_at', '<=', until)
    .executeTakeFirst()
  const expired = await db
    .selectFrom('checkout')
    .select((eb) => eb.fn.max('expires_at').as('at'))
    .where('stripe_session_id', 'is not', null)
    .where('state', 'in', ['open', 'expired'])
    .where('expires_at', '>=', since)
    .where('expires_at', '<=', until)
    .executeTakeFirst()
  const timestamps = [paid, sponsored, seats, expired].flatMap((row) =>
    row && row.at !== null ? [Number(row.at)] : [],
  )
  return timestamps.length === 0 ? null : Math.max(...timestamps)
}

/** Measures a minimal query, in milliseconds. */
export async function measureDatabase(db: Db): Promise<number> {
  const startedAt = performance.now()
  await db.selectFrom('content_version').select('version').executeTakeFirst()
  return performance.now() - startedAt
}
