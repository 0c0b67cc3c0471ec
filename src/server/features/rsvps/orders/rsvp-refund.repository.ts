import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpRefundTable } from '#server/db/schema/events-schema.ts'
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
        .selectFrom('rsvpRefund')
        .whereRef('rsvpRefund.orderId', '=', 'rsvpOrder.id')
        .select((inner) => inner.fn.sum<string | number>('rsvpRefund.amount').as('sum'))
        .as('asked'),
    ])
    .where('state', '=', 'paid')
    .where('isSeated', '=', 1)
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

export interface RsvpRefund {
  id: string
  orderId: string
  amount: number
  reason: RsvpRefundTable['reason']
  note: string | null
  askedBy: string
  doneAt: number | null
}

export async function insertRsvpRefund(tx: Tx, refund: Omit<RsvpRefund, 'doneAt'>, now: number): Promise<void> {
  await tx
    .insertInto('rsvpRefund')
    .values({
      id: refund.id,
      orderId: refund.orderId,
      amount: refund.amount,
      reason: refund.reason,
      note: refund.note,
      askedBy: refund.askedBy,
      askedAt: now,
      doneAt: null,
    })
    .execute()
}

/** Cents of an order that were refunded at the provider. Whether they reached the guest is recorded on the order. */
async function sumCompletedRefunds(db: Db, orderId: string): Promise<number> {
  const row = await db
    .selectFrom('rsvpRefund')
    .select((eb) => eb.fn.sum<string | number | null>('amount').as('sum'))
    .where('orderId', '=', orderId)
    .where('doneAt', 'is not', null)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Marks the completed refunds of an order as open again. Returns their ids. */
export async function reopenRsvpRefunds(tx: Tx, orderId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('rsvpRefund')
    .set({ doneAt: null, askedAt: now })
    .where('orderId', '=', orderId)
    .where('doneAt', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Cents refunded to a party because its event was canceled at or after an instant. */
export async function sumCancellationRefunds(db: Db, rsvpId: string, calledOffAt: number): Promise<number> {
  const row = await db
    .selectFrom('rsvpRefund')
    .innerJoin('rsvpOrder', 'rsvpOrder.id', 'rsvpRefund.orderId')
    .select((eb) => eb.fn.sum<string | number | null>('rsvpRefund.amount').as('sum'))
    .where('rsvpOrder.rsvpId', '=', rsvpId)
    .where('rsvpRefund.reason', '=', 'called-off')
    .where('rsvpRefund.askedAt', '>=', calledOffAt)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

export async function findRsvpRefund(db: Db, id: string): Promise<RsvpRefund | null> {
  const row = await db.selectFrom('rsvpRefund').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const { orderId, amount, reason, note, askedBy, doneAt } = row
  return { id, orderId, amount, reason, note, askedBy, doneAt }
}

/** Returns false if it was already marked. */
export async function markRsvpRefundDone(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rsvpRefund')
    .set({ doneAt: now })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cents of an order whose refunds failed at the bank. */
export async function sumFailedRefunds(db: Db, order: RsvpOrder): Promise<number> {
  return failedRefunds({ ...order, made: await sumCompletedRefunds(db, order.id) })
}
