import { addTerms, isChargedAutomatically } from '#contract/level-terms.ts'
import type { AppContext } from '#server/app-context.ts'
import type { LevelChange, MemberPayment } from '#contract/public/billing.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { Problem } from '#server/lib/problem.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { findLevel, listLevelsOnSale, type Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '../membership.rules.ts'
import type { MembershipPriceService } from '../membership-price.service.ts'
import { listCredits } from '../payments/payment-credit.queries.ts'
import { findPaymentByReceipt } from '../payments/payment.repository.ts'
import { listPayments } from '../payments/payment.queries.ts'
import type { RenderedReceipt, ReceiptService } from './receipt.service.ts'
import type { LevelPrices } from '#server/features/levels/set-level-price.service.ts'

export function createPaymentsService(
  { db, clock, log, gateway, graceMs }: AppContext,
  {
    prices,
    receipts,
    levelPrices,
  }: {
    prices: MembershipPriceService
    receipts: ReceiptService
    levelPrices: LevelPrices
  },
) {
  /** From one subscription to another: the provider's own preview. */
  async function previewChange(subscriptionId: string, level: Level): Promise<LevelChange | null> {
    try {
      const change = await gateway.previewChange(subscriptionId, await levelPrices.ensurePriceId(level))
      const { currency, credit, dueToday, nextCharge, nextChargeAt } = change
      return { levelKey: level.key, currency, credit, dueToday, next: { amount: nextCharge, at: iso(nextChargeAt) } }
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error
      log.warn({ level: level.key, reason: error.message }, 'change of level not previewed')
      return null
    }
  }

  /** Through a checkout of ours. */
  async function quoteCheckout(accountId: string, level: Level): Promise<LevelChange> {
    const { amount, credit, mode } = await prices.priceFor(accountId, level)
    const nextAt = addTerms(clock.now(), level)
    return {
      levelKey: level.key,
      currency: level.currency,
      credit,
      dueToday: amount,
      next: mode === 'subscription' && nextAt && amount > 0 ? { amount: level.unitAmount, at: iso(nextAt) } : null,
    }
  }

  async function changeTo(accountId: string, membership: Membership, level: Level): Promise<LevelChange | null> {
    const { stripeSubscriptionId: subscriptionId } = membership
    const staysSubscribed = subscriptionId !== null && hasLiveSubscription(membership) && level.isRecurring
    if (!staysSubscribed) return quoteCheckout(accountId, level)
    // The portal only changes to levels that it charges for. Another one, such as a free level, can be chosen after the paid one has ended.
    return isChargedAutomatically(level) ? previewChange(subscriptionId, level) : null
  }

  return {
    /** Newest first. */
    async payments(accountId: string): Promise<MemberPayment[]> {
      const payments = await listPayments(db, accountId)
      const credits = await listCredits(db, accountId)
      const receipts = new Map(payments.map(({ id, receiptNumber }) => [id, receiptNumber]))
      return Promise.all(
        payments.map(async (payment): Promise<MemberPayment> => {
          const { receiptNumber, purpose, levelKey, amount, currency, amountRefunded, dispute } = payment
          const levelName = (await findLevel(db, levelKey))?.name ?? levelKey
          const credited = credits.filter(({ paymentId }) => paymentId === payment.id)
          const used = credits.filter(({ toPaymentId }) => toPaymentId === payment.id)
          const replacement = payments.find(({ replacesId }) => replacesId === payment.id)
          return {
            receiptNumber,
            purpose,
            levelName,
            amount,
            currency,
            amountRefunded,
            dispute,
            byHand: describeManualPayment(payment.reference) ?? undefined,
            ...(credited.length > 0 && {
              credited: credited.map(({ amount: part, to }) => ({ amount: part, receiptNumber: to })),
            }),
            ...(used.length > 0 && {
              credit: used.map(({ amount: part, from }) => ({ amount: part, receiptNumber: from })),
            }),
            ...(payment.voidedAt !== null && { canceledAt: iso(payment.voidedAt) }),
            replaces: receipts.get(payment.replacesId ?? '') ?? undefined,
            replacedBy: replacement?.receiptNumber ?? undefined,
            chargedAt: iso(payment.paidAt),
            confirmedAt: iso(payment.recordedAt),
            activatedAt: payment.activatedAt === null ? null : iso(payment.activatedAt),
            receiptMailedAt: payment.receiptSentAt === null ? null : iso(payment.receiptSentAt),
          }
        }),
      )
    },

    /** @throws Problem RECEIPT_NOT_FOUND, also for another account's receipt */
    async receipt(accountId: string, receiptNumber: string): Promise<RenderedReceipt> {
      const payment = await findPaymentByReceipt(db, accountId, receiptNumber)
      const printed = payment && (await receipts.render(payment))
      if (!printed) throw new Problem('RECEIPT_NOT_FOUND')
      return printed
    },

    /** The cost of changing to each other level. Empty without an active membership and for lifetime members. */
    async levelChanges(accountId: string): Promise<LevelChange[]> {
      const membership = await findCurrentMembership(db, accountId)
      if (!membership || membership.kind === 'ONE_TIME') return []
      if (!hasRights(membershipStatus(membership, clock.now(), graceMs()))) return []
      const others = (await listLevelsOnSale(db)).filter(({ key }) => key !== membership.levelKey)
      const changes = await Promise.all(others.map((level) => changeTo(accountId, membership, level)))
      return changes.filter((change) => change !== null)
    },
  }
}

export type PaymentsService = ReturnType<typeof createPaymentsService>

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
