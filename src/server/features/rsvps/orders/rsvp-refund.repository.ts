import type { Db } from '#server/db/database.ts'
import { sumCompletedRefunds } from '#server/features/orders/payments/refund.queries.ts'
import { failedRefunds } from './rsvp-price.rules.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'

/** A payment that got seats; `left` is the amount neither refunded nor being refunded. */
export interface SeatPayment {
  id: string
  rsvpId: string
  amount: number
  currency: string
  left: number
  paidAt: number
}

/** For all parties of an event, or for one. */
export async function listSeatPayments(
  db: Db,
  about: { eventId: string } | { rsvpId: string },
): Promise<SeatPayment[]> {
  const rows = await db
    .selectFrom('rsvpOrder')
    .select((eb) => [
      'id',
      'rsvpId',
      'amount',
      'currency',
      'paidAt',
      'amountRefunded',
      'disputeState',
      eb
        .selectFrom('refund')
        .whereRef('refund.paymentId', '=', 'rsvpOrder.id')
        .where('refund.refusedAt', 'is', null)
        .select((inner) => inner.fn.sum<string | number>('refund.amount').as('sum'))
        .as('asked'),
    ])
    .where('state', '=', 'paid')
    .where('isSeated', '=', 1)
    .where('voidedAt', 'is', null)
    .$if('eventId' in about, (query) => query.where('eventId', '=', 'eventId' in about ? about.eventId : ''))
    .$if('rsvpId' in about, (query) => query.where('rsvpId', '=', 'rsvpId' in about ? about.rsvpId : ''))
    .orderBy('paidAt')
    .execute()
  return rows.map((row) => {
    // Refunds made in the provider's dashboard are not among those requested here.
    const refunded = row.disputeState === 'lost' ? row.amount : Math.max(Number(row.asked ?? 0), row.amountRefunded)
    return {
      id: row.id,
      rsvpId: row.rsvpId ?? '',
      amount: row.amount,
      currency: row.currency,
      left: Math.max(0, row.amount - refunded),
      paidAt: row.paidAt ?? 0,
    }
  })
}

/** Cents refunded to a party because its event was canceled at or after an instant. */
export async function sumCancellationRefunds(db: Db, rsvpId: string, calledOffAt: number): Promise<number> {
  const row = await db
    .selectFrom('refund')
    .innerJoin('rsvpOrder', 'rsvpOrder.id', 'refund.paymentId')
    .select((eb) => eb.fn.sum<string | number | null>('refund.amount').as('sum'))
    .where('rsvpOrder.rsvpId', '=', rsvpId)
    .where('refund.reason', '=', 'called-off')
    .where('refund.askedAt', '>=', calledOffAt)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Cents of an order whose refunds failed at the bank. */
export async function sumFailedRefunds(db: Db, order: RsvpOrder): Promise<number> {
  return failedRefunds({ ...order, made: await sumCompletedRefunds(db, order.id) })
}

/** Unrefunded cents by RSVP, for parties that paid. */
export async function sumSeatPayments(
  db: Db,
  about: { eventId: string } | { rsvpId: string },
): Promise<Map<string, number>> {
  const paid = new Map<string, number>()
  for (const { rsvpId, left } of await listSeatPayments(db, about))
    if (left > 0) paid.set(rsvpId, (paid.get(rsvpId) ?? 0) + left)
  return paid
}

/** Cents that guests of these events paid, without refunds made or in progress. */
export async function listPaidByEvent(db: Db, eventIds: readonly string[]): Promise<Map<string, number>> {
  const paid = new Map<string, number>()
  for (const eventId of eventIds) {
    const payments = await listSeatPayments(db, { eventId })
    if (payments.length > 0)
      paid.set(
        eventId,
        payments.reduce((sum, { left }) => sum + left, 0),
      )
  }
  return paid
}
