import type { CheckoutFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Log } from '#server/platform/logger.ts'

/** Closes the provider's page of an order that was given up here; one that was paid all the same is settled. Never throws. */
export async function endSession(
  sessionId: string,
  {
    gateway,
    log,
    settlements,
  }: {
    gateway: Pick<PaymentGateway, 'expireCheckout'>
    log: Log
    settlements: { settleFrom(facts: CheckoutFacts): Promise<unknown> }
  },
): Promise<void> {
  try {
    const facts = await gateway.expireCheckout(sessionId)
    if (facts) await settlements.settleFrom(facts)
  } catch (error) {
    // It ends by itself, and the reconciler settles what is paid until then.
    log.warn({ session: sessionId, reason: String((error as Error).message) }, 'checkout not ended')
  }
}
