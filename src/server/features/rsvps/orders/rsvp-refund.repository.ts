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
    .selectFrom('rsvp_order')
    .select((eb) => [
      'id',
      'rsvp_id',
      'amount',
      'currency',
      'paid_at',
      'amount_refunded',
      'dispute_state',
      eb
        .selectFrom('rsvp_refund')
        .whereRef('rsvp_refund.order_id', '=', 'rsvp_order.id')
        .select((inner) => inner.fn.sum<string | number>('rsvp_refund.amount').as('sum'))
        .as('asked'),
    ])
    .where('state', '=', 'paid')
    .where('is_seated', '=', 1)
    .$if('eventId' in about, (query) => query.where('event_id', '=', 'eventId' in about ? about.eventId : ''))
    .$if('rsvpId' in about, (query) => query.where('rsvp_id', '=', 'rsvpId' in about ? about.rsvpId : ''))
    .orderBy('paid_at')
    .execute()
  return rows.map((row) => {
    // Refunds made in the provider's dashboard are not among those requested here.
    const refunded = row.dispute_state === 'lost' ? row.amount : Math.max(Number(row.asked ?? 0), row.amount_refunded)
    return {
      id: row.id,
      rsvpId: row.rsvp_id ?? '',
      amount: row.amount,
      currency: row.currency,
      left: Math.max(0, row.amount - refunded),
      paidAt: row.paid_at ?? 0,
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
    .insertInto('rsvp_refund')
    .values({
      id: refund.id,
      order_id: refund.orderId,
      amount: refund.amount,
      reason: refund.reason,
      note: refund.note,
      asked_by: refund.askedBy,
      asked_at: now,
      done_at: null,
    })
    .execute()
}

/** Cents of an order that were refunded at the provider. Whether they reached the guest is recorded on the order. */
async function sumCompletedRefunds(db: Db, orderId: string): Promise<number> {
  const row = await db
    .selectFrom('rsvp_refund')
    .select((eb) => eb.fn.sum<string | number | null>('amount').as('sum'))
    .where('order_id', '=', orderId)
    .where('done_at', 'is not', null)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

/** Marks the completed refunds of an order as open again. Returns their ids. */
export async function reopenRsvpRefunds(tx: Tx, orderId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('rsvp_refund')
    .set({ done_at: null, asked_at: now })
    .where('order_id', '=', orderId)
    .where('done_at', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Cents refunded to a party because its event was canceled at or after an instant. */
export async function sumCancellationRefunds(db: Db, rsvpId: string, calledOffAt: number): Promise<number> {
  const row = await db
    .selectFrom('rsvp_refund')
    .innerJoin('rsvp_order', 'rsvp_order.id', 'rsvp_refund.order_id')
    .select((eb) => eb.fn.sum<string | number | null>('rsvp_refund.amount').as('sum'))
    .where('rsvp_order.rsvp_id', '=', rsvpId)
    .where('rsvp_refund.reason', '=', 'called-off')
    .where('rsvp_refund.asked_at', '>=', calledOffAt)
    .executeTakeFirst()
  return Number(row?.sum ?? 0)
}

export async function findRsvpRefund(db: Db, id: string): Promise<RsvpRefund | null> {
  const row = await db.selectFrom('rsvp_refund').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const { order_id: orderId, amount, reason, note, asked_by: askedBy, done_at: doneAt } = row
  return { id, orderId, amount, reason, note, askedBy, doneAt }
}

/** Returns false if it was already marked. */
export async function markRsvpRefundDone(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rsvp_refund')
    .set({ done_at: now })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cents of an order whose refunds failed at the bank. */
export async function sumFailedRefunds(db: Db, order: RsvpOrder): Promise<number> {
  return failedRefunds({ ...order, made: await sumCompletedRefunds(db, order.id) })
}
