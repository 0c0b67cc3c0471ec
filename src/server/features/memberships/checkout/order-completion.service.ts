import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { CheckoutFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import {
  createAccount,
  findAccount,
  findAccountByEmail,
  lockAccount,
  setStripeCustomer,
  type Account,
} from '../account/account.repository.ts'
import { findRegistration, markCompleted } from '../auth/registration.repository.ts'
import { recordConsent } from '../account/consent.repository.ts'
import {
  closeCheckout,
  findCheckout,
  markRefunded,
  settleCheckout,
  touchCheckout,
  type Checkout,
} from './checkout.repository.ts'
import { findCodeByPromotion } from '../billing/coupon.repository.ts'
import { findLevel, type Level } from './level.repository.ts'
import { extendTerm, startMembership, termEnd } from './membership-start.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import { hasLiveSubscription, hasRights, mayBuy, membershipStatus } from './membership.rules.ts'
import { isGivenByHandSince, mayRenewFree, renewsByHand } from './offer.rules.ts'
import { takeCredit } from './payment-credit.repository.ts'
import { receiptNumber, recordPayment } from './payment.repository.ts'
import { createHandSettlements, type HandSettlements } from './settlement-by-hand.ts'

/** The code that was typed: ours, or as the provider calls one that was made there. */
async function codeOf(tx: Tx, { promotionId, code }: NonNullable<CheckoutFacts['discount']>): Promise<string> {
  const known = promotionId === null ? null : await findCodeByPromotion(tx, promotionId)
  return known ?? code ?? promotionId ?? 'Discount'
}

/** Why a payment goes back. */
type GivenBack = 'duplicate' | 'credit-gone'

/** What became of a checkout. */
export type Settlement = 'completed' | 'refunded' | 'open' | 'expired' | 'foreign'

export interface SettlementService extends HandSettlements {
  /**
   * Starts the membership a checkout paid for: the one function that does (docs/product-rules.md#activation). Reads the checkout from the provider, and may be called by
   * the webhook, the return page and the reconciler, in any order, at once and any number of times: it acts once.
   * @throws PaymentProviderError when the provider cannot be asked
   */
  settle(sessionId: string): Promise<Settlement>
  /** The same for facts just read. */
  settleFrom(facts: CheckoutFacts): Promise<Settlement>
  /**
   * Starts or renews a free membership; one that runs is renewed in its last weeks, from its end on. `as` says on what proof: a registration's account is new, so whoever finds it active already gets null (docs/product-rules.md#proof-before-a-session);
   * a member who holds the level gets the account again.
   */
  completeFree(personId: string, level: Level, as: 'registration' | 'member'): Promise<Account | null>
}

export function createSettlementService({
  db,
  clock,
  gateway,
  alarms,
  graceMs,
  yearOf,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  graceMs(): number
  /** The association's year at an instant. */
  yearOf(instant: number): string
  wakeOutbox(): void
}): SettlementService {
  /** The account a person has, made from the registration when this is the first membership. */
  async function accountOf(tx: Tx, personId: string, now: number): Promise<Account | null> {
    const registration = await findRegistration(tx, personId)
    if (!registration || !(await markCompleted(tx, personId, now))) return findAccount(tx, personId)
    const account = await createAccount(tx, { ...registration, createdAt: now }, now)
    if (account) {
      const { id, termsVersion: version, createdAt: givenAt } = registration
      await recordConsent(tx, { personId: id, kind: 'terms', version, givenAt }, now)
      await writeAudit(tx, { actor: id, action: 'account.created', subjectId: id }, now)
    }
    // The address got an account by another registration meanwhile: this payment is its owner's, who verified the address too.
    return account ?? findAccountByEmail(tx, registration.email)
  }

  /** The same with its row locked, and read once it is: whoever held it may have closed it. */
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
      mayBuy(held, level) !== 'allowed' || isGivenByHandSince(held, await findLevel(tx, current.levelKey), checkout)
    )
  }

  /**
   * A payment that may not count is cancelled and given back: a second one for what is held already (docs/product-rules.md#open-checkouts-are-reused), or one at a price that was lowered by a credit which
   * is no longer there.
   */
  async function giveBack(
    tx: Tx,
    {
      checkout,
      facts,
      accountId,
      why,
    }: { checkout: Checkout; facts: CheckoutFacts; accountId: string; why: GivenBack },
    now: number,
  ) {
    await markRefunded(tx, checkout.id)
    await addToOutbox(
      tx,
      {
        kind: 'payment.give_back',
        payload: {
          checkoutId: checkout.id,
          accountId,
          subscriptionId: facts.subscriptionId,
          reference: facts.paymentReference,
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
    await alarms.raise(why === 'duplicate' ? 'double-payment' : 'credit-gone', { checkout: checkout.id }, tx)
  }

  /** One more term by hand: from the end of the one that runs. */
  async function extend(tx: Tx, current: Membership, level: Level, now: number): Promise<number | null> {
    const endsAt = termEnd(current.endsAt ?? now, level)
    if (endsAt !== null) await extendTerm(tx, current, { endsAt, actor: current.accountId, now })
    return endsAt
  }

  /** A term from now on, as its holder began it. */
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

  /** Whether what is paid or taken now adds a term to the membership that runs. */
  function isRenewalByHand(current: Membership | null, level: Level, now: number): current is Membership {
    if (current === null) return false
    const status = membershipStatus(current, now, graceMs())
    return hasRights(status) && renewsByHand(current, level)
  }

  async function complete(checkout: Checkout, facts: CheckoutFacts, level: Level): Promise<Settlement> {
    const now = clock.now()
    const paidAt = facts.paidAt ?? now
    return db.transaction().execute(async (tx) => {
      const isFirst = await settleCheckout(tx, checkout.id, {
        state: 'completed',
        stripeSessionId: facts.sessionId,
        paidAt,
        now,
      })
      if (!isFirst) return (await findCheckout(tx, checkout.id))?.state === 'refunded' ? 'refunded' : 'completed'
      const account = await lockedAccountOf(tx, checkout.personId, now)
      if (!account) throw new Error(`checkout ${checkout.id} was paid by a person who is gone`)
      const current = await findCurrentMembership(tx, account.id)
      if (account.deactivatedBy !== null || (await isDuplicate(tx, { checkout, current, level, now }))) {
        await giveBack(tx, { checkout, facts, accountId: account.id, why: 'duplicate' }, now)
        return 'refunded'
      }
      // Credited once: the account's lock is held, so no refund or other order comes between.
      if (checkout.credit > 0 && !(await takeCredit(tx, checkout, now))) {
        await giveBack(tx, { checkout, facts, accountId: account.id, why: 'credit-gone' }, now)
        return 'refunded'
      }
      const isByHand = facts.subscriptionId === null && isRenewalByHand(current, level, now)
      const periodEndsAt = isByHand
        ? await extend(tx, current, level, now)
        : await start(tx, { account, level, current, now }, facts.subscriptionId)
      if (facts.subscriptionId) {
        // Its period is the provider's to say, also when every notice is lost.
        await addToOutbox(
          tx,
          { kind: 'payment.sync_subscription', payload: { subscriptionId: facts.subscriptionId } },
          now,
        )
      }
      if (facts.customerId && account.stripeCustomerId !== facts.customerId) {
        await setStripeCustomer(tx, account.id, facts.customerId, now)
      }
      const paymentId = newId(now)
      const isNew = await recordPayment(
        tx,
        {
          id: paymentId,
          accountId: account.id,
          checkoutId: checkout.id,
          reference: facts.paymentReference ?? facts.sessionId,
          paymentIntentId: facts.paymentIntentId,
          purpose: isByHand ? 'renewal' : 'start',
          levelKey: level.key,
          amount: facts.amountTotal,
          discount: facts.discount && { amount: facts.discount.amount, code: await codeOf(tx, facts.discount) },
          currency: facts.currency,
          receiptNumber: receiptNumber(paymentId, paidAt, yearOf),
          periodEndsAt,
          paidAt,
        },
        now,
      )
      if (isNew) {
        await addToOutbox(
          tx,
          { kind: 'letter.receipt', payload: { paymentId }, dedupeKey: `receipt:${paymentId}` },
          now,
        )
      }
      return 'completed'
    })
  }

  async function settleFrom(facts: CheckoutFacts): Promise<Settlement> {
    const checkout = facts.checkoutId ? await findCheckout(db, facts.checkoutId) : null
    if (!checkout) return 'foreign'
    if (checkout.state === 'completed' || checkout.state === 'refunded') return checkout.state
    if (facts.isPaid) {
      const level = await findLevel(db, checkout.levelKey)
      // What was offered, less what a code took off on a page that takes codes.
      const off = checkout.allowsCodes ? (facts.discount?.amount ?? 0) : 0
      if (!level || facts.amountTotal + off !== checkout.amount || facts.currency !== checkout.currency) {
        await alarms.raise('payment-mismatch', {
          checkout: checkout.id,
          ordered: checkout.amount,
          paid: facts.amountTotal,
        })
        return 'open'
      }
      const settlement = await complete(checkout, facts, level)
      wakeOutbox()
      return settlement
    }
    if (facts.state === 'expired') {
      await closeCheckout(db, checkout.id, 'expired')
      return 'expired'
    }
    await touchCheckout(db, checkout.id, clock.now())
    return 'open'
  }

  return {
    ...createHandSettlements({ db, clock, alarms, graceMs, yearOf, wakeOutbox }),
    settleFrom,
    async settle(sessionId) {
      const facts = await gateway.readCheckout(sessionId)
      return facts ? settleFrom(facts) : 'foreign'
    },

    async completeFree(personId, level, as) {
      const now = clock.now()
      const account = await db.transaction().execute(async (tx) => {
        const found = await lockedAccountOf(tx, personId, now)
        if (!found || found.deactivatedBy !== null) return null
        const current = await findCurrentMembership(tx, found.id)
        const hasRightsNow = current !== null && hasRights(membershipStatus(current, now, graceMs()))
        if (hasRightsNow) {
          if (as !== 'member' || current.levelKey !== level.key) return null
          if (mayRenewFree(current, now)) await extend(tx, current, level, now)
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
