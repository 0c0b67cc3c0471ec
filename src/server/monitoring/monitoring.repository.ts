import { sql } from 'kysely'
import type { MembershipStatus } from '#contract/public/account.ts'
import type { Db } from '#server/db/database.ts'
import { overdueSince } from '#server/jobs/outbox-records.repository.ts'
import { membershipStatus } from '#server/features/memberships/membership.rules.ts'

export interface OutboxCounts {
  /** Due now, or failed and retried later; dead letters and what is planned for later are excluded. */
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
      sql<number>`case when kind like 'email.%' then 1 else 0 end`.as('isEmail'),
      sql<number>`sum(case when dead_at is null and ${overdueSince} <= ${now} then 1 else 0 end)`.as('waiting'),
      sql<number>`count(dead_at)`.as('dead'),
      eb.fn.min(eb.case().when('deadAt', 'is', null).then(overdueSince).end()).as('oldest'),
    ])
    .where('doneAt', 'is', null)
    .groupBy(sql`1`)
    .execute()
  const countsOf = (isEmail: number): OutboxCounts => {
    const row = rows.find((candidate) => Number(candidate.isEmail) === isEmail)
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
    lastDoneAt: row.lastDoneAt,
    dueAt: row.dueAt,
    error: row.lastError,
  }))
}

/** Counts current memberships by status. Groups memberships with the same inputs, so that the status rule runs once per group. */
export async function countMemberships(
  db: Db,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<Partial<Record<MembershipStatus, number>>> {
  const columns = ['kind', 'stripeStatus', 'cancelAtPeriodEnd', 'pastDueSince', 'nextAttemptAt', 'gaveUpAt'] as const
  const rows = await db
    // Computed in a subquery: PostgreSQL treats the same expression with two parameters as two expressions.
    .selectFrom((eb) =>
      eb
        .selectFrom('membership')
        .select([
          ...columns,
          sql<number>`case when ends_at <= ${now} then 1 else 0 end`.as('isOver'),
          sql<number>`case when ended_at <= ${now} then 1 else 0 end`.as('hasEnded'),
        ])
        .where('isCurrent', '=', 1)
        .as('present'),
    )
    .select((eb) => [...columns, 'isOver', 'hasEnded', eb.fn.countAll<number>().as('count')])
    .groupBy([...columns, 'isOver', 'hasEnded'])
    .execute()
  const counts: Partial<Record<MembershipStatus, number>> = {}
  for (const row of rows) {
    const status = membershipStatus(
      {
        kind: row.kind,
        stripeStatus: row.stripeStatus,
        cancelAtPeriodEnd: row.cancelAtPeriodEnd === 1,
        pastDueSince: row.pastDueSince,
        nextAttemptAt: row.nextAttemptAt,
        gaveUpAt: row.gaveUpAt,
        endsAt: Number(row.isOver) === 1 ? now : now + 1,
        endedAt: Number(row.hasEnded) === 1 ? now : null,
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
    .select((eb) => eb.fn.max('paidAt').as('at'))
    .where('paymentIntentId', 'is not', null)
    .where('paidAt', '>=', since)
    .where('paidAt', '<=', until)
    .executeTakeFirst()
  const sponsored = await db
    .selectFrom('sponsorship')
    .select((eb) => eb.fn.max('paidAt').as('at'))
    .where('paymentReference', 'is not', null)
    .where('paidAt', '>=', since)
    .where('paidAt', '<=', until)
    .executeTakeFirst()
  const seats = await db
    .selectFrom('rsvpOrder')
    .select((eb) => eb.fn.max('paidAt').as('at'))
    .where('paymentReference', 'is not', null)
    .where('paidAt', '>=', since)
    .where('paidAt', '<=', until)
    .executeTakeFirst()
  const expired = await db
    .selectFrom('checkout')
    .select((eb) => eb.fn.max('expiresAt').as('at'))
    .where('stripeSessionId', 'is not', null)
    .where('state', 'in', ['open', 'expired'])
    .where('expiresAt', '>=', since)
    .where('expiresAt', '<=', until)
    .executeTakeFirst()
  const timestamps = [paid, sponsored, seats, expired].flatMap((row) =>
    row && row.at !== null ? [Number(row.at)] : [],
  )
  return timestamps.length === 0 ? null : Math.max(...timestamps)
}

/** Measures a minimal query, in milliseconds. */
export async function measureDatabase(db: Db): Promise<number> {
  const startedAt = performance.now()
  await db.selectFrom('contentVersion').select('version').executeTakeFirst()
  return performance.now() - startedAt
}
