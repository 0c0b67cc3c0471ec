import type { CheckoutSnapshot, PaymentGateway } from '#server/stripe/payment-gateway.ts'
import type { Log } from '#server/lib/logger.ts'

/** Expires the provider's page of an order that was closed here. If it was paid anyway, the payment is processed. Never throws. */
export async function expireSession(
  sessionId: string,
  {
    gateway,
    log,
    completions,
  }: {
    gateway: Pick<PaymentGateway, 'expireCheckout'>
    log: Log
    completions: { completeFrom(checkout: CheckoutSnapshot): Promise<unknown> }
  },
): Promise<void> {
  try {
    const checkout = await gateway.expireCheckout(sessionId)
    if (checkout) await completions.completeFrom(checkout)
  } catch (error) {
    // The session expires on its own, and the reconciler processes a payment made until then.
    log.warn({ session: sessionId, reason: String((error as Error).message) }, 'checkout not expired')
  }
}
