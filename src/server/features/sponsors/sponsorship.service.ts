import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import type * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'
import { startSponsorship, type sponsorCheckoutBody } from '#contract/public/sponsors.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { createCardTestingGuard, ALL_VISITORS } from '#server/features/orders/card-testing-guard.service.ts'
import { createFormTokens } from './form-token.service.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { findSponsorship, reserveSponsorship, type SponsorOrder, sponsorships } from './orders/sponsorship.commands.ts'
import type { Sponsorship } from './orders/sponsorship.queries.ts'
import { priceSponsorship } from './orders/sponsorship.rules.ts'

export function createSponsorshipService(
  ctx: AppContext,
  { orders, kind }: { orders: Orders; kind: OrderKind<Sponsorship> },
) {
  const { db, clock, log, botCheck, secrets, siteUrl, settings, cache } = ctx
  const formTokens = createFormTokens(secrets)
  const { count, countAddress, recordRejection: noteRefusal } = createCardTestingGuard(ctx, 'sponsorRefusals')

  function toOrder({ tierName, amount, ...contact }: z.output<typeof sponsorCheckoutBody>): SponsorOrder {
    const priced = priceSponsorship({ tierName, amount }, cache.content().tiers)
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
      currency: region().currency,
      logoMonths: hasLogo ? settings().sponsorship.logoMonths : null,
    }
  }

  /** The URL where this order is paid. The same order reuses its page while it is unpaid; once it is paid, another may be placed. */
  async function openPage(order: SponsorOrder): Promise<string> {
    const openKey = openKeyOf(order)
    async function reserve(): Promise<Sponsorship | null> {
      const draft = orders.draft(kind)
      return (await reserveSponsorship(db, { ...order, ...draft, openKey })) ? findSponsorship(db, draft.id) : null
    }
    for (;;) {
      const page = await orders.open(kind, { openKey, reserve })
      if (page !== 'paid') return page.url
    }
  }

  return {
    formToken: (): string => formTokens.make(clock.now()),

    /** Returns the URL where the sponsor pays. @throws Problem INVALID_INPUT, RATE_LIMITED, FORM_TOKEN_INVALID, BOT_CHECK_FAILED, CHECKOUT_FAILED */
    async start(body: z.output<typeof sponsorCheckoutBody>, address: string): Promise<string> {
      if (!settings().parts.sponsors) throw new Problem('NOT_FOUND')
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
      if (!(await sponsorships.findOpen(db, openKeyOf(order)))) {
        await count('sponsorCheckoutPerEmail', nameKey(order.email))
        if (score === null) await count('sponsorCheckoutUnproven', ALL_VISITORS)
        await count('sponsorCheckoutOverall', ALL_VISITORS)
      }
      return openPage(order)
    },
  }
}

export type SponsorshipService = ReturnType<typeof createSponsorshipService>

/** The fields that make two orders the same. */
function openKeyOf({ name, email, company, phone, message, tierName, amount }: SponsorOrder): string {
  return hashToken(JSON.stringify([name, email.toLowerCase(), company, phone, message, tierName, amount]))
}
