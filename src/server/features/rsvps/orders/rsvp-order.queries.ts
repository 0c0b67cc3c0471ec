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
  dispute: RsvpOrderTable['disputeState']
}

export function toOrder(row: RsvpOrderTable): RsvpOrder {
  return {
    id: row.id,
    eventId: row.eventId,
    title: row.title,
    rsvpId: row.rsvpId,
    name: row.name,
    email: row.email,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    seats: row.seats,
    ownPrice: row.ownPrice,
    guestPrice: row.guestPrice,
    lines: JSON.parse(row.lines) as OrderLine[],
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leasedUntil,
    stripeSessionId: row.stripeSessionId,
    url: row.url,
    nonceHash: row.nonceHash,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    checkedAt: row.checkedAt,
    paidAt: row.paidAt,
    paymentReference: row.paymentReference,
    receiptNumber: row.receiptNumber,
    isSeated: row.isSeated === null ? null : row.isSeated === 1,
    amountRefunded: row.amountRefunded,
    dispute: row.disputeState,
  }
}
