import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { createOrderPayments } from '#server/features/orders/order-payments.service.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { sendSponsorPaid, sendSponsorRefund, sendSponsorThanks } from '../sponsors.emails.ts'
import { recordSponsorshipPayment, sponsorships } from './sponsorship.commands.ts'
import type { Sponsorship } from './sponsorship.queries.ts'
import { logoUntil } from './sponsorship.rules.ts'

/** The provider's minimum session length, plus a minute for the request. */
const SESSION_MS = 31 * 60_000

/** A sponsorship: paid once, by a company without an account. A fully refunded one has no benefits. */
export function createSponsorshipOrder(ctx: AppContext): OrderKind<Sponsorship> {
  const { gateway, siteUrl, timeZone, yearOf } = ctx
  return {
    key: 'sponsorship',
    name: 'sponsorship',
    orders: sponsorships,
    payments: createOrderPayments(ctx, {
      kind: 'sponsorship',
      table: 'sponsorship',
      name: 'sponsorship',
      action: 'sponsorship.returned',
      onRefundMade: (tx, { id }, now) => addToOutbox(tx, { effect: sendSponsorRefund, payload: { id } }, now),
    }),
    sessionMs: SESSION_MS,
    allowsSeveral: true,
    // The page prefixes it with 'Checkout failed: '.
    failure: () => new Problem('CHECKOUT_FAILED', { message: 'The card provider is not responding' }),

    createPage({ tierName, amount, currency, email, expiresAt }, { nonce, ...page }) {
      const description = `Sponsorship: ${tierName}`
      return gateway.createOneTimeCheckout({
        ...page,
        description,
        lines: [{ name: description, amount, quantity: 1 }],
        currency,
        email,
        successUrl: `${siteUrl}/sponsor/success?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
        cancelUrl: `${siteUrl}/sponsor/cancel`,
        expiresAt,
      })
    },

    async onPaid(tx, { id, logoMonths }, { checkout: { paymentReference }, paidAt, now }) {
      await recordSponsorshipPayment(
        tx,
        id,
        {
          paymentReference,
          receiptNumber: receiptNumber(id, paidAt, yearOf),
          logoUntil: logoUntil(dayOf(paidAt, timeZone), logoMonths),
        },
        now,
      )
      await writeAudit(tx, { actor: 'sponsor', action: 'sponsorship.paid', subjectId: id }, now)
      await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
      await addToOutbox(tx, { effect: sendSponsorPaid, payload: { id }, dedupeKey: `sponsor-paid:${id}` }, now)
      return 'paid'
    },
  }
}
