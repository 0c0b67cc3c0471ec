import type { RsvpOrderTable } from '#server/db/schema/events-schema.ts'
import type { OrderLine } from '#server/stripe/payment-gateway.ts'

/** An order of seats, paid on the provider's hosted page. */
export interface RsvpOrder {
  id: string
  eventId: string
  title: string
  rsvpId: string | null
  name: string
  email: string
  guests: number
  meals: string[]
  /** Held while the order is unfinished or open, in addition to the seats of its RSVP. */
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

export function toOrder(row: RsvpOrderTable): RsvpOrder {
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
