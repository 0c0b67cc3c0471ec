import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { RefundTable } from '#server/db/schema/money-schema.ts'

export type Refund = RefundTable

/** A refund that was requested and is neither made nor refused. */
export const IS_ON_ITS_WAY = sql<boolean>`refund.done_at is null and refund.refused_at is null`

export async function findRefund(db: Db, id: string): Promise<Refund | null> {
  return (await db.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** All refunds of a payment that an officer or the site requested, oldest first. Those made in the provider's dashboard are not among them. */
export function listRefunds(db: Db, paymentId: string): Promise<Refund[]> {
  return db
    .selectFrom('refund')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .orderBy('askedAt')
    .orderBy('id')
    .execute()
}

/** Cents of a payment that are being refunded. */
export async function sumRefundsOnTheWay(db: Db, paymentId: string): Promise<number> {
  const row = await db
    .selectFrom('refund')
    .select((eb) => eb.fn.sum<string | number | null>('amount').as('sum'))
    .where('paymentId', '=', paymentId)
    .where(IS_ON_ITS_WAY)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Cents of a payment that were refunded at the provider at our request. Whether they arrived is recorded on the payment. */
export async function sumCompletedRefunds(db: Db, paymentId: string): Promise<number> {
  const row = await db
    .selectFrom('refund')
    .select((eb) => eb.fn.sum<string | number | null>('amount').as('sum'))
    .where('paymentId', '=', paymentId)
    .where('doneAt', 'is not', null)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}
