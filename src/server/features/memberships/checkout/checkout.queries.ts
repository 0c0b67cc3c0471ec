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
    personId: row.person_id,
    levelKey: row.level_key,
    amount: row.amount,
    credit: row.credit,
    currency: row.currency,
    mode: row.mode,
    state: row.state,
    attempt: row.attempt,
    leasedUntil: row.leased_until,
    stripeSessionId: row.stripe_session_id,
    url: row.url,
    nonceHash: row.nonce_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
    completedAt: row.completed_at,
    tokenIssuedAt: row.token_handed_at,
    checkedAt: row.checked_at,
    allowsCodes: row.allows_codes === 1,
  }
}
