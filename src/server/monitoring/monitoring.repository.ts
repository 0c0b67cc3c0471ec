import { sql } from 'kysely'
import type { MembershipStatus } from '#contract/account.ts'
import type { Db } from '../db/database.ts'
import { waitsSince } from '../platform/outbox.repository.ts'
import { membershipStatus } from '../features/membership/membership.rules.ts'

export interface OutboxCounts {
  /** Due or to come, not given up. */
  waiting: number
  givenUp: number
  /** Of what should have run by now, in milliseconds. */
  oldestWaitsMs: number
}

/** Letters and the rest apart: one waits for the mail server, the other mostly for the card provider. */
export async function countOutbox(db: Db, now: number): Promise<Record<'letters' | 'rest', OutboxCounts>> {
  const rows = await db
    .selectFrom('outbox')
    .select((eb) => [
      sql<number>`case when kind like 'letter.%' then 1 else 0 end`.as('is_letter'),
      sql<number>`count(*) - count(dead_at)`.as('waiting'),
      sql<number>`count(dead_at)`.as('dead'),
      eb.fn.min(eb.case().when('dead_at', 'is', null).then(waitsSince).end()).as('oldest'),
    ])
    .where('done_at', 'is', null)
    .groupBy(sql`1`)
    .execute()
  const of = (isLetter: number): OutboxCounts => {
    const row = rows.find((candidate) => Number(candidate.is_letter) === isLetter)
    const oldest = row?.oldest ?? null
    return {
      waiting: Number(row?.waiting ?? 0),
      givenUp: Number(row?.dead ?? 0),
      oldestWaitsMs: oldest === null ? 0 : Math.max(0, now - Number(oldest)),
    }
  }
  return { letters: of(1), rest: of(0) }
}

export interface JobState {
  name: string
  lastDoneAt: number | null
  dueAt: number
  /** Of its last turn; null when that went well. */
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

/** How many present memberships have each status: those that differ in nothing the rule looks at are judged once. */
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
    // Worked out first: to PostgreSQL the same expression with two parameters is two expressions.
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
 * When the card provider must have sent a notice last, as far as we know without one: something was paid there, or a session of ours ended. Null when
 * nothing of the kind happened since `since`.
 */
export async function lastNoticeDue(
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
  const instants = [paid, sponsored, seats, expired].flatMap((row) => (row && row.at !== null ? [Number(row.at)] : []))
  return instants.length === 0 ? null : Math.max(...instants)
}

/** How long the database takes for the shortest question, in milliseconds. */
export async function measureDatabase(db: Db): Promise<number> {
  const startedAt = performance.now()
  await db.selectFrom('content_version').select('version').executeTakeFirst()
  return performance.now() - startedAt
}
