import type * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'
import { startSponsorship, type sponsorCheckoutBody } from '#contract/public/sponsors.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { createCardTestingGuard, ALL_VISITORS } from '#server/features/orders/card-testing-guard.service.ts'
import { createFormTokens } from './form-token.service.ts'
import type { SponsorCheckoutService, SponsorOrder } from './orders/sponsor-checkout.service.ts'
import type { Tier } from '#server/features/content-store/sponsor.queries.ts'
import { priceSponsorship } from './orders/sponsorship.rules.ts'

export interface SponsorshipService {
  formToken(): string
  /** Returns the URL where the sponsor pays. @throws Problem INVALID_INPUT, RATE_LIMITED, FORM_TOKEN_INVALID, BOT_CHECK_FAILED, CHECKOUT_FAILED */
  start(body: z.output<typeof sponsorCheckoutBody>, address: string): Promise<string>
}

/** Rate limits of sponsor checkout (docs/product-rules.md#card-testing). */
export interface SponsorLimits {
  sponsorCheckout: Limit
  sponsorCheckoutWithoutForm: Limit
  sponsorCheckoutPerEmail: Limit
  sponsorCheckoutUnproven: Limit
  sponsorCheckoutOverall: Limit
  sponsorRefusals: Limit
}

export function createSponsorshipService({
  clock,
  log,
  alerts,
  botCheck,
  limiter,
  secrets,
  siteUrl,
  limits,
  tiers,
  logoMonths,
  sponsorCheckouts,
}: {
  clock: Clock
  log: Log
  alerts: Alerts
  botCheck: BotCheck
  limiter: RateLimiter
  secrets: Secrets
  siteUrl: string
  limits(): SponsorLimits
  tiers(): readonly Tier[]
  logoMonths(): number
  sponsorCheckouts: SponsorCheckoutService
}): SponsorshipService {
  const formTokens = createFormTokens(secrets)
  const {
    count,
    countAddress,
    recordRejection: noteRefusal,
  } = createCardTestingGuard<keyof SponsorLimits>({
    clock,
    alerts,
    limiter,
    limits,
    refusals: 'sponsorRefusals',
  })

  function toOrder({ tierName, amount, ...contact }: z.output<typeof sponsorCheckoutBody>): SponsorOrder {
    const priced = priceSponsorship({ tierName, amount }, tiers())
    if (priced === 'unknown-tier') throw fieldProblem('tierName', messages.sponsor.tier)
    if (priced === 'other-price') throw fieldProblem('amount', messages.sponsor.amount.mismatch)
    const { name, email, company, phone, message } = contact
    const { hasLogo, ...benefits } = priced
    return {
      name,
      email,
      company,
      phone,
      message,
      ...benefits,
      currency: 'usd',
      logoMonths: hasLogo ? logoMonths() : null,
    }
  }

  return {
    formToken: () => formTokens.make(clock.now()),

    async start(body, address) {
      const order = toOrder(body)
      await countAddress('sponsorCheckout', address)
      if (body.homepage) {
        log.warn({ path: startSponsorship.path }, 'hidden form field was filled in, request ignored')
        await noteRefusal()
        // Pretend success. The field is invisible, and a person who lands on the page can start over.
        return `${siteUrl}/sponsor/cancel`
      }
      if (body.formToken === undefined) await countAddress('sponsorCheckoutWithoutForm', address)
      else if (!formTokens.isValid(body.formToken, clock.now())) {
        await noteRefusal()
        throw new Problem('FORM_TOKEN_INVALID')
      }
      const score = body.recaptchaToken ? await botCheck.require(body.recaptchaToken, 'sponsor_checkout') : null
      // Only new orders count, so retries after a failure are not limited.
      if (!(await sponsorCheckouts.isUnfinished(order))) {
        await count('sponsorCheckoutPerEmail', nameKey(order.email))
        if (score === null) await count('sponsorCheckoutUnproven', ALL_VISITORS)
        await count('sponsorCheckoutOverall', ALL_VISITORS)
      }
      return sponsorCheckouts.open(order)
    },
  }
}
