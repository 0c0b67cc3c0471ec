import type { Db } from '#server/db/database.ts'
import { type Checkout } from './checkout.queries.ts'

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

/** False when the person already has a checkout that is being created or open (docs/product-rules.md#open-checkouts-are-reused). A unique key makes this safe under concurrency. */
export async function reserveCheckout(db: Db, checkout: NewCheckout, leasedUntil: number): Promise<boolean> {
  const row = await db
    .insertInto('checkout')
    .values({
      id: checkout.id,
      personId: checkout.personId,
      levelKey: checkout.levelKey,
      amount: checkout.amount,
      credit: checkout.credit,
      currency: checkout.currency,
      mode: checkout.mode,
      state: 'creating',
      openKey: checkout.personId,
      attempt: 0,
      leasedUntil,
      stripeSessionId: null,
      url: null,
      nonceHash: checkout.nonceHash,
      createdAt: checkout.createdAt,
      expiresAt: checkout.expiresAt,
      paidAt: null,
      completedAt: null,
      tokenHandedAt: null,
      checkedAt: checkout.createdAt,
      allowsCodes: checkout.allowsCodes ? 1 : 0,
    })
    .onConflict((conflict) => conflict.column('openKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** True for exactly one caller. Locks the row until the transaction ends. */
export async function completeCheckout(
  db: Db,
  id: string,
  completion: { state: 'completed' | 'refunded'; stripeSessionId: string; paidAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout')
    .set({
      state: completion.state,
      openKey: null,
      leasedUntil: null,
      stripeSessionId: completion.stripeSessionId,
      paidAt: completion.paidAt,
      completedAt: completion.now,
      checkedAt: completion.now,
    })
    .where('id', '=', id)
    .where('state', 'not in', ['completed', 'refunded'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** For a payment that the completing transaction finds it must refund. */
export async function markRefunded(db: Db, id: string): Promise<void> {
  await db.updateTable('checkout').set({ state: 'refunded' }).where('id', '=', id).execute()
}

/** True for exactly one caller, which may issue the token (docs/product-rules.md#return-from-payment). */
export async function markTokenIssued(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout')
    .set({ tokenHandedAt: now })
    .where('id', '=', id)
    .where('tokenHandedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes unpaid checkouts that the provider has closed. Late payments have been completed by then, so they are kept. */
export async function deleteAbandonedCheckouts(db: Db, before: number): Promise<void> {
  await db.deleteFrom('checkout').where('state', 'in', ['expired', 'failed']).where('createdAt', '<', before).execute()
}
