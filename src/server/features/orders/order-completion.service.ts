import type { AppContext } from '#server/app-context.ts'
import { equalSecrets, hashToken } from '#server/lib/secrets.ts'
import { Problem } from '#server/lib/problem.ts'
import { PaymentProviderError, type CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import type { FoundOrder, OrderKind, OrderRegistry } from './order-kind.registry.ts'
import { isPending, isPaid, type Order } from './order.queries.ts'

/** The state of an order after processing; `foreign` if the checkout is not ours. */
export type OrderOutcome = 'paid' | 'refunded' | 'open' | 'expired' | 'foreign'

type Context = Pick<AppContext, 'db' | 'clock' | 'log' | 'gateway' | 'alerts' | 'wakeOutbox'>

/** Completes and closes orders, whatever was bought (docs/product-rules.md#activation). */
export function createOrderCompletion(
  { db, clock, log, gateway, alerts, wakeOutbox }: Context,
  registry: OrderRegistry,
) {
  async function markPaid({ kind, order: known }: FoundOrder, checkout: CheckoutSnapshot): Promise<OrderOutcome> {
    const { id } = known
    const outcome = await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const paidAt = checkout.paidAt ?? now
      await kind.lock?.(tx, known)
      const order = await kind.orders.find(tx, id)
      if (!order) return 'foreign'
      if (!(await kind.orders.markPaid(tx, id, { stripeSessionId: checkout.sessionId, paidAt, now })))
        return paidOutcome((await kind.orders.find(tx, id)) ?? order)
      const delivered = await kind.onPaid(tx, order, { checkout, paidAt, now })
      if (delivered === 'refunded') await kind.orders.markRefunded(tx, id)
      return delivered
    })
    wakeOutbox()
    return outcome
  }

  /** Closes a pending order. */
  async function close({ kind, order }: FoundOrder, state: 'expired' | 'failed'): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await kind.lock?.(tx, order)
      await kind.orders.close(tx, order.id, state)
      await kind.onClosed?.(tx, order, clock.now())
    })
    wakeOutbox()
  }

  /**
   * Delivers what a checkout paid for; nothing else does. The webhook, the return page and the reconciler may call it concurrently, in any order and any
   * number of times. Idempotent.
   */
  async function completeFrom(checkout: CheckoutSnapshot): Promise<OrderOutcome> {
    const found = checkout.checkoutId ? await registry.find(db, checkout.checkoutId) : null
    if (!found) return 'foreign'
    const { kind, order } = found
    if (checkout.isPaid) {
      if (isPaid(order) && order.stripeSessionId === checkout.sessionId) return paidOutcome(order)
      const { sessionId: session, amountTotal, currency } = checkout
      const isPrice = kind.isPriceOf?.(order, checkout) ?? amountTotal === order.amount
      if (isPaid(order) || !isPrice || currency !== order.currency) {
        const details = { [kind.name]: order.id, session, ordered: order.amount, paid: amountTotal }
        await alerts.raise('payment-mismatch', details)
        return isPaid(order) ? paidOutcome(order) : 'open'
      }
      return markPaid(found, checkout)
    }
    if (isPaid(order)) return paidOutcome(order)
    if (checkout.state === 'expired') {
      await close(found, 'expired')
      return 'expired'
    }
    await kind.orders.markChecked(db, order.id, clock.now())
    return 'open'
  }

  /** The same for a session that is read from the provider now. @throws PaymentProviderError */
  async function complete(sessionId: string): Promise<OrderOutcome> {
    const checkout = await gateway.readCheckout(sessionId)
    return checkout ? completeFrom(checkout) : 'foreign'
  }

  /** Closes an order and its page at the provider, unless it was paid in the meantime. @throws PaymentProviderError */
  async function end(kind: OrderKind, order: Order): Promise<OrderOutcome> {
    const checkout = order.stripeSessionId === null ? null : await gateway.expireCheckout(order.stripeSessionId)
    const outcome = checkout ? await completeFrom(checkout) : 'expired'
    if (outcome === 'paid' || outcome === 'refunded') return outcome
    await close({ kind, order }, 'expired')
    return 'expired'
  }

  /** Expires the page of an order that was closed here. If it was paid anyway, the payment is processed. Never throws. */
  async function expirePage(order: Pick<Order, 'stripeSessionId'> | null): Promise<void> {
    // Without a session yet, the request creating it will find the order closed and expire the session.
    if (!order?.stripeSessionId) return
    const { stripeSessionId } = order
    try {
      const checkout = await gateway.expireCheckout(stripeSessionId)
      if (checkout) await completeFrom(checkout)
    } catch (error) {
      // The session expires on its own, and the reconciler processes a payment made until then.
      log.warn({ session: stripeSessionId, reason: String((error as Error).message) }, 'checkout not expired')
    }
  }

  /** Compares a pending order with the provider. @throws PaymentProviderError */
  async function check(kind: OrderKind, order: Order): Promise<OrderOutcome> {
    const now = clock.now()
    await kind.orders.markChecked(db, order.id, now)
    if (order.stripeSessionId === null) {
      const found = await gateway.findCheckout({ checkoutId: order.id, createdAt: order.createdAt })
      if (!found) {
        await close({ kind, order }, 'failed')
        return 'foreign'
      }
      const { sessionId: stripeSessionId, url } = found
      if (await kind.orders.markOpen(db, order.id, { stripeSessionId, url, now })) return complete(stripeSessionId)
      await expirePage({ stripeSessionId })
      return 'open'
    }
    const outcome = await complete(order.stripeSessionId)
    if (outcome === 'foreign') await close({ kind, order }, 'failed')
    return outcome
  }

  return {
    completeFrom,
    complete,
    close: (kind: OrderKind, order: Order, state: 'expired' | 'failed') => close({ kind, order }, state),
    end,
    expirePage,
    check,

    /**
     * The order that a buyer returns from, checked with the provider if it is not paid.
     * @param own the kind whose return page it is; without it, all that share one
     * @throws Problem PAYMENT_LINK_INVALID for an unknown session or a wrong nonce, PAYMENT_CHECK_FAILED
     */
    async verify(
      { session_id: sessionId, nonce }: { session_id: string; nonce: string },
      own?: OrderKind,
    ): Promise<FoundOrder> {
      const found = await registry.findBySession(db, sessionId, own)
      if (!found || !equalSecrets(hashToken(nonce), found.order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (isPaid(found.order)) return found
      try {
        await complete(sessionId)
      } catch (error) {
        log.warn({ reason: String((error as Error).message) }, 'payment could not be checked')
        throw error instanceof PaymentProviderError ? new Problem('PAYMENT_CHECK_FAILED') : error
      }
      return { kind: found.kind, order: (await found.kind.orders.find(db, found.order.id)) ?? found.order }
    },

    /** The buyer left the page: closes the order immediately. @throws Problem PAYMENT_LINK_INVALID */
    async abandon<O extends Order>(
      kind: OrderKind<O>,
      { order: id, nonce }: { order: string; nonce: string },
    ): Promise<O> {
      const order = await kind.orders.find(db, id)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (isPending(order)) {
        await close({ kind, order }, 'failed')
        await expirePage(order)
      }
      return order
    },
  }
}

export type OrderCompletion = ReturnType<typeof createOrderCompletion>

function paidOutcome({ state }: Order): OrderOutcome {
  return state === 'refunded' ? 'refunded' : 'paid'
}
