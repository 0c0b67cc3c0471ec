import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpOrderTable } from '#server/db/events-schema.ts'
import type { OrderLine } from '#server/payments/payment-gateway.ts'
import { nameKey } from '../account/account.repository.ts'
import { orderQueries, UNSETTLED } from '../billing/order.repository.ts'
import type { Returned } from '../billing/order-returns.ts'

/** Seats that somebody pays on the provider's hosted page. */
export interface RsvpOrder {
  id: string
  eventId: string
  title: string
  rsvpId: string | null
  name: string
  email: string
  guests: number
  meals: string[]
  /** Held while it is unfinished or open, besides those of its RSVP. */
  seats: number
  ownPrice: number
  guestPrice: number
  lines: OrderLine[]
  amount: number
  currency: string
  state: RsvpOrderTable['state']
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  checkedAt: number
  paidAt: number | null
  paymentReference: string | null
  receiptNumber: string | null
  isSeated: boolean | null
  amountRefunded: number
  dispute: RsvpOrderTable['dispute_state']
}

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

/** Call with the offer held and no other order of this address at this event unfinished or open. */
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

const queries = orderQueries('rsvp_order', toOrder)

export const {
  find: findRsvpOrder,
  findBySession: findRsvpOrderBySession,
  listUnsettled: listUnsettledRsvpOrders,
  lease: leaseRsvpOrder,
  release: releaseRsvpOrder,
  markOpen: markRsvpOrderOpen,
  close: closeRsvpOrder,
  touch: touchRsvpOrder,
} = queries

/** The order of an address at an event that is being made or open. */
export function findOpenRsvpOrder(db: Db, about: Pick<RsvpOrder, 'eventId' | 'email'>): Promise<RsvpOrder | null> {
  return queries.findOpen(db, openKeyOf(about))
}

/** Persons whose seats are held by orders, of every event that has any. */
export async function countHeld(db: Db, eventId?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('rsvp_order')
    .select((eb) => ['event_id', eb.fn.sum<string | number>('seats').as('seats')])
    .where('state', 'in', UNSETTLED)
    .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId ?? ''))
    .groupBy('event_id')
    .execute()
  return new Map(rows.map(({ event_id: id, seats }) => [id, Number(seats)]))
}

/** True for the one call that settles it. */
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

/** What the provider says came back of it. */
export async function updateRsvpOrderReturned(
  db: Db,
  id: string,
  { amountRefunded, refundedAt, dispute }: Returned,
): Promise<void> {
  await db
    .updateTable('rsvp_order')
    .set({ amount_refunded: amountRefunded, refunded_at: refundedAt, dispute_state: dispute })
    .where('id', '=', id)
    .execute()
}

/** What is being paid at an event just now. */
export async function listOpenRsvpOrders(db: Db, eventId: string): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('state', 'in', UNSETTLED)
    .execute()
  return rows.map(toOrder)
}

/** Orders whose page has ended by now, as far as our clock knows; first those that nothing was heard of for longest. */
export async function listEndedRsvpOrders(db: Db, now: number, limit: number): Promise<RsvpOrder[]> {
  const rows = await db
    .selectFrom('rsvp_order')
    .selectAll()
    .where('state', 'in', UNSETTLED)
    .where('expires_at', '<=', now)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
  return rows.map(toOrder)
}

/** Who never paid need not be remembered. */
export async function forgetUnpaidRsvpOrders(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('rsvp_order')
    .where('state', 'in', ['expired', 'failed'])
    .where('created_at', '<', before)
    .execute()
}

function openKeyOf({ eventId, email }: Pick<RsvpOrder, 'eventId' | 'email'>): string {
  return `${eventId} ${nameKey(email)}`
}

function toOrder(row: RsvpOrderTable): RsvpOrder {
  return {
    id: row.id,
    eventId: row.event_id,
    title: row.title,
    rsvpId: row.rsvp_id,
    name: row.name,
    email: row.email,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    seats: row.seats,
    ownPrice: row.own_price,
    guestPrice: row.guest_price,
    lines: JSON.parse(row.lines) as OrderLine[],
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leased_until,
    stripeSessionId: row.stripe_session_id,
    url: row.url,
    nonceHash: row.nonce_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    checkedAt: row.checked_at,
    paidAt: row.paid_at,
    paymentReference: row.payment_reference,
    receiptNumber: row.receipt_number,
    isSeated: row.is_seated === null ? null : row.is_seated === 1,
    amountRefunded: row.amount_refunded,
    dispute: row.dispute_state,
  }
}
