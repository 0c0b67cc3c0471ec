import type { AppContext } from '#server/app-context.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import { Problem } from '#server/lib/problem.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import type { OrderKind } from '../order-kind.registry.ts'
import type { createPaymentSync } from '../order-payments.service.ts'
import type { makeRefund } from './order-refund.effects.ts'
import { markRefundDone, markRefundRefused } from './refund.commands.ts'
import { findRefund } from './refund.queries.ts'

/** Makes refunds at the provider, whatever was bought. Each has an id by which the provider makes it once. */
export function createOrderRefunds(
  { db, clock, gateway, wakeOutbox, log }: AppContext,
  { kinds, payments }: { kinds: readonly OrderKind[]; payments: ReturnType<typeof createPaymentSync> },
) {
  /** @throws PaymentProviderError */
  async function make(refundId: string): Promise<void> {
    const refund = await findRefund(db, refundId)
    if (!refund || refund.doneAt !== null || refund.refusedAt !== null) return
    const kept = kinds.find((kind) => kind.payments.kind === refund.kind)?.payments
    const paymentIntentId = await kept?.intentOf(db, refund.paymentId)
    if (!kept || !paymentIntentId) return
    await gateway.refundPartially({ paymentIntentId, refundId, amount: refund.amount })
    await payments.sync(paymentIntentId)
    await db.transaction().execute(async (tx) => {
      const now = clock.now()
      if (await markRefundDone(tx, refundId, now)) await kept.onRefundMade?.(tx, refund, now)
    })
    wakeOutbox()
  }

  return {
    /**
     * Makes a refund that was just requested. Returns `pending` if the provider did not respond: the outbox tries again until it is made.
     * @throws Problem PROVIDER_FAILED if the provider rejected it; then it no longer counts
     */
    async makeNow(refundId: string): Promise<'made' | 'pending'> {
      try {
        await make(refundId)
        return 'made'
      } catch (error) {
        if (!(error instanceof PaymentProviderError)) throw error
        log.warn({ refund: refundId, reason: error.message }, 'refund not made')
        if (error.outcome !== 'refused') return 'pending'
        const refund = await findRefund(db, refundId)
        await db.transaction().execute(async (tx) => {
          const now = clock.now()
          if (!refund || !(await markRefundRefused(tx, refundId, now))) return
          await kinds.find((kind) => kind.payments.kind === refund.kind)?.payments.onRefundRefused?.(tx, refund)
        })
        throw new Problem('PROVIDER_FAILED')
      }
    },

    effects: {
      'payment.refund_part': ({ refundId }) => make(refundId),
    } satisfies HandlersOf<typeof makeRefund>,
  }
}

export type OrderRefunds = ReturnType<typeof createOrderRefunds>
