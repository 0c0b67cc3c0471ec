import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import {
  PaymentProviderError,
  type CheckoutFacts,
  type CheckoutOrder,
  type PaymentGateway,
} from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { extendRegistration } from '../auth/registration.repository.ts'
import type { LevelPrices } from '../billing/level-prices.ts'
import { awaitCreation, CREATION_LEASE_MS } from '../billing/await-creation.ts'
import { endSession } from '../billing/end-session.ts'
import {
  closeCheckout,
  findCheckout,
  findOpenCheckout,
  leaseCreation,
  markOpen,
  releaseCreation,
  reserveCheckout,
  touchCheckout,
  type Checkout,
} from './checkout.repository.ts'
import { setLevelPrice, type Level } from './level.repository.ts'
import type { CreditedOffer } from './offer.service.ts'
import { offerCredit } from './payment-credit.repository.ts'
import type { SettlementService } from './settlement.service.ts'

/** Who pays: an account, or a verified registration that will become one. */
export interface Payer {
  personId: string
  email: string
  stripeCustomerId: string | null
}

interface WantedOffer extends CreditedOffer {
  allowsCodes: boolean
}

export interface OpenCheckout {
  checkoutId: string
  url: string
  sessionId: string
  /** True when this checkout was open already (docs/product-rules.md#open-checkouts-are-reused). */
  reused: boolean
}

export interface CheckoutService {
  /**
   * The address where a person pays for a level. One checkout a person is open at a time: asking again returns it, another level replaces it.
   * `paid` when the open one turns out to have been paid.
   * @throws Problem CHECKOUT_FAILED when the provider could not be asked; asking again goes on where this left off
   */
  open(payer: Payer, level: Level, offer: CreditedOffer): Promise<OpenCheckout | 'paid'>
}

const SESSION_MS = 23 * 3_600_000
const REUSE_UNTIL_MS = 300_000
const RECHECK_AFTER_MS = 10_000
const ROUNDS = 4

export function createCheckoutService({
  db,
  clock,
  log,
  gateway,
  levelPrices,
  secrets,
  siteUrl,
  settlements,
  takesCodes,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  levelPrices: LevelPrices
  secrets: Secrets
  siteUrl: string
  settlements: SettlementService
  /** Whether a code is out that this person may use for a level. */
  takesCodes(levelKey: string, payer: Pick<Payer, 'personId' | 'email'>): Promise<boolean>
}): CheckoutService {
  async function reserve(payer: Payer, level: Level, offer: WantedOffer): Promise<Checkout | null> {
    const now = clock.now()
    const id = newId(now)
    const order = {
      id,
      personId: payer.personId,
      levelKey: level.key,
      amount: offer.amount,
      credit: offer.credit,
      currency: level.currency,
      mode: offer.mode,
      nonceHash: hashToken(secrets.token('checkout-nonce', id)),
      createdAt: now,
      expiresAt: now + SESSION_MS,
      allowsCodes: offer.allowsCodes,
    }
    const reserved = await db.transaction().execute(async (tx) => {
      if (!(await reserveCheckout(tx, order, now + CREATION_LEASE_MS))) return false
      await offerCredit(tx, id, offer.creditFrom, now)
      return true
    })
    return reserved ? findCheckout(db, id) : null
  }

  /** The catalogue's price, or an amount of this order's own. */
  async function priceFor(checkout: Checkout, level: Level): Promise<CheckoutOrder['price']> {
    const isCatalogue = checkout.amount === level.unitAmount && (checkout.mode === 'subscription') === level.isRecurring
    if (isCatalogue) return { id: await levelPrices.priceOf(level) }
    return { amount: checkout.amount, currency: checkout.currency, levelKey: level.key, name: level.name }
  }

  /**
   * Creates the provider's session for a checkout we hold the lease of. An answer that never came is asked for again under the same idempotency key;
   * after an answer that settles nothing, the session is looked for before another key is used: never two for one order.
   */
  async function create(checkout: Checkout, payer: Payer, level: Level): Promise<OpenCheckout> {
    const { id, attempt, createdAt } = checkout
    try {
      const found = attempt > 0 ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      const facts = found ?? (await request(checkout, payer, level))
      const { sessionId, url } = facts
      if (!(await markOpen(db, id, { stripeSessionId: sessionId, url, now: clock.now() }))) {
        await endSession(sessionId, { gateway, log, settlements })
        throw new Problem('CHECKOUT_FAILED')
      }
      // Whoever pays in the last minute, and whose payment we hear of days later, must still be found.
      await extendRegistration(db, payer.personId, checkout.expiresAt + SESSION_MS)
      return { checkoutId: id, url: url ?? '', sessionId, reused: false }
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ checkout: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') {
        await closeCheckout(db, id, 'failed')
        // The price may belong to another account of the provider, such as the one with test keys.
        await setLevelPrice(db, level, null)
      } else await releaseCreation(db, id, { newAttempt: outcome === 'broken' })
      if (error instanceof PaymentProviderError) throw new Problem('CHECKOUT_FAILED')
      throw error
    }
  }

  async function request(checkout: Checkout, payer: Payer, level: Level): Promise<CheckoutFacts> {
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

  function fits(checkout: Checkout, level: Level, offer: WantedOffer): boolean {
    return (
      checkout.levelKey === level.key &&
      checkout.amount === offer.amount &&
      checkout.mode === offer.mode &&
      checkout.currency === level.currency &&
      checkout.allowsCodes === offer.allowsCodes &&
      checkout.expiresAt - REUSE_UNTIL_MS > clock.now()
    )
  }

  /** null: it was closed and another may be made. */
  async function useOpen(checkout: Checkout, level: Level, offer: WantedOffer): Promise<OpenCheckout | 'paid' | null> {
    const { id, stripeSessionId, url, checkedAt } = checkout
    if (!stripeSessionId || !url) return null
    if (fits(checkout, level, offer)) {
      if (clock.now() - checkedAt > RECHECK_AFTER_MS) {
        await touchCheckout(db, id, clock.now())
        const settlement = await settlements.settle(stripeSessionId).catch(() => 'open' as const)
        if (settlement === 'completed' || settlement === 'refunded') return 'paid'
        if (settlement === 'expired') return null
        if (settlement === 'foreign') {
          await closeCheckout(db, id, 'failed')
          return null
        }
      }
      return { checkoutId: id, url, sessionId: stripeSessionId, reused: true }
    }
    const facts = await expire(stripeSessionId)
    const settlement = facts ? await settlements.settleFrom(facts) : 'expired'
    if (settlement === 'completed' || settlement === 'refunded') return 'paid'
    await closeCheckout(db, id, 'expired')
    return null
  }

  async function expire(sessionId: string): Promise<CheckoutFacts | null> {
    try {
      return await gateway.expireCheckout(sessionId)
    } catch (error) {
      if (error instanceof PaymentProviderError) throw new Problem('CHECKOUT_FAILED')
      throw error
    }
  }

  return {
    async open(payer, level, asked) {
      // Codes are for a first term: one more term by hand is none.
      const isRenewal = level.isRecurring && asked.mode === 'payment'
      const offer = { ...asked, allowsCodes: !isRenewal && (await takesCodes(level.key, payer)) }
      for (let round = 0; round < ROUNDS; round++) {
        const mine = await reserve(payer, level, offer)
        if (mine) return create(mine, payer, level)
        const checkout = await awaitCreation(() => findOpenCheckout(db, payer.personId), {
          clock,
          tooLong: () => new Problem('CHECKOUT_FAILED'),
        })
        if (!checkout) continue
        if (checkout.state === 'open') {
          const outcome = await useOpen(checkout, level, offer)
          if (outcome) return outcome
        } else if (await leaseCreation(db, checkout.id, { now: clock.now(), until: clock.now() + CREATION_LEASE_MS })) {
          if (fits(checkout, level, offer)) return create(checkout, payer, level)
          await abandon(checkout)
        }
      }
      throw new Problem('CHECKOUT_FAILED')
    },
  }

  /** An unfinished creation for another level: whatever came of it at the provider is ended first. */
  async function abandon(checkout: Checkout): Promise<void> {
    try {
      const facts = await gateway.findCheckout({ checkoutId: checkout.id, createdAt: checkout.createdAt })
      if (facts) await gateway.expireCheckout(facts.sessionId)
    } catch (error) {
      await releaseCreation(db, checkout.id, { newAttempt: false })
      throw error instanceof PaymentProviderError ? new Problem('CHECKOUT_FAILED') : error
    }
    await closeCheckout(db, checkout.id, 'failed')
  }
}
