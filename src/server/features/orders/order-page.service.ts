import { setTimeout as wait } from 'node:timers/promises'
import type { AppContext } from '#server/app-context.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import type { OrderCompletion } from './order-completion.service.ts'
import type { OrderKind } from './order-kind.registry.ts'
import type { Order } from './order.queries.ts'

export interface OpenPage {
  orderId: string
  url: string
  sessionId: string
  /** True when this page was already open (docs/product-rules.md#open-checkouts-are-reused). */
  reused: boolean
}

/** How long a request holds the lease to create an order's session. */
const CREATION_LEASE_MS = 15_000
const WAIT_FOR_OTHER_MS = 9_000
const WAIT_STEP_MS = 100
/** The provider's minimum session length. */
const SHORTEST_SESSION_MS = 30 * 60_000
/** A page that expires sooner is not reused. */
const REUSE_UNTIL_MS = 5 * 60_000
const RECHECK_AFTER_MS = 10_000
const ROUNDS = 4

type Context = Pick<AppContext, 'db' | 'clock' | 'log' | 'gateway' | 'secrets'>

/** Opens the provider's page for an order: one page an order, under concurrency and failures (decision record 8). */
export function createOrderPages({ db, clock, log, gateway, secrets }: Context, completion: OrderCompletion) {
  const nonceOf = (kind: OrderKind, id: string) => secrets.token(`${kind.key}-nonce`, id)

  /**
   * Creates the session of an order whose lease we hold. A lost response is retried with the same idempotency key; after a provider failure the session is
   * looked up before another key is used, so an order never gets two. Returns null if the order is too old for a new session.
   */
  async function create<O extends Order>(kind: OrderKind<O>, order: O): Promise<OpenPage | null> {
    const { id, attempt, createdAt, expiresAt } = order
    const isLate = expiresAt - clock.now() < SHORTEST_SESSION_MS
    try {
      const found = attempt > 0 || isLate ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      if (isLate && !found) {
        await completion.close(kind, order, 'failed')
        return null
      }
      const idempotencyKey = `${kind.key}:${id}:${attempt}`
      const page = found ?? (await kind.createPage(order, { checkoutId: id, idempotencyKey, nonce: nonceOf(kind, id) }))
      const { sessionId, url } = page
      if (!(await kind.orders.markOpen(db, id, { stripeSessionId: sessionId, url, now: clock.now() }))) {
        await completion.expirePage({ stripeSessionId: sessionId })
        throw kind.failure()
      }
      await kind.onOpened?.(order)
      return { orderId: id, url: url ?? '', sessionId, reused: false }
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ [kind.name]: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') {
        await completion.close(kind, order, 'failed')
        await kind.onRefused?.(order)
      } else await kind.orders.release(db, id, { newAttempt: outcome === 'broken' })
      throw error instanceof PaymentProviderError ? kind.failure() : error
    }
  }

  /** Waits until no other request is creating the order's session. @throws Problem if that takes too long */
  async function awaitCreation<O extends Order>(kind: OrderKind<O>, find: () => Promise<O | null>): Promise<O | null> {
    const deadline = Date.now() + WAIT_FOR_OTHER_MS
    for (;;) {
      const order = await find()
      if (order?.state !== 'creating' || (order.leasedUntil ?? 0) <= clock.now()) return order
      if (Date.now() > deadline) throw kind.failure()
      await wait(WAIT_STEP_MS)
    }
  }

  /** Returns null when the order was closed and a new one may be created. */
  async function useOpen(kind: OrderKind, order: Order, fits: boolean): Promise<OpenPage | 'paid' | null> {
    const { id, stripeSessionId: sessionId, url, checkedAt, expiresAt } = order
    if (!sessionId || !url) return null
    const isExpiring = expiresAt - REUSE_UNTIL_MS <= clock.now()
    if (isExpiring && kind.allowsSeveral) {
      await kind.orders.releaseKey(db, id)
      return null
    }
    if (!fits || isExpiring) {
      const outcome = await completion.end(kind, order).catch((error: unknown) => {
        throw error instanceof PaymentProviderError ? kind.failure() : error
      })
      return outcome === 'expired' ? null : 'paid'
    }
    if (clock.now() - checkedAt > RECHECK_AFTER_MS) {
      await kind.orders.markChecked(db, id, clock.now())
      const outcome = await completion.complete(sessionId).catch(() => 'open' as const)
      if (outcome === 'foreign') await completion.close(kind, order, 'failed')
      if (outcome !== 'open') return outcome === 'paid' || outcome === 'refunded' ? 'paid' : null
    }
    return { orderId: id, url, sessionId, reused: true }
  }

  /** Gives up an unfinished creation that no longer fits, after expiring its session at the provider. */
  async function giveUp(kind: OrderKind, order: Order): Promise<void> {
    try {
      const page = await gateway.findCheckout({ checkoutId: order.id, createdAt: order.createdAt })
      if (page) await gateway.expireCheckout(page.sessionId)
    } catch (error) {
      await kind.orders.release(db, order.id, { newAttempt: false })
      throw error instanceof PaymentProviderError ? kind.failure() : error
    }
    await completion.close(kind, order, 'failed')
  }

  function lease(kind: OrderKind, { id }: Order): Promise<boolean> {
    const now = clock.now()
    return kind.orders.lease(db, id, { now, until: now + CREATION_LEASE_MS })
  }

  return {
    /** The first columns of a new order, which holds the lease to create its own page. */
    draft(kind: OrderKind) {
      const now = clock.now()
      const id = newId(now)
      const nonceHash = hashToken(nonceOf(kind, id))
      return { id, nonceHash, createdAt: now, expiresAt: now + kind.sessionMs, leasedUntil: now + CREATION_LEASE_MS }
    },

    /**
     * The page of a buyer who may have one order open: reuses it if it fits, else replaces it. `paid` when the open order turns out to be paid already.
     * @throws Problem the kind's failure when the provider cannot be reached; a retry resumes where this call stopped
     */
    async open<O extends Order>(
      kind: OrderKind<O>,
      {
        openKey,
        reserve,
        fits = () => true,
      }: {
        openKey: string
        /** Inserts a new order; null if one is open. */
        reserve(): Promise<O | null>
        fits?(order: O): boolean
      },
    ): Promise<OpenPage | 'paid'> {
      for (let round = 0; round < ROUNDS; round++) {
        const reserved = await reserve()
        const order = reserved ?? (await awaitCreation(kind, () => kind.orders.findOpen(db, openKey)))
        if (!order) continue
        if (order.state === 'open') {
          const used = await useOpen(kind, order, fits(order))
          if (used) return used
        } else if (reserved || (await lease(kind, order))) {
          const page = fits(order) ? await create(kind, order) : await giveUp(kind, order)
          if (page) return page
        }
      }
      throw kind.failure()
    },

    /** The page of one order. @throws Problem the kind's failure, also if the order is no longer pending */
    async openOrder<O extends Order>(kind: OrderKind<O>, id: string): Promise<string> {
      for (let round = 0; round < ROUNDS; round++) {
        const order = await awaitCreation(kind, () => kind.orders.find(db, id))
        if (order?.state === 'open' && order.url) return order.url
        if (order?.state !== 'creating') break
        const page = (await lease(kind, order)) && (await create(kind, order))
        if (page && page.url) return page.url
      }
      throw kind.failure()
    },
  }
}
