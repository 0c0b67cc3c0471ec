import type { Db } from '#server/db/database.ts'
import { checkouts } from './checkout.commands.ts'
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
  | 'leasedUntil'
  | 'nonceHash'
  | 'createdAt'
  | 'expiresAt'
  | 'allowsCodes'
>

/** False when the person already has a checkout that is being created or open (docs/product-rules.md#open-checkouts-are-reused). */
export function reserveCheckout(db: Db, checkout: NewCheckout): Promise<boolean> {
  return checkouts.insert(db, {
    ...checkout,
    openKey: checkout.personId,
    allowsCodes: checkout.allowsCodes ? 1 : 0,
    completedAt: null,
    tokenHandedAt: null,
  })
}

export async function recordCompletion(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('checkout').set({ completedAt: now }).where('id', '=', id).execute()
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
