import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import type { Schema } from '#server/db/schema/schema.ts'
import { isNotRefunded } from '#server/features/sponsors/orders/sponsorship.queries.ts'

async function countOf<TB extends keyof Schema>(query: SelectQueryBuilder<Schema, TB, object>): Promise<number> {
  const row = await query.select(sql<number | string>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface OpenMessages {
  open: number
  /** Epoch milliseconds; null when none is open. */
  oldest: number | null
}

export async function countOpenMessages(db: Kysely<Schema>): Promise<OpenMessages> {
  const row = await db
    .selectFrom('contactMessage')
    .select((eb) => [eb.fn.countAll<number | string>().as('open'), eb.fn.min('receivedAt').as('oldest')])
    .where('answeredAt', 'is', null)
    .where('spamAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), oldest: row.oldest === null ? null : Number(row.oldest) }
}

/** Counts open messages whose subject contains a word. */
export function countMessagesAbout(db: Kysely<Schema>, word: string): Promise<number> {
  return countOf(
    db
      .selectFrom('contactMessage')
      .where('answeredAt', 'is', null)
      .where('spamAt', 'is', null)
      .where(sql<string>`lower(subject)`, 'like', `%${word}%`),
  )
}

/** Counts subscribers whose email has bounced since a time. */
export function countBouncedSubscribers(db: Kysely<Schema>, since: number): Promise<number> {
  return countOf(db.selectFrom('subscriber').where('state', '=', 'bounced').where('leftAt', '>=', since))
}

/** Counts the benefits still due to sponsors who paid. */
export async function countBenefitsDue(db: Kysely<Schema>): Promise<number> {
  const paid = () => db.selectFrom('sponsorship').where('state', '=', 'paid').where(isNotRefunded)
  const counts = await Promise.all([
    countOf(paid().where('remarksMinutes', 'is not', null).where('remarksDoneAt', 'is', null)),
    countOf(paid().where('reservedTable', '=', 1).where('reservedTableDoneAt', 'is', null)),
    countOf(paid().where('logoUntil', 'is not', null).where('logoDoneAt', 'is', null)),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}
