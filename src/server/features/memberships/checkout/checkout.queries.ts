import type { CheckoutState, CheckoutTable } from '#server/db/schema/membership-schema.ts'

export interface Checkout {
  id: string
  personId: string
  levelKey: string
  /** Charged today: the level's price minus `credit`. */
  amount: number
  credit: number
  currency: string
  mode: 'subscription' | 'payment'
  state: CheckoutState
  attempt: number
  leasedUntil: number | null
  stripeSessionId: string | null
  url: string | null
  nonceHash: string
  createdAt: number
  expiresAt: number
  paidAt: number | null
  completedAt: number | null
  tokenIssuedAt: number | null
  checkedAt: number
  /** Whether the hosted page accepts coupon codes. */
  allowsCodes: boolean
}

export function toCheckout(row: CheckoutTable): Checkout {
  return {
    id: row.id,
    personId: row.personId,
    levelKey: row.levelKey,
    amount: row.amount,
    credit: row.credit,
    currency: row.currency,
    mode: row.mode,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leasedUntil,
    stripeSessionId: row.stripeSessionId,
    url: row.url,
    nonceHash: row.nonceHash,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    paidAt: row.paidAt,
    completedAt: row.completedAt,
    tokenIssuedAt: row.tokenHandedAt,
    checkedAt: row.checkedAt,
    allowsCodes: row.allowsCodes === 1,
  }
}
