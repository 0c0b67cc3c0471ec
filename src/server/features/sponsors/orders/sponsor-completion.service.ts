import type { AppContext } from '#server/app-context.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { PaymentProviderError, type CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { sendSponsorPaid, sendSponsorThanks } from '../sponsors.emails.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import { equalSecrets, hashToken } from '#server/lib/secrets.ts'
import { expireSession } from '#server/features/orders/expire-session.service.ts'
import { addInterval } from '#server/features/memberships/membership.rules.ts'
import { receiptNumber } from '#server/features/memberships/payments/payment.queries.ts'
import {
  closeSponsorship,
  findSponsorship,
  findSponsorshipBySession,
  listPendingSponsorships,
  markSponsorshipOpen,
  markSponsorshipPaid,
  markSponsorshipChecked,
} from './sponsorship.commands.ts'
import { type Sponsorship } from './sponsorship.queries.ts'

/** The state of an order; `foreign` if the checkout is not a sponsorship. */
export type SponsorOrderOutcome = 'paid' | 'open' | 'expired' | 'foreign'

export function createSponsorCompletionService({ db, clock, log, gateway, alerts, timeZone, wakeOutbox }: AppContext) {
  async function markPaid({ id, logoMonths }: Sponsorship, checkout: CheckoutSnapshot): Promise<void> {
    const now = clock.now()
    const paidAt = checkout.paidAt ?? now
    const paidOn = dayOf(paidAt, timeZone)
    await db.transaction().execute(async (tx) => {
      const isFirst = await markSponsorshipPaid(tx, id, {
        stripeSessionId: checkout.sessionId,
        paymentReference: checkout.paymentReference,
        paidAt,
        receiptNumber: receiptNumber(id, paidAt, () => paidOn.slice(0, 4)),
        logoUntil: logoUntil(paidOn, logoMonths),
        now,
      })
      if (!isFirst) return
      await writeAudit(tx, { actor: 'sponsor', action: 'sponsorship.paid', subjectId: id }, now)
      await addToOutbox(tx, { effect: sendSponsorThanks, payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
      await addToOutbox(tx, { effect: sendSponsorPaid, payload: { id }, dedupeKey: `sponsor-paid:${id}` }, now)
    })
    wakeOutbox()
  }

  /** Same as `complete`, for a checkout that was just read. */
  async function completeFrom(checkout: CheckoutSnapshot): Promise<SponsorOrderOutcome> {
    const order = checkout.checkoutId ? await findSponsorship(db, checkout.checkoutId) : null
    if (!order) return 'foreign'
    if (checkout.isPaid) {
      const isOther = order.state === 'paid' && order.stripeSessionId !== checkout.sessionId
      if (isOther || checkout.amountTotal !== order.amount || checkout.currency !== order.currency) {
        await alerts.raise('payment-mismatch', {
          sponsorship: order.id,
          session: checkout.sessionId,
          ordered: order.amount,
          paid: checkout.amountTotal,
        })
        return order.state === 'paid' ? 'paid' : 'open'
      }
      if (order.state !== 'paid') await markPaid(order, checkout)
      return 'paid'
    }
    if (order.state === 'paid') return 'paid'
    if (checkout.state === 'expired') {
      await closeSponsorship(db, order.id, 'expired')
      return 'expired'
    }
    await markSponsorshipChecked(db, order.id, clock.now())
    return 'open'
  }

  /**
   * Marks a sponsorship as paid; no other function does (docs/product-rules.md#activation). Reads the checkout from the provider. Idempotent: the
   * webhook, the return page and the reconciler may call it concurrently, repeatedly and in any order.
   * @throws PaymentProviderError if the provider cannot be reached
   */
  async function complete(sessionId: string): Promise<SponsorOrderOutcome> {
    const checkout = await gateway.readCheckout(sessionId)
    return checkout ? completeFrom(checkout) : 'foreign'
  }

  return {
    complete,
    completeFrom,
    /** For the reconciler: orders last checked before `before`, and how to check each. */
    listPending: (before: number, limit: number): Promise<Sponsorship[]> => listPendingSponsorships(db, before, limit),

    /** Checks a payment for the return page. @throws Problem PAYMENT_LINK_INVALID for an unknown session or a wrong nonce, PAYMENT_CHECK_FAILED */
    async verifySession({
      session_id: sessionId,
      nonce,
    }: {
      session_id: string
      nonce: string
    }): Promise<{ ready: boolean }> {
      const order = await findSponsorshipBySession(db, sessionId)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (order.state === 'paid') return { ready: true }
      try {
        return { ready: (await complete(sessionId)) === 'paid' }
      } catch (error) {
        log.warn({ reason: String((error as Error).message) }, 'payment could not be checked')
        throw error instanceof PaymentProviderError ? new Problem('PAYMENT_CHECK_FAILED') : error
      }
    },

    async check({ id, stripeSessionId, createdAt }: Sponsorship): Promise<void> {
      const now = clock.now()
      await markSponsorshipChecked(db, id, now)
      if (stripeSessionId) {
        const completion = await complete(stripeSessionId)
        if (completion === 'paid') log.info({ sponsorship: id }, 'sponsorship repaired')
        if (completion === 'foreign') await closeSponsorship(db, id, 'failed')
        return
      }
      const found = await gateway.findCheckout({ checkoutId: id, createdAt })
      if (!found) return closeSponsorship(db, id, 'failed')
      const { sessionId, url } = found
      if (await markSponsorshipOpen(db, id, { stripeSessionId: sessionId, url, now })) await complete(sessionId)
      else await expireSession(sessionId, { gateway, log, completions: { completeFrom } })
    },
  }
}

export type SponsorCompletionService = ReturnType<typeof createSponsorCompletionService>

/** The last day on which a sponsor's logo is shown: the same day some months later, or the last of that month. `YYYY-MM-DD`. */
export function logoUntil(paidOn: string, months: number | null): string | null {
  return months === null ? null : monthsLater(paidOn, months)
}

function monthsLater(day: string, months: number): string {
  return new Date(addInterval(Date.parse(`${day}T00:00:00Z`), 'month', months)).toISOString().slice(0, 10)
}
