import type { Db } from '#server/db/database.ts'
import type { CheckoutState, CheckoutTable } from '#server/db/membership-schema.ts'
import { orderQueries } from '../billing/order.repository.ts'

export interface Checkout {
  id: string
  personId: string
  levelKey: string
  /** What is charged today: the level's price less `credit`. */
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
  tokenHandedAt: number | null
  checkedAt: number
  /** Whether the provider's page takes codes. */
  allowsCodes: boolean
}

export type NewCheckout = Pick<
  Checkout,
  | 'id'
  | 'personId'
  | 'levelKey'
  | 'amount'
  | 'credit'
  | 'currency'
  | 'mode'
  | 'nonceHash'
  | 'createdAt'
  | 'expiresAt'
  | 'allowsCodes'
>

/** False when the person has a checkout that is being created or open (docs/product-rules.md#open-checkouts-are-reused): a unique key says so, whoever asks at the same time. */
export async function reserveCheckout(db: Db, checkout: NewCheckout, leasedUntil: number): Promise<boolean> {
  const row = await db
    .insertInto('checkout')
    .values({
      id: checkout.id,
      person_id: checkout.personId,
      level_key: checkout.levelKey,
      amount: checkout.amount,
      credit: checkout.credit,
      currency: checkout.currency,
      mode: checkout.mode,
      state: 'creating',
      open_key: checkout.personId,
      attempt: 0,
      leased_until: leasedUntil,
      stripe_session_id: null,
      url: null,
      nonce_hash: checkout.nonceHash,
      created_at: checkout.createdAt,
      expires_at: checkout.expiresAt,
      paid_at: null,
      completed_at: null,
      token_handed_at: null,
      checked_at: checkout.createdAt,
      allows_codes: checkout.allowsCodes ? 1 : 0,
    })
    .onConflict((conflict) => conflict.column('open_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const {
  find: findCheckout,
  /** By the person's id. */
  findOpen: findOpenCheckout,
  findBySession: findCheckoutBySession,
  listUnsettled: listUnsettledCheckouts,
  lease: leaseCreation,
  release: releaseCreation,
  markOpen,
  close: closeCheckout,
  touch: touchCheckout,
} = orderQueries('checkout', toCheckout)

/** True for the one call that settles it; takes the row's lock until the transaction ends. */
export async function settleCheckout(
  db: Db,
  id: string,
  settled: { state: 'completed' | 'refunded'; stripeSessionId: string; paidAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout')
    .set({
      state: settled.state,
      open_key: null,
      leased_until: null,
      stripe_session_id: settled.stripeSessionId,
      paid_at: settled.paidAt,
      completed_at: settled.now,
      checked_at: settled.now,
    })
    .where('id', '=', id)
    .where('state', 'not in', ['completed', 'refunded'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** After it was found, inside the settling transaction, that the payment must go back. */
export async function markRefunded(db: Db, id: string): Promise<void> {
  await db.updateTable('checkout').set({ state: 'refunded' }).where('id', '=', id).execute()
}

/** True for the one call that may hand the token out (docs/product-rules.md#return-from-payment). */
export async function markTokenHanded(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout')
    .set({ token_handed_at: now })
    .where('id', '=', id)
    .where('token_handed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Orders that nobody paid and the provider has closed. One that was paid late is settled by then, and kept. */
export async function forgetAbandonedCheckouts(db: Db, before: number): Promise<void> {
  await db.deleteFrom('checkout').where('state', 'in', ['expired', 'failed']).where('created_at', '<', before).execute()
}

function toCheckout(row: CheckoutTable): Checkout {
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
    tokenHandedAt: row.token_handed_at,
    checkedAt: row.checked_at,
    allowsCodes: row.allows_codes === 1,
  }
}
