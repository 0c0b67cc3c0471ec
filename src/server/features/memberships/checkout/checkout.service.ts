import type { AppContext } from '#server/app-context.ts'
import { PaymentProviderError, type CheckoutSnapshot, type CheckoutRequest } from '#server/stripe/payment-gateway.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { extendRegistration } from '#server/features/auth/registration/registration.commands.ts'
import type { LevelPrices } from '#server/features/levels/set-level-price.service.ts'
import { awaitCreation, CREATION_LEASE_MS } from '#server/features/orders/await-creation.service.ts'
import { expireSession } from '#server/features/orders/expire-session.service.ts'
import {
  closeCheckout,
  findCheckout,
  findOpenCheckout,
  leaseCreation,
  markOpen,
  releaseCreation,
  touchCheckout,
} from './checkout.commands.ts'
import { reserveCheckout } from './checkout.repository.ts'
import { type Checkout } from './checkout.queries.ts'
import { saveStripePriceId } from '#server/features/levels/level.commands.ts'
import { type Level } from '#server/features/levels/level.queries.ts'
import type { CreditedPrice } from '../membership-price.service.ts'
import { reserveCredit } from '../payments/payment-credit.repository.ts'
import type { OrderCompletionService } from './order-completion.service.ts'

/** An account, or a verified registration that will become one. */
export interface Payer {
  personId: string
  email: string
  stripeCustomerId: string | null
}

interface CheckoutPrice extends CreditedPrice {
  allowsCodes: boolean
}

export interface OpenCheckout {
  checkoutId: string
  url: string
  sessionId: string
  /** True when this checkout was already open (docs/product-rules.md#open-checkouts-are-reused). */
  reused: boolean
}

const SESSION_MS = 23 * 3_600_000
const REUSE_UNTIL_MS = 300_000
const RECHECK_AFTER_MS = 10_000
const MAX_ATTEMPTS = 4

export function createCheckoutService(
  { db, clock, log, gateway, secrets, siteUrl }: AppContext,
  {
    levelPrices,
    completions,
    takesCodes: acceptsCoupons,
  }: {
    levelPrices: LevelPrices
    completions: OrderCompletionService
    /** Whether an active coupon code applies to this person and level. */
    takesCodes(levelKey: string, payer: Pick<Payer, 'personId' | 'email'>): Promise<boolean>
  },
) {
  async function reserve(payer: Payer, level: Level, price: CheckoutPrice): Promise<Checkout | null> {
    const now = clock.now()
    const id = newId(now)
    const order = {
      id,
      personId: payer.personId,
      levelKey: level.key,
      amount: price.amount,
      credit: price.credit,
      currency: level.currency,
      mode: price.mode,
      nonceHash: hashToken(secrets.token('checkout-nonce', id)),
      createdAt: now,
      expiresAt: now + SESSION_MS,
      allowsCodes: price.allowsCodes,
    }
    const reserved = await db.transaction().execute(async (tx) => {
      if (!(await reserveCheckout(tx, order, now + CREATION_LEASE_MS))) return false
      await reserveCredit(tx, id, price.creditFrom, now)
      return true
    })
    return reserved ? findCheckout(db, id) : null
  }

  /** The catalog price, or an amount specific to this order. */
  async function priceFor(checkout: Checkout, level: Level): Promise<CheckoutRequest['price']> {
    const isCatalogue = checkout.amount === level.unitAmount && (checkout.mode === 'subscription') === level.isRecurring
    if (isCatalogue) return { id: await levelPrices.ensurePriceId(level) }
    return { amount: checkout.amount, currency: checkout.currency, levelKey: level.key, name: level.name }
  }

  /**
   * Creates the provider's session for a checkout whose lease we hold. A lost response is retried under the same idempotency key;
   * after an inconclusive response, we search for the session before using a new key, so an order never has two sessions.
   */
  async function create(checkout: Checkout, payer: Payer, level: Level): Promise<OpenCheckout> {
    const { id, attempt, createdAt } = checkout
    try {
      const found = attempt > 0 ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      const snapshot = found ?? (await request(checkout, payer, level))
      const { sessionId, url } = snapshot
      if (!(await markOpen(db, id, { stripeSessionId: sessionId, url, now: clock.now() }))) {
        await expireSession(sessionId, { gateway, log, completions })
        throw new Problem('CHECKOUT_FAILED')
      }
      // A payment in the last minute may reach us days later, and the registration must still exist then.
      await extendRegistration(db, payer.personId, checkout.expiresAt + SESSION_MS)
      return { checkoutId: id, url: url ?? '', sessionId, reused: false }
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ checkout: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') {
        await closeCheckout(db, id, 'failed')
        // The cached price may belong to another Stripe account, such as the test account.
        await saveStripePriceId(db, level, null)
      } else await releaseCreation(db, id, { newAttempt: outcome === 'broken' })
      if (error instanceof PaymentProviderError) throw new Problem('CHECKOUT_FAILED')
      throw error
    }
  }

  async function request(checkout: Checkout, payer: Payer, level: Level): Promise<CheckoutSnapshot> {
    const nonce = secrets.token('checkout-nonce', checkout.id)
    return gateway.createCheckout({
      checkoutId: checkout.id,
      idempotencyKey: `checkout:${checkout.id}:${checkout.attempt}`,
      personId: payer.personId,
      levelKey: level.key,
      mode: checkout.mode,
      price: await priceFor(checkout, level),
      customerId: payer.stripeCustomerId,
      email: payer.email,
      allowsCodes: checkout.allowsCodes,
      successUrl: `${siteUrl}/stripe/success?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
      cancelUrl: `${siteUrl}/stripe/cancel`,
      expiresAt: checkout.expiresAt,
    })
  }

  function fits(checkout: Checkout, level: Level, price: CheckoutPrice): boolean {
    return (
      checkout.levelKey === level.key &&
      checkout.amount === price.amount &&
      checkout.mode === price.mode &&
      checkout.currency === level.currency &&
      checkout.allowsCodes === price.allowsCodes &&
      checkout.expiresAt - REUSE_UNTIL_MS > clock.now()
    )
  }

  /** null when it was closed and a new one may be created. */
  async function useOpen(
    checkout: Checkout,
    level: Level,
    price: CheckoutPrice,
  ): Promise<OpenCheckout | 'paid' | null> {
    const { id, stripeSessionId, url, checkedAt } = checkout
    if (!stripeSessionId || !url) return null
    if (fits(checkout, level, price)) {
      if (clock.now() - checkedAt > RECHECK_AFTER_MS) {
        await touchCheckout(db, id, clock.now())
        const outcome = await completions.completePayment(stripeSessionId).catch(() => 'open' as const)
        if (outcome === 'completed' || outcome === 'refunded') return 'paid'
        if (outcome === 'expired') return null
        if (outcome === 'foreign') {
          await closeCheckout(db, id, 'failed')
          return null
        }
      }
      return { checkoutId: id, url, sessionId: stripeSessionId, reused: true }
    }
    const snapshot = await expire(stripeSessionId)
    const outcome = snapshot ? await completions.completeFrom(snapshot) : 'expired'
    if (outcome === 'completed' || outcome === 'refunded') return 'paid'
    await closeCheckout(db, id, 'expired')
    return null
  }

  async function expire(sessionId: string): Promise<CheckoutSnapshot | null> {
    try {
      return await gateway.expireCheckout(sessionId)
    } catch (error) {
      if (error instanceof PaymentProviderError) throw new Problem('CHECKOUT_FAILED')
      throw error
    }
  }

  return {
    /**
     * Returns the URL where a person pays for a level. Each person has at most one open checkout: repeated calls return it, another level replaces it.
     * `paid` when the open checkout turns out to be paid already.
     * @throws Problem CHECKOUT_FAILED when the provider cannot be reached; a retry resumes where this call stopped
     */
    async open(payer: Payer, level: Level, quoted: CreditedPrice): Promise<OpenCheckout | 'paid'> {
      // Coupon codes apply to a first term, not to a manual renewal.
      const isRenewal = level.isRecurring && quoted.mode === 'payment'
      const price = { ...quoted, allowsCodes: !isRenewal && (await acceptsCoupons(level.key, payer)) }
      for (let round = 0; round < MAX_ATTEMPTS; round++) {
        const reserved = await reserve(payer, level, price)
        if (reserved) return create(reserved, payer, level)
        const checkout = await awaitCreation(() => findOpenCheckout(db, payer.personId), {
          clock,
          tooLong: () => new Problem('CHECKOUT_FAILED'),
        })
        if (!checkout) continue
        if (checkout.state === 'open') {
          const outcome = await useOpen(checkout, level, price)
          if (outcome) return outcome
        } else if (await leaseCreation(db, checkout.id, { now: clock.now(), until: clock.now() + CREATION_LEASE_MS })) {
          if (fits(checkout, level, price)) return create(checkout, payer, level)
          await abandon(checkout)
        }
      }
      throw new Problem('CHECKOUT_FAILED')
    },
  }

  /** Abandons an unfinished creation for another level, expiring its session at the provider first. */
  async function abandon(checkout: Checkout): Promise<void> {
    try {
      const snapshot = await gateway.findCheckout({ checkoutId: checkout.id, createdAt: checkout.createdAt })
      if (snapshot) await gateway.expireCheckout(snapshot.sessionId)
    } catch (error) {
      await releaseCreation(db, checkout.id, { newAttempt: false })
      throw error instanceof PaymentProviderError ? new Problem('CHECKOUT_FAILED') : error
    }
    await closeCheckout(db, checkout.id, 'failed')
  }
}

export type CheckoutService = ReturnType<typeof createCheckoutService>
