import type * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'
import { startSponsorship, type sponsorCheckoutBody } from '#contract/sponsors.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { nameKey } from '../account/account.repository.ts'
import { createCardTestingGuard, EVERYBODY } from '../billing/card-testing-guard.ts'
import { createFormTokens } from './form-token.ts'
import type { SponsorCheckoutService, SponsorOrder } from './sponsor-checkout.service.ts'
import type { Tier } from './sponsor.repository.ts'
import { priceSponsorship } from './sponsorship.rules.ts'

export interface SponsorshipService {
  formToken(): string
  /**
   * The address where the sponsor pays. @throws Problem INVALID_INPUT, RATE_LIMITED, FORM_TOKEN_INVALID, BOT_CHECK_FAILED, CHECKOUT_FAILED
   */
  start(body: z.output<typeof sponsorCheckoutBody>, address: string): Promise<string>
}

/** How many orders are taken (docs/product-rules.md#card-testing). */
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
  alarms,
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
  alarms: Alarms
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
  const { count, countAddress, noteRefusal } = createCardTestingGuard<keyof SponsorLimits>({
    clock,
    alarms,
    limiter,
    limits,
    refusals: 'sponsorRefusals',
  })

  function toOrder({ tierName, amount, ...who }: z.output<typeof sponsorCheckoutBody>): SponsorOrder {
    const priced = priceSponsorship({ tierName, amount }, tiers())
    if (priced === 'unknown-tier') throw fieldProblem('tierName', messages.sponsor.tier)
    if (priced === 'other-price') throw fieldProblem('amount', messages.sponsor.amount.mismatch)
    const { name, email, company, phone, message } = who
    const { hasLogo, ...promised } = priced
    return {
      name,
      email,
      company,
      phone,
      message,
      ...promised,
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
        log.warn({ path: startSponsorship.path }, 'a form was filled in by a program')
        await noteRefusal()
        // It believes to have been served. Nobody sees the field, and whoever lands there can begin again.
        return `${siteUrl}/sponsor/cancel`
      }
      if (body.formToken === undefined) await countAddress('sponsorCheckoutWithoutForm', address)
      else if (!formTokens.isValid(body.formToken, clock.now())) {
        await noteRefusal()
        throw new Problem('FORM_TOKEN_INVALID')
      }
      const score = body.recaptchaToken ? await botCheck.require(body.recaptchaToken, 'sponsor_checkout') : null
      // An order that is not finished makes no further session: whoever tries again after a failure is not held up.
      if (!(await sponsorCheckouts.isUnfinished(order))) {
        await count('sponsorCheckoutPerEmail', nameKey(order.email))
        if (score === null) await count('sponsorCheckoutUnproven', EVERYBODY)
        await count('sponsorCheckoutOverall', EVERYBODY)
      }
      return sponsorCheckouts.open(order)
    },
  }
}
