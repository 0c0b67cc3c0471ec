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
    .insertInto('rsvpOrder')
    .values({
      id: order.id,
      eventId: order.eventId,
      title: order.title,
      rsvpId: order.rsvpId,
      name: order.name,
      email: order.email,
      emailKey: nameKey(order.email),
      guests: order.guests,
      meals: JSON.stringify(order.meals),
      seats: order.seats,
      ownPrice: order.ownPrice,
      guestPrice: order.guestPrice,
      lines: JSON.stringify(order.lines),
      amount: order.amount,
      currency: order.currency,
      state: 'creating',
      openKey: openKeyOf(order),
      attempt: 0,
      leasedUntil: null,
      stripeSessionId: null,
      url: null,
      nonceHash: order.nonceHash,
      createdAt: order.createdAt,
      expiresAt: order.expiresAt,
      checkedAt: order.createdAt,
      paidAt: null,
      paymentReference: null,
      receiptNumber: null,
      isSeated: null,
      amountRefunded: 0,
      refundedAt: null,
      disputeState: null,
    })
    .execute()
}

export async function findRsvpOrderByPayment(db: Db, paymentIntentId: string): Promise<RsvpOrder | null> {
  const row = await db
    .selectFrom('rsvpOrder')
    .selectAll()
    .where('paymentReference', '=', paymentIntentId)
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
    .selectFrom('rsvpOrder')
    .select((eb) => ['eventId', eb.fn.sum<string | number>('seats').as('seats')])
    .where('state', 'in', PENDING_STATES)
    .$if(eventId !== undefined, (query) => query.where('eventId', '=', eventId ?? ''))
    .groupBy('eventId')
    .execute()
  return new Map(rows.map(({ eventId: id, seats }) => [id, Number(seats)]))
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
    .updateTable('rsvpOrder')
    .set({
      state: 'paid',
      openKey: null,
      leasedUntil: null,
      stripeSessionId: paid.stripeSessionId,
      paymentReference: paid.paymentReference,
      paidAt: paid.paidAt,
      receiptNumber: paid.receiptNumber,
      rsvpId: paid.rsvpId,
      isSeated: paid.isSeated ? 1 : 0,
      checkedAt: paid.now,
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
    .updateTable('rsvpOrder')
    .set({ amountRefunded, refundedAt, disputeState: dispute })
    .where('id', '=', id)
    .execute()
}

/** Unfinished and open orders of an event. */
export async function listOpenRsvpOrders(db: Db, eventId: string): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvpOrder')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('state', 'in', PENDING_STATES)
    .execute()
  return rows.map(toOrder)
}

/** Orders whose session has expired by our clock, longest unchecked first. */
export async function listExpiredRsvpOrders(db: Db, now: number, limit: number): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvpOrder')
    .selectAll()
    .where('state', 'in', PENDING_STATES)
    .where('expiresAt', '<=', now)
    .orderBy('checkedAt')
    .limit(limit)
    .execute()
  return rows.map(toOrder)
}

/** Deletes old orders that were never paid. */
export async function deleteUnpaidRsvpOrders(db: Db, before: number): Promise<void> {
  await db.deleteFrom('rsvpOrder').where('state', 'in', ['expired', 'failed']).where('createdAt', '<', before).execute()
}

function openKeyOf({ eventId, email }: Pick<RsvpOrder, 'eventId' | 'email'>): string {
  return `${eventId} ${nameKey(email)}`
}
