import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type CheckoutFacts, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { awaitCreation, CREATION_LEASE_MS } from '../billing/await-creation.ts'
import { endSession } from '../billing/end-session.ts'
import type { SponsorSettlementService } from './sponsor-settlement.service.ts'
import {
  closeSponsorship,
  findOpenSponsorship,
  findSponsorship,
  freeSponsorshipKey,
  leaseSponsorship,
  markSponsorshipOpen,
  releaseSponsorship,
  reserveSponsorship,
  touchSponsorship,
  type NewSponsorship,
  type Sponsorship,
} from './sponsorship.repository.ts'

export type SponsorOrder = Omit<NewSponsorship, 'id' | 'nonceHash' | 'createdAt' | 'expiresAt'>

export interface SponsorCheckoutService {
  /** Whether the same order waits for its session or its payment. */
  isUnfinished(order: SponsorOrder): Promise<boolean>
  /**
   * The address where an order is paid. The same order sent again while it is unpaid leads to the same session.
   * @throws Problem CHECKOUT_FAILED when the provider could not be asked; asking again goes on where this left off
   */
  open(order: SponsorOrder): Promise<string>
}

/** The provider's shortest, and a minute for the way there. */
const SHORTEST_SESSION_MS = 30 * 60_000
const SESSION_MS = SHORTEST_SESSION_MS + 60_000
const REUSE_UNTIL_MS = 300_000
const RECHECK_AFTER_MS = 10_000
const ROUNDS = 4

export function createSponsorCheckoutService({
  db,
  clock,
  log,
  gateway,
  secrets,
  siteUrl,
  sponsorSettlements,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  secrets: Secrets
  siteUrl: string
  sponsorSettlements: SponsorSettlementService
}): SponsorCheckoutService {
  async function reserve(order: SponsorOrder, openKey: string): Promise<Sponsorship | null> {
    const now = clock.now()
    const id = newId(now)
    const nonceHash = hashToken(secrets.token('sponsorship-nonce', id))
    const times = { createdAt: now, expiresAt: now + SESSION_MS }
    const isReserved = await reserveSponsorship(
      db,
      { ...order, ...times, id, nonceHash },
      { openKey, leasedUntil: now + CREATION_LEASE_MS },
    )
    return isReserved ? findSponsorship(db, id) : null
  }

  /**
   * Creates the provider's session for an order we hold the lease of. An answer that never came is asked for again under the same idempotency key;
   * after an answer that settles nothing, the session is looked for before another key is used: never two for one order. null: the order
   * waited so long that a session can not be made for it any more.
   */
  async function create(order: Sponsorship): Promise<string | null> {
    const { id, attempt, createdAt, expiresAt } = order
    const isLate = expiresAt - clock.now() < SHORTEST_SESSION_MS
    try {
      const found = attempt > 0 || isLate ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      if (isLate && !found) {
        await closeSponsorship(db, id, 'failed')
        return null
      }
      const { sessionId: stripeSessionId, url } = found ?? (await request(order))
      if (!(await markSponsorshipOpen(db, id, { stripeSessionId, url, now: clock.now() }))) {
        await endSession(stripeSessionId, { gateway, log, settlements: sponsorSettlements })
        throw checkoutFailed()
      }
      return url
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ sponsorship: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') await closeSponsorship(db, id, 'failed')
      else await releaseSponsorship(db, id, { newAttempt: outcome === 'broken' })
      throw error instanceof PaymentProviderError ? checkoutFailed() : error
    }
  }

  function request({ id, attempt, tierName, amount, currency, email, expiresAt }: Sponsorship): Promise<CheckoutFacts> {
    const nonce = secrets.token('sponsorship-nonce', id)
    return gateway.createSingleCheckout({
      checkoutId: id,
      idempotencyKey: `sponsorship:${id}:${attempt}`,
      description: `Sponsorship: ${tierName}`,
      lines: [{ name: `Sponsorship: ${tierName}`, amount, quantity: 1 }],
      currency,
      email,
      successUrl: `${siteUrl}/sponsor/success?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
      cancelUrl: `${siteUrl}/sponsor/cancel`,
      expiresAt,
    })
  }

  /** null: it does not wait for payment any more, or not for long; another may be made. */
  async function useOpen({ id, stripeSessionId, url, expiresAt, checkedAt }: Sponsorship): Promise<string | null> {
    if (!stripeSessionId || !url) return null
    const now = clock.now()
    if (expiresAt - REUSE_UNTIL_MS <= now) {
      await freeSponsorshipKey(db, id)
      return null
    }
    if (now - checkedAt <= RECHECK_AFTER_MS) return url
    await touchSponsorship(db, id, now)
    const settlement = await sponsorSettlements.settle(stripeSessionId).catch(() => 'open' as const)
    if (settlement === 'foreign') await closeSponsorship(db, id, 'failed')
    return settlement === 'open' ? url : null
  }

  return {
    isUnfinished: async (order) => (await findOpenSponsorship(db, openKeyOf(order))) !== null,

    async open(order) {
      const openKey = openKeyOf(order)
      for (let round = 0; round < ROUNDS; round++) {
        const mine = await reserve(order, openKey)
        const known =
          mine ?? (await awaitCreation(() => findOpenSponsorship(db, openKey), { clock, tooLong: checkoutFailed }))
        if (!known) continue
        if (known.state === 'open') {
          const url = await useOpen(known)
          if (url) return url
          continue
        }
        const now = clock.now()
        if (mine || (await leaseSponsorship(db, known.id, { now, until: now + CREATION_LEASE_MS }))) {
          const url = await create(known)
          if (url) return url
        }
      }
      throw checkoutFailed()
    },
  }
}

/** What makes two orders the same. */
function openKeyOf({ name, email, company, phone, message, tierName, amount }: SponsorOrder): string {
  return hashToken(JSON.stringify([name, email.toLowerCase(), company, phone, message, tierName, amount]))
}

/** The page says 'Checkout failed: …' before it. */
function checkoutFailed(): Problem {
  return new Problem('CHECKOUT_FAILED', { message: 'The card provider does not answer' })
}
