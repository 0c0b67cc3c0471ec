import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { createAccount, lockAccount, setStripeCustomer } from '#server/features/accounts/account.commands.ts'
import { findAccount, findAccountByEmail, type Account } from '#server/features/accounts/account.queries.ts'
import { findRegistration } from '#server/features/auth/registration/registration.queries.ts'
import { markCompleted } from '#server/features/auth/registration/registration.commands.ts'
import { recordConsent } from '#server/features/accounts/consent.commands.ts'
import { closeCheckout, findCheckout, touchCheckout } from './checkout.commands.ts'
import { markRefunded, completeCheckout } from './checkout.repository.ts'
import { type Checkout } from './checkout.queries.ts'
import { findCodeByPromotion } from '#server/features/orders/promotion-code.queries.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import { extendTerm, startMembership, termEnd } from '../membership-start.commands.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { hasLiveSubscription, hasRights, canBuy, membershipStatus } from '../membership.rules.ts'
import { isReplacedByManualTerm, canRenewFree, isManualRenewal } from '../membership-price.rules.ts'
import { takeCredit } from '../payments/payment-credit.repository.ts'
import { receiptNumber } from '../payments/payment.queries.ts'
import { recordPayment } from '../payments/payment.commands.ts'
import { createManualPayments } from '../payments/manual-payment.service.ts'
import { refundPayment, syncSubscription } from '../membership.effects.ts'
import { sendReceipt } from '../membership.emails.ts'

/** The coupon code used: ours, or the provider's name for one created there. */
async function codeOf(tx: Tx, { promotionId, code }: NonNullable<CheckoutSnapshot['discount']>): Promise<string> {
  const known = promotionId === null ? null : await findCodeByPromotion(tx, promotionId)
  return known ?? code ?? promotionId ?? 'Discount'
}

/** Why a payment is refunded. */
type RefundReason = 'duplicate' | 'credit-gone'

/** The state of a checkout after processing. */
export type CheckoutOutcome = 'completed' | 'refunded' | 'open' | 'expired' | 'foreign'

export function createOrderCompletionService(ctx: AppContext) {
  const { db, clock, gateway, alerts, graceMs, yearOf, wakeOutbox } = ctx
  /** Finds the person's account, or creates it from the registration for a first membership. */
  async function accountOf(tx: Tx, personId: string, now: number): Promise<Account | null> {
    const registration = await findRegistration(tx, personId)
    if (!registration || !(await markCompleted(tx, personId, now))) return findAccount(tx, personId)
    const account = await createAccount(tx, { ...registration, createdAt: now }, now)
    if (account) {
      const { id, termsVersion: version, createdAt: givenAt } = registration
      await recordConsent(tx, { personId: id, kind: 'terms', version, givenAt }, now)
      await writeAudit(tx, { actor: id, action: 'account.created', subjectId: id }, now)
    }
    // Another registration created an account for the address in the meantime. Both verified the address, so the payment belongs to that account.
    return account ?? findAccountByEmail(tx, registration.email)
  }

  /** Locks the account, then re-reads it: it may have been closed while we waited. */
  async function lockedAccountOf(tx: Tx, personId: string, now: number): Promise<Account | null> {
    const account = await accountOf(tx, personId, now)
    if (!account) return null
    await lockAccount(tx, account.id)
    return findAccount(tx, account.id)
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
   * Cancels and refunds a payment that must not count: a second one for the same membership (docs/product-rules.md#open-checkouts-are-reused), or one at a price lowered by a credit that
   * is no longer available.
   */
  async function refund(
    tx: Tx,
    {
      checkout,
      snapshot,
      accountId,
      why,
    }: { checkout: Checkout; snapshot: CheckoutSnapshot; accountId: string; why: RefundReason },
    now: number,
  ) {
    await markRefunded(tx, checkout.id)
    await addToOutbox(
      tx,
      {
        effect: refundPayment,
        payload: {
          checkoutId: checkout.id,
          accountId,
          subscriptionId: snapshot.subscriptionId,
          reference: snapshot.paymentReference,
          why,
        },
        dedupeKey: `give-back:${checkout.id}`,
      },
      now,
    )
    await writeAudit(
      tx,
      {
        actor: 'system',
        action: why === 'duplicate' ? 'payment.duplicate' : 'payment.credit_gone',
        subjectId: accountId,
        details: { checkout: checkout.id },
      },
      now,
    )
    await alerts.raise(why === 'duplicate' ? 'double-payment' : 'credit-gone', { checkout: checkout.id }, tx)
  }

  /** Adds a manual term after the current one. */
  async function extend(tx: Tx, current: Membership, level: Level, now: number): Promise<number | null> {
    const endsAt = termEnd(current.endsAt ?? now, level)
    if (endsAt !== null) await extendTerm(tx, current, { endsAt, actor: current.accountId, now })
    return endsAt
  }

  /** Starts a term now, with the member as actor. */
  async function start(
    tx: Tx,
    { account, level, current, now }: { account: Account; level: Level; current: Membership | null; now: number },
    subscriptionId: string | null,
  ): Promise<number | null> {
    const endsAt = termEnd(now, level)
    const { id } = account
    await startMembership(tx, { accountId: id, level, current, endsAt, subscriptionId, actor: id, now })
    return endsAt
  }

  /** Whether this purchase extends the current membership. */
  function isRenewalByHand(current: Membership | null, level: Level, now: number): current is Membership {
    if (current === null) return false
    const status = membershipStatus(current, now, graceMs())
    return hasRights(status) && isManualRenewal(current, level)
  }

  async function complete(checkout: Checkout, snapshot: CheckoutSnapshot, level: Level): Promise<CheckoutOutcome> {
    const now = clock.now()
    const paidAt = snapshot.paidAt ?? now
    return db.transaction().execute(async (tx) => {
      const isFirst = await completeCheckout(tx, checkout.id, {
        state: 'completed',
        stripeSessionId: snapshot.sessionId,
        paidAt,
        now,
      })
      if (!isFirst) return (await findCheckout(tx, checkout.id))?.state === 'refunded' ? 'refunded' : 'completed'
      const account = await lockedAccountOf(tx, checkout.personId, now)
      if (!account) throw new Error(`checkout ${checkout.id} was paid by a person who is gone`)
      const current = await findCurrentMembership(tx, account.id)
      if (account.deactivatedBy !== null || (await isDuplicate(tx, { checkout, current, level, now }))) {
        await refund(tx, { checkout, snapshot, accountId: account.id, why: 'duplicate' }, now)
        return 'refunded'
      }
      // The account's lock is held, so no concurrent refund or order can use the same credit.
      if (checkout.credit > 0 && !(await takeCredit(tx, checkout, now))) {
        await refund(tx, { checkout, snapshot, accountId: account.id, why: 'credit-gone' }, now)
        return 'refunded'
      }
      const isByHand = snapshot.subscriptionId === null && isRenewalByHand(current, level, now)
      const periodEndsAt = isByHand
        ? await extend(tx, current, level, now)
        : await start(tx, { account, level, current, now }, snapshot.subscriptionId)
      if (snapshot.subscriptionId) {
        // The provider decides the period; sync it even if every webhook event is lost.
        await addToOutbox(tx, { effect: syncSubscription, payload: { subscriptionId: snapshot.subscriptionId } }, now)
      }
      if (snapshot.customerId && account.stripeCustomerId !== snapshot.customerId) {
        await setStripeCustomer(tx, account.id, snapshot.customerId, now)
      }
      const paymentId = newId(now)
      const isNew = await recordPayment(
        tx,
        {
          id: paymentId,
          accountId: account.id,
          checkoutId: checkout.id,
          reference: snapshot.paymentReference ?? snapshot.sessionId,
          paymentIntentId: snapshot.paymentIntentId,
          purpose: isByHand ? 'renewal' : 'start',
          levelKey: level.key,
          amount: snapshot.amountTotal,
          discount: snapshot.discount && {
            amount: snapshot.discount.amount,
            code: await codeOf(tx, snapshot.discount),
          },
          currency: snapshot.currency,
          receiptNumber: receiptNumber(paymentId, paidAt, yearOf),
          periodEndsAt,
          paidAt,
        },
        now,
      )
      if (isNew) {
        await addToOutbox(tx, { effect: sendReceipt, payload: { paymentId }, dedupeKey: `receipt:${paymentId}` }, now)
      }
      return 'completed'
    })
  }

  /** The same for a checkout that was just read. */
  async function completeFrom(snapshot: CheckoutSnapshot): Promise<CheckoutOutcome> {
    const checkout = snapshot.checkoutId ? await findCheckout(db, snapshot.checkoutId) : null
    if (!checkout) return 'foreign'
    if (checkout.state === 'completed' || checkout.state === 'refunded') return checkout.state
    if (snapshot.isPaid) {
      const level = await findLevel(db, checkout.levelKey)
      // The quoted price minus the coupon discount, if the hosted page accepts codes.
      const off = checkout.allowsCodes ? (snapshot.discount?.amount ?? 0) : 0
      if (!level || snapshot.amountTotal + off !== checkout.amount || snapshot.currency !== checkout.currency) {
        await alerts.raise('payment-mismatch', {
          checkout: checkout.id,
          ordered: checkout.amount,
          paid: snapshot.amountTotal,
        })
        return 'open'
      }
      const outcome = await complete(checkout, snapshot, level)
      wakeOutbox()
      return outcome
    }
    if (snapshot.state === 'expired') {
      await closeCheckout(db, checkout.id, 'expired')
      return 'expired'
    }
    await touchCheckout(db, checkout.id, clock.now())
    return 'open'
  }

  return {
    ...createManualPayments(ctx),
    completeFrom,
    /**
     * Starts the membership a checkout paid for; nothing else does (docs/product-rules.md#activation). Reads the checkout from the provider, and may be called by
     * the webhook, the return page and the reconciler, concurrently, in any order and any number of times. Idempotent.
     * @throws PaymentProviderError when the provider cannot be reached
     */
    async completePayment(sessionId: string): Promise<CheckoutOutcome> {
      const snapshot = await gateway.readCheckout(sessionId)
      return snapshot ? completeFrom(snapshot) : 'foreign'
    },

    /**
     * Starts or renews a free membership; an active one is renewed in its last weeks, starting at its end. `as` is the caller's proof. For a registration, whose account must be new,
     * returns null when the membership is already active (docs/product-rules.md#proof-before-a-session); for a member who has the level, returns the account.
     */
    async completeFree(personId: string, level: Level, as: 'registration' | 'member'): Promise<Account | null> {
      const now = clock.now()
      const account = await db.transaction().execute(async (tx) => {
        const found = await lockedAccountOf(tx, personId, now)
        if (!found || found.deactivatedBy !== null) return null
        const current = await findCurrentMembership(tx, found.id)
        const hasRightsNow = current !== null && hasRights(membershipStatus(current, now, graceMs()))
        if (hasRightsNow) {
          if (as !== 'member' || current.levelKey !== level.key) return null
          if (canRenewFree(current, now)) await extend(tx, current, level, now)
          return found
        }
        await start(tx, { account: found, level, current, now }, null)
        return found
      })
      if (account) wakeOutbox()
      return account
    },
  }
}

export type OrderCompletionService = ReturnType<typeof createOrderCompletionService>
