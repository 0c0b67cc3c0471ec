import type { Db, Tx } from '#server/db/database.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { PENDING_STATES } from '#server/features/orders/order.queries.ts'
import { NO_PAYMENT, orderPaymentCommands } from '#server/features/orders/order-payment.commands.ts'
import { type RsvpOrder, toOrder } from './rsvp-order.queries.ts'
import { rsvpOrders } from './rsvp-order.commands.ts'

type Given = 'nonceHash' | 'createdAt' | 'expiresAt' | 'id'
type Wanted =
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
  | 'tickets'
  | 'baseTickets'
  | 'amount'
  | 'currency'

/** Call with the RSVP settings locked, when this address has no other unfinished or open order for the event. */
export async function insertRsvpOrder(tx: Tx, order: Pick<RsvpOrder, Given | Wanted>): Promise<void> {
  const isInserted = await rsvpOrders.insert(tx, {
    ...order,
    ...NO_PAYMENT,
    emailKey: nameKey(order.email),
    meals: JSON.stringify(order.meals),
    lines: JSON.stringify(order.lines),
    tickets: JSON.stringify(order.tickets),
    baseTickets: JSON.stringify(order.baseTickets),
    openKey: openKeyOf(order),
    leasedUntil: null,
    isSeated: null,
  })
  if (!isInserted) throw new Error(`seats are already ordered with the address of order ${order.id}`)
}

/** The unfinished or open order of an address at an event. */
export function findOpenRsvpOrder(db: Db, about: Pick<RsvpOrder, 'eventId' | 'email'>): Promise<RsvpOrder | null> {
  return rsvpOrders.findOpen(db, openKeyOf(about))
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

/** Records the payment of an order that was marked as paid, and whether it got its seats. */
export async function recordSeatPayment(
  tx: Tx,
  id: string,
  {
    isSeated,
    rsvpId,
    ...payment
  }: { paymentReference: string | null; receiptNumber: string; rsvpId: string | null; isSeated: boolean },
  now: number,
): Promise<void> {
  await orderPaymentCommands('rsvpOrder', 'seats').record(tx, id, payment, now)
  await tx
    .updateTable('rsvpOrder')
    .set({ rsvpId, isSeated: isSeated ? 1 : 0 })
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

function openKeyOf({ eventId, email }: Pick<RsvpOrder, 'eventId' | 'email'>): string {
  return `${eventId} ${nameKey(email)}`
}
