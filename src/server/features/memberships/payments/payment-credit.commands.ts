import type { Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { expireCheckout } from '../membership.effects.ts'

/** Expires open checkouts whose price is lowered by this payment; one paid in the meantime is completed instead. */
export async function expireCreditedCheckouts(tx: Tx, paymentId: string, now: number): Promise<void> {
  const rows = await tx
    .selectFrom('payment_credit')
    .innerJoin('checkout', 'checkout.id', 'payment_credit.checkout_id')
    .select('checkout.id')
    .where('payment_id', '=', paymentId)
    .where('taken_at', 'is', null)
    .where('checkout.state', '=', 'open')
    .execute()
  for (const { id } of rows) {
    await addToOutbox(tx, { effect: expireCheckout, payload: { checkoutId: id } }, now)
  }
}
