import type { AppContext } from '#server/app-context.ts'
import { PaymentProviderError, type CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { awaitCreation, CREATION_LEASE_MS } from '#server/features/orders/await-creation.service.ts'
import { expireSession } from '#server/features/orders/expire-session.service.ts'
import type { SponsorCompletionService } from './sponsor-completion.service.ts'
import {
  closeSponsorship,
  findOpenSponsorship,
  findSponsorship,
  leaseSponsorship,
  markSponsorshipOpen,
  releaseSponsorship,
  reserveSponsorship,
  markSponsorshipChecked,
} from './sponsorship.commands.ts'
import { releaseSponsorshipKey } from './sponsorship.repository.ts'
import { type NewSponsorship, type Sponsorship } from './sponsorship.queries.ts'

export type SponsorOrder = Omit<NewSponsorship, 'id' | 'nonceHash' | 'createdAt' | 'expiresAt'>

/** The provider's minimum session length, plus a minute for the request. */
const SHORTEST_SESSION_MS = 30 * 60_000
const SESSION_MS = SHORTEST_SESSION_MS + 60_000
const REUSE_UNTIL_MS = 300_000
const RECHECK_AFTER_MS = 10_000
const ROUNDS = 4

export function createSponsorCheckoutService(
  { db, clock, log, gateway, secrets, siteUrl }: AppContext,
  {
    sponsorCompletions,
  }: {
    sponsorCompletions: SponsorCompletionService
  },
) {
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
   * Creates the provider's session for an order whose lease we hold. A lost response is retried with the same idempotency key; after a provider
   * failure the session is looked up before another key is used, so an order never gets two sessions. Returns null if the order is too old for a new
   * session.
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
        await expireSession(stripeSessionId, { gateway, log, completions: sponsorCompletions })
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

  function request({
    id,
    attempt,
    tierName,
    amount,
    currency,
    email,
    expiresAt,
  }: Sponsorship): Promise<CheckoutSnapshot> {
    const nonce = secrets.token('sponsorship-nonce', id)
    return gateway.createOneTimeCheckout({
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

  /** Returns null if the order no longer awaits payment, or not for long; then another may be created. */
  async function useOpen({ id, stripeSessionId, url, expiresAt, checkedAt }: Sponsorship): Promise<string | null> {
    if (!stripeSessionId || !url) return null
    const now = clock.now()
    if (expiresAt - REUSE_UNTIL_MS <= now) {
      await releaseSponsorshipKey(db, id)
      return null
    }
    if (now - checkedAt <= RECHECK_AFTER_MS) return url
    await markSponsorshipChecked(db, id, now)
    const completion = await sponsorCompletions.complete(stripeSessionId).catch(() => 'open' as const)
    if (completion === 'foreign') await closeSponsorship(db, id, 'failed')
    return completion === 'open' ? url : null
  }

  return {
    /** Whether the same order is being created or awaiting payment. */
    isUnfinished: async (order: SponsorOrder): Promise<boolean> =>
      (await findOpenSponsorship(db, openKeyOf(order))) !== null,

    /**
     * Returns the URL of an order's payment page. The same order reuses its session while it is unpaid.
     * @throws Problem CHECKOUT_FAILED if the provider could not be reached; a retry resumes the same order
     */
    async open(order: SponsorOrder): Promise<string> {
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

export type SponsorCheckoutService = ReturnType<typeof createSponsorCheckoutService>

/** The fields that make two orders the same. */
function openKeyOf({ name, email, company, phone, message, tierName, amount }: SponsorOrder): string {
  return hashToken(JSON.stringify([name, email.toLowerCase(), company, phone, message, tierName, amount]))
}

/** The page prefixes it with 'Checkout failed: '. */
function checkoutFailed(): Problem {
  return new Problem('CHECKOUT_FAILED', { message: 'The card provider is not responding' })
}
