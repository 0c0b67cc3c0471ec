import type { Kysely } from 'kysely'
import { dayOf } from '#contract/dates.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type CheckoutFacts, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logger.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { Problem } from '#server/platform/problem.ts'
import { equalSecrets, hashToken } from '#server/platform/secrets.ts'
import { endSession } from '../billing/end-session.ts'
import { addInterval } from '../membership/membership.rules.ts'
import { receiptNumber } from '../membership/payment.repository.ts'
import {
  closeSponsorship,
  findSponsorship,
  findSponsorshipBySession,
  listUnsettledSponsorships,
  markSponsorshipOpen,
  markSponsorshipPaid,
  touchSponsorship,
  type Sponsorship,
} from './sponsorship.repository.ts'

/** What became of an order. */
export type SponsorSettlement = 'paid' | 'open' | 'expired' | 'foreign'

export interface SponsorSettlementService {
  /**
   * Takes a sponsorship as paid: the one function that does (docs/product-rules.md#activation). Reads the checkout from the provider, and may be called by the webhook,
   * the return page and the reconciler, in any order, at once and any number of times: it acts once.
   * @throws PaymentProviderError when the provider cannot be asked
   */
  settle(sessionId: string): Promise<SponsorSettlement>
  /** The same for facts just read. */
  settleFrom(facts: CheckoutFacts): Promise<SponsorSettlement>
  /** What the return page asks. @throws Problem PAYMENT_LINK_INVALID for an unknown session or a wrong nonce, PAYMENT_CHECK_FAILED */
  verifySession(query: { session_id: string; nonce: string }): Promise<{ ready: boolean }>
  /** For the reconciler: orders nothing was heard of since `before`, and what to do with each. */
  unsettled(before: number, limit: number): Promise<Sponsorship[]>
  check(order: Sponsorship): Promise<void>
}

export function createSponsorSettlementService({
  db,
  clock,
  log,
  gateway,
  alarms,
  timeZone,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  alarms: Alarms
  timeZone: string
  wakeOutbox(): void
}): SponsorSettlementService {
  async function markPaid({ id, logoMonths }: Sponsorship, facts: CheckoutFacts): Promise<void> {
    const now = clock.now()
    const paidAt = facts.paidAt ?? now
    const paidOn = dayOf(paidAt, timeZone)
    await db.transaction().execute(async (tx) => {
      const isFirst = await markSponsorshipPaid(tx, id, {
        stripeSessionId: facts.sessionId,
        paymentReference: facts.paymentReference,
        paidAt,
        receiptNumber: receiptNumber(id, paidAt, () => paidOn.slice(0, 4)),
        logoUntil: logoUntil(paidOn, logoMonths),
        now,
      })
      if (!isFirst) return
      await writeAudit(tx, { actor: 'sponsor', action: 'sponsorship.paid', subjectId: id }, now)
      await addToOutbox(tx, { kind: 'letter.sponsor_thanks', payload: { id }, dedupeKey: `sponsor-thanks:${id}` }, now)
      await addToOutbox(tx, { kind: 'letter.sponsor_paid', payload: { id }, dedupeKey: `sponsor-paid:${id}` }, now)
    })
    wakeOutbox()
  }

  async function settleFrom(facts: CheckoutFacts): Promise<SponsorSettlement> {
    const order = facts.checkoutId ? await findSponsorship(db, facts.checkoutId) : null
    if (!order) return 'foreign'
    if (facts.isPaid) {
      const isOther = order.state === 'paid' && order.stripeSessionId !== facts.sessionId
      if (isOther || facts.amountTotal !== order.amount || facts.currency !== order.currency) {
        await alarms.raise('payment-mismatch', {
          sponsorship: order.id,
          session: facts.sessionId,
          ordered: order.amount,
          paid: facts.amountTotal,
        })
        return order.state === 'paid' ? 'paid' : 'open'
      }
      if (order.state !== 'paid') await markPaid(order, facts)
      return 'paid'
    }
    if (order.state === 'paid') return 'paid'
    if (facts.state === 'expired') {
      await closeSponsorship(db, order.id, 'expired')
      return 'expired'
    }
    await touchSponsorship(db, order.id, clock.now())
    return 'open'
  }

  async function settle(sessionId: string): Promise<SponsorSettlement> {
    const facts = await gateway.readCheckout(sessionId)
    return facts ? settleFrom(facts) : 'foreign'
  }

  return {
    settle,
    settleFrom,
    unsettled: (before, limit) => listUnsettledSponsorships(db, before, limit),

    async verifySession({ session_id: sessionId, nonce }) {
      const order = await findSponsorshipBySession(db, sessionId)
      if (!order || !equalSecrets(hashToken(nonce), order.nonceHash)) throw new Problem('PAYMENT_LINK_INVALID')
      if (order.state === 'paid') return { ready: true }
      try {
        return { ready: (await settle(sessionId)) === 'paid' }
      } catch (error) {
        log.warn({ reason: String((error as Error).message) }, 'payment could not be checked')
        throw error instanceof PaymentProviderError ? new Problem('PAYMENT_CHECK_FAILED') : error
      }
    },

    async check({ id, stripeSessionId, createdAt }) {
      const now = clock.now()
      await touchSponsorship(db, id, now)
      if (stripeSessionId) {
        const settlement = await settle(stripeSessionId)
        if (settlement === 'paid') log.info({ sponsorship: id }, 'sponsorship repaired')
        if (settlement === 'foreign') await closeSponsorship(db, id, 'failed')
        return
      }
      const found = await gateway.findCheckout({ checkoutId: id, createdAt })
      if (!found) return closeSponsorship(db, id, 'failed')
      const { sessionId, url } = found
      if (await markSponsorshipOpen(db, id, { stripeSessionId: sessionId, url, now })) await settle(sessionId)
      else await endSession(sessionId, { gateway, log, settlements: { settleFrom } })
    },
  }
}

/** Until when the logo of somebody who paid is shown: the same day so many months later, or the last of that month. `YYYY-MM-DD`. */
export function logoUntil(paidOn: string, months: number | null): string | null {
  return months === null ? null : monthsLater(paidOn, months)
}

function monthsLater(day: string, months: number): string {
  return new Date(addInterval(Date.parse(`${day}T00:00:00Z`), 'month', months)).toISOString().slice(0, 10)
}
