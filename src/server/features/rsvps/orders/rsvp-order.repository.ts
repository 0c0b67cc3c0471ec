import type { Db, Tx } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { PENDING_STATES } from '#server/features/orders/order.queries.ts'
import type { RefundState } from '#server/features/orders/order-refund-sync.service.ts'
import { type RsvpOrder, toOrder } from './rsvp-order.queries.ts'
import { queries } from './rsvp-order.commands.ts'

export type NewRsvpOrder = Pick<
  RsvpOrder,
  | 'id'
  | 'eventId'
  | 'title'
  | 'rsvpId'
  | 'name'
  | 'email'
  | 'guests'
  | 'meals'
  | 'seats'
  | 'ownPrice'
  | 'guestPrice'
  | 'lines'
  | 'amount'
  | 'currency'
  | 'nonceHash'
  | 'createdAt'
  | 'expiresAt'
>

/** Call with the RSVP settings locked, when this address has no other unfinished or open order for the event. */
export async function insertRsvpOrder(tx: Tx, order: NewRsvpOrder): Promise<void> {
  await tx
    .insertInto('rsvp_order')
    .values({
      id: order.id,
      event_id: order.eventId,
      title: order.title,
      rsvp_id: order.rsvpId,
      name: order.name,
      email: order.email,
      email_key: nameKey(order.email),
      guests: order.guests,
      meals: JSON.stringify(order.meals),
      seats: order.seats,
      own_price: order.ownPrice,
      guest_price: order.guestPrice,
      lines: JSON.stringify(order.lines),
      amount: order.amount,
      currency: order.currency,
      state: 'creating',
      open_key: openKeyOf(order),
      attempt: 0,
      leased_until: null,
      stripe_session_id: null,
      url: null,
      nonce_hash: order.nonceHash,
      created_at: order.createdAt,
      expires_at: order.expiresAt,
      checked_at: order.createdAt,
      paid_at: null,
      payment_reference: null,
      receipt_number: null,
      is_seated: null,
      amount_refunded: 0,
      refunded_at: null,
      dispute_state: null,
    })
    .execute()
}

export async function findRsvpOrderByPayment(db: Db, paymentIntentId: string): Promise<RsvpOrder | null> {
  const row = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('payment_reference', '=', paymentIntentId)
    .executeTakeFirst()
  return row ? toOrder(row) : null
}

/** The unfinished or open order of an address at an event. */
export function findOpenRsvpOrder(db: Db, about: Pick<RsvpOrder, 'eventId' | 'email'>): Promise<RsvpOrder | null> {
  return queries.findOpen(db, openKeyOf(about))
}

/** Seats held by orders, by event. */
export async function countSeatsHeldByOrders(db: Db, eventId?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('rsvp_order')
    .select((eb) => ['event_id', eb.fn.sum<string | number>('seats').as('seats')])
    .where('state', 'in', PENDING_STATES)
    .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId ?? ''))
    .groupBy('event_id')
    .execute()
  return new Map(rows.map(({ event_id: id, seats }) => [id, Number(seats)]))
}

/** True only for the one call that completes it. */
export async function markRsvpOrderPaid(
  tx: Tx,
  id: string,
  paid: {
    stripeSessionId: string
    paymentReference: string | null
    paidAt: number
    receiptNumber: string
    rsvpId: string | null
    isSeated: boolean
    now: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rsvp_order')
    .set({
      state: 'paid',
      open_key: null,
      leased_until: null,
      stripe_session_id: paid.stripeSessionId,
      payment_reference: paid.paymentReference,
      paid_at: paid.paidAt,
      receipt_number: paid.receiptNumber,
      rsvp_id: paid.rsvpId,
      is_seated: paid.isSeated ? 1 : 0,
      checked_at: paid.now,
    })
    .where('id', '=', id)
    .where('state', '!=', 'paid')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores refunds and disputes reported by the provider. */
export async function updateRsvpOrderRefunds(
  db: Db,
  id: string,
  { amountRefunded, refundedAt, dispute }: RefundState,
): Promise<void> {
  await db
    .updateTable('rsvp_order')
    .set({ amount_refunded: amountRefunded, refunded_at: refundedAt, dispute_state: dispute })
    .where('id', '=', id)
    .execute()
}

/** Unfinished and open orders of an event. */
export async function listOpenRsvpOrders(db: Db, eventId: string): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('state', 'in', PENDING_STATES)
    .execute()
  return rows.map(toOrder)
}

/** Orders whose session has expired by our clock, longest unchecked first. */
export async function listExpiredRsvpOrders(db: Db, now: number, limit: number): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('state', 'in', PENDING_STATES)
    .where('expires_at', '<=', now)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
  return rows.map(toOrder)
}

/** Deletes old orders that were never paid. */
export async function deleteUnpaidRsvpOrders(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('rsvp_order')
    .where('state', 'in', ['expired', 'failed'])
    .where('created_at', '<', before)
    .execute()
}

function openKeyOf({ eventId, email }: Pick<RsvpOrder, 'eventId' | 'email'>): string {
  return `${eventId} ${nameKey(email)}`
}
