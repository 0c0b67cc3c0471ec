import { isChargedAutomatically } from '#contract/level-terms.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { Problem } from '#server/lib/problem.ts'
import type { CheckoutRequest, CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { extendRegistration } from '#server/features/auth/registration/registration.commands.ts'
import { findRegistration } from '#server/features/auth/registration/registration.queries.ts'
import { saveStripePriceId } from '#server/features/levels/level.commands.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import type { LevelPrices } from '#server/features/levels/set-level-price.service.ts'
import type { OrderKind, OrderPayment, OrderPayments } from '#server/features/orders/order-kind.registry.ts'
import { findCodeByPromotion } from '#server/features/orders/promotion-code.queries.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { refundPayment, syncSubscription } from '../membership.effects.ts'
import { sendReceipt } from '../membership.emails.ts'
import { isManualRenewal, isReplacedByManualTerm } from '../membership-price.rules.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { canBuy, hasLiveSubscription, hasRights, membershipStatus } from '../membership.rules.ts'
import { takeCredit } from '../payments/payment-credit.repository.ts'
import { recordPayment } from '../payments/payment.commands.ts'
import { addTerm, lockBuyerAccount, startTerm } from './buyer-membership.commands.ts'
import { checkouts } from './checkout.commands.ts'
import type { Checkout } from './checkout.queries.ts'
import { recordCompletion } from './checkout.repository.ts'

const SESSION_MS = 23 * 3_600_000

/** Why a payment is refunded. */
type RefundReason = 'duplicate' | 'credit-gone'

/**
 * A membership: a subscription, a single term, or one for life. Being paid starts it or adds a term; with the payments that officers record, nothing else
 * does (docs/product-rules.md#activation).
 */
export function createMembershipOrder(
  { db, gateway, alerts, siteUrl, graceMs, yearOf }: AppContext,
  { payments, levelPrices }: { payments: OrderPayments; levelPrices: LevelPrices },
): OrderKind<Checkout> {
  const failure = () => new Problem('CHECKOUT_FAILED')

  async function requireLevel({ levelKey }: Checkout, handle: Tx | typeof db = db): Promise<Level> {
    const level = await findLevel(handle, levelKey)
    if (!level) throw new Error(`level ${levelKey} was ordered and is gone`)
    return level
  }

  /** An account, or a verified registration that will become one. */
  async function payerOf({ personId }: Checkout): Promise<{ email: string; customerId: string | null }> {
    const account = await findAccount(db, personId)
    if (account) return { email: account.email, customerId: account.stripeCustomerId }
    const registration = await findRegistration(db, personId)
    if (!registration) throw failure()
    return { email: registration.email, customerId: null }
  }

  /** The catalog price, or an amount specific to this order. */
  async function priceOf(checkout: Checkout, level: Level): Promise<CheckoutRequest['price']> {
    const catalogueMode = isChargedAutomatically(level) ? 'subscription' : 'payment'
    const isCatalogue = checkout.amount === level.unitAmount && checkout.mode === catalogueMode
    if (isCatalogue) return { id: await levelPrices.ensurePriceId(level) }
    return { amount: checkout.amount, currency: checkout.currency, levelKey: level.key, name: level.name }
  }

  async function isDuplicate(
    tx: Tx,
    { checkout, current, level, now }: { checkout: Checkout; current: Membership | null; level: Level; now: number },
  ): Promise<boolean> {
    if (current === null) return false
    const status = membershipStatus(current, now, graceMs())
    const held = { ...current, status, hasSubscription: hasLiveSubscription(current) }
    return (
      canBuy(held, level) !== 'allowed' || isReplacedByManualTerm(held, await findLevel(tx, current.levelKey), checkout)
    )
  }

  /**
   * Cancels and refunds a payment that must not count: a second one for the same membership (docs/product-rules.md#open-checkouts-are-reused), or one at a
   * price lowered by a credit that is no longer available.
   */
  async function refund(
    tx: Tx,
    { id, accountId, why }: { id: string; accountId: string; why: RefundReason },
    { checkout: { subscriptionId, paymentReference: reference }, now }: OrderPayment,
  ): Promise<'refunded'> {
    const isDouble = why === 'duplicate'
    const payload = { checkoutId: id, accountId, subscriptionId, reference, why }
    await addToOutbox(tx, { effect: refundPayment, payload, dedupeKey: `give-back:${id}` }, now)
    const action = isDouble ? 'payment.duplicate' : 'payment.credit_gone'
    await writeAudit(tx, { actor: 'system', action, subjectId: accountId, details: { checkout: id } }, now)
    await alerts.raise(isDouble ? 'double-payment' : 'credit-gone', { checkout: id }, tx)
    return 'refunded'
  }

  /** Records the payment and queues its receipt. */
  async function record(
    tx: Tx,
    payment: Pick<
      Parameters<typeof recordPayment>[1],
      'accountId' | 'checkoutId' | 'purpose' | 'levelKey' | 'periodEndsAt'
    >,
    { checkout, paidAt, now }: OrderPayment,
  ): Promise<void> {
    const id = newId(now)
    const { discount, amountTotal: amount, currency, paymentIntentId, paymentReference, sessionId } = checkout
    const isNew = await recordPayment(
      tx,
      {
        ...payment,
        id,
        reference: paymentReference ?? sessionId,
        paymentIntentId,
        amount,
        discount: discount && { amount: discount.amount, code: await codeOf(tx, discount) },
        currency,
        receiptNumber: receiptNumber(id, paidAt, yearOf),
        paidAt,
      },
      now,
    )
    if (isNew)
      await addToOutbox(tx, { effect: sendReceipt, payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
  }

  return {
    key: 'checkout',
    name: 'checkout',
    orders: checkouts,
    payments,
    sessionMs: SESSION_MS,
    failure,

    async createPage(checkout, { nonce, ...page }) {
      const level = await requireLevel(checkout)
      const { personId, mode, allowsCodes, expiresAt } = checkout
      return gateway.createCheckout({
        ...page,
        personId,
        levelKey: level.key,
        mode,
        price: await priceOf(checkout, level),
        ...(await payerOf(checkout)),
        allowsCodes,
        successUrl: `${siteUrl}/stripe/success?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
        cancelUrl: `${siteUrl}/stripe/cancel`,
        expiresAt,
      })
    },

    // A payment in the last minute may reach us days later, and the registration must still exist then.
    onOpened: ({ personId, expiresAt }) => extendRegistration(db, personId, expiresAt + SESSION_MS),

    // The cached price may belong to another Stripe account, such as the test account.
    onRefused: async (checkout) => saveStripePriceId(db, await requireLevel(checkout), null),

    /** The quoted price minus the coupon discount, if the page accepts codes. */
    isPriceOf: ({ amount, allowsCodes }, { amountTotal, discount }) =>
      amountTotal + (allowsCodes ? (discount?.amount ?? 0) : 0) === amount,

    async onPaid(tx, checkout, payment) {
      const { id, personId } = checkout
      const { now } = payment
      const { subscriptionId, customerId } = payment.checkout
      await recordCompletion(tx, id, now)
      const level = await requireLevel(checkout, tx)
      const account = await lockBuyerAccount(tx, personId, now)
      if (!account) throw new Error(`checkout ${id} was paid by a person who is gone`)
      const accountId = account.id
      const current = await findCurrentMembership(tx, accountId)
      if (account.deactivatedBy !== null || (await isDuplicate(tx, { checkout, current, level, now })))
        return refund(tx, { id, accountId, why: 'duplicate' }, payment)
      // The account's lock is held, so no concurrent refund or order can use the same credit.
      if (checkout.credit > 0 && !(await takeCredit(tx, checkout, now)))
        return refund(tx, { id, accountId, why: 'credit-gone' }, payment)
      const renewed =
        subscriptionId === null &&
        current !== null &&
        hasRights(membershipStatus(current, now, graceMs())) &&
        isManualRenewal(current, level)
          ? current
          : null
      const periodEndsAt = renewed
        ? await addTerm(tx, renewed, level, now)
        : await startTerm(tx, { account, level, current, now }, subscriptionId)
      // The provider decides the period; sync it even if every webhook event is lost.
      if (subscriptionId) await addToOutbox(tx, { effect: syncSubscription, payload: { subscriptionId } }, now)
      if (customerId && account.stripeCustomerId !== customerId) await setStripeCustomer(tx, accountId, customerId, now)
      const purpose = renewed ? 'renewal' : 'start'
      await record(tx, { accountId, checkoutId: id, purpose, levelKey: level.key, periodEndsAt }, payment)
      return 'paid'
    },
  }
}

/** The coupon code used: ours, or the provider's name for one created there. */
async function codeOf(tx: Tx, { promotionId, code }: NonNullable<CheckoutSnapshot['discount']>): Promise<string> {
  const known = promotionId === null ? null : await findCodeByPromotion(tx, promotionId)
  return known ?? code ?? promotionId ?? 'Discount'
}
