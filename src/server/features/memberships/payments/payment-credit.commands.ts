import type { Tx } from '#server/db/database.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { expireCheckout } from '../membership.effects.ts'

/** Expires open checkouts whose price is lowered by this payment; one paid in the meantime is completed instead. */
export async function expireCreditedCheckouts(tx: Tx, paymentId: string, now: number): Promise<void> {
  const rows = await tx
    .selectFrom('paymentCredit')
    .innerJoin('checkout', 'checkout.id', 'paymentCredit.checkoutId')
    .select('checkout.id')
    .where('paymentId', '=', paymentId)
    .where('takenAt', 'is', null)
    .where('checkout.state', '=', 'open')
    .execute()
  for (const { id } of rows) {
    await addToOutbox(tx, { effect: expireCheckout, payload: { checkoutId: id } }, now)
  }
}
