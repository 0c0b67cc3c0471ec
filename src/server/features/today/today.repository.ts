import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import { BOOKED_AT } from '../membership/payment.repository.ts'
import { isStillOurs } from '../sponsors/sponsorship.repository.ts'

async function countOf<TB extends keyof Schema>(query: SelectQueryBuilder<Schema, TB, object>): Promise<number> {
  const row = await query.select(sql<number | string>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface WaitingMessages {
  open: number
  /** Epoch milliseconds; null when none is open. */
  oldest: number | null
}

export async function countWaitingMessages(db: Kysely<Schema>): Promise<WaitingMessages> {
  const row = await db
    .selectFrom('contact_message')
    .select((eb) => [eb.fn.countAll<number | string>().as('open'), eb.fn.min('received_at').as('oldest')])
    .where('answered_at', 'is', null)
    .where('spam_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), oldest: row.oldest === null ? null : Number(row.oldest) }
}

/** Messages to answer whose subject has a word. */
export function countMessagesAbout(db: Kysely<Schema>, word: string): Promise<number> {
  return countOf(
    db
      .selectFrom('contact_message')
      .where('answered_at', 'is', null)
      .where('spam_at', 'is', null)
      .where(sql<string>`lower(subject)`, 'like', `%${word}%`),
  )
}

export function countWaitingCredentials(db: Kysely<Schema>): Promise<number> {
  return countOf(db.selectFrom('credential').where('status', '=', 'waiting'))
}

/** Readers whose letters came back since an instant. */
export function countBouncedReaders(db: Kysely<Schema>, since: number): Promise<number> {
  return countOf(db.selectFrom('subscriber').where('state', '=', 'bounced').where('left_at', '>=', since))
}

export function countReaders(db: Kysely<Schema>): Promise<number> {
  return countOf(db.selectFrom('subscriber').where('state', '=', 'subscribed'))
}

/** Dues received since an instant and not given back, in cents. */
export async function duesSince(db: Kysely<Schema>, since: number): Promise<number> {
  const { sum } = await db
    .selectFrom('payment')
    .select(
      sql<number | string | null>`sum(case when dispute_state = 'lost' then 0 else amount - amount_refunded end)`.as(
        'sum',
      ),
    )
    .where(BOOKED_AT, '>=', since)
    .executeTakeFirstOrThrow()
  // A canceled record is taken off when it is canceled, as in the treasurer's months.
  const voided = await db
    .selectFrom('payment')
    .select((eb) => eb.fn.sum<number | string | null>('amount').as('sum'))
    .where('voided_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0) - Number(voided.sum ?? 0)
}

/** Of sponsors who paid, what was promised and is not done. */
export async function countOpenPromises(db: Kysely<Schema>): Promise<number> {
  const paid = () => db.selectFrom('sponsorship').where('state', '=', 'paid').where(isStillOurs)
  const counts = await Promise.all([
    countOf(paid().where('remarks_minutes', 'is not', null).where('remarks_done_at', 'is', null)),
    countOf(paid().where('reserved_table', '=', 1).where('reserved_table_done_at', 'is', null)),
    countOf(paid().where('logo_until', 'is not', null).where('logo_done_at', 'is', null)),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}
