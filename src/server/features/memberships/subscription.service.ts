import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { InvoiceFacts, PaymentGateway, SubscriptionFacts } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { askUntilAlone } from '#server/payments/ask-again.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { lockAccount } from '../account/account.repository.ts'
import {
  findMembershipBySubscription,
  isCurrentMembership,
  updateFromSubscription,
  type Membership,
  type SubscriptionChange,
} from './membership.repository.ts'
import { isPaidTooLate, membershipStatus } from './membership.rules.ts'
import type { NoticeService } from './notice.service.ts'
import { findPaymentByReference, receiptNumber, recordPayment } from './payment.repository.ts'

/** Who asks: a notice, or the reconciler, for whom every difference is something that a notice should have told. */
export type SyncedBy = 'notice' | 'reconciler'

export interface SubscriptionService {
  /**
   * Brings a membership to what its subscription is now, whatever called for it and in whatever order notices came (docs/product-rules.md#activation), with the payments made for
   * it. Answers what differed: names of facts, and 'payment' for each payment that was not recorded. What was paid after the membership had ended buys
   * nothing: it goes back, with an alarm (docs/product-rules.md#open-checkouts-are-reused). A subscription that is nobody's membership changes nothing.
   * @throws PaymentProviderError when the provider cannot be asked
   */
  sync(subscriptionId: string, by?: SyncedBy): Promise<string[]>
  /** Whether a subscription is one of ours. */
  isKnown(subscriptionId: string): Promise<boolean>
}

/** Receipts of payments older than this are no news to anybody. */
const RECEIPT_WITHIN_MS = 30 * 86_400_000

export function createSubscriptionService({
  db,
  clock,
  gateway,
  alarms,
  notices,
  graceMs,
  yearOf,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  notices: NoticeService
  graceMs(): number
  /** The association's year at an instant. */
  yearOf(instant: number): string
  wakeOutbox(): void
}): SubscriptionService {
  /** Payments not recorded yet. Asked for only when the newest is unknown, or a lost notice is looked for. */
  async function unrecordedPayments(facts: SubscriptionFacts, by: SyncedBy): Promise<InvoiceFacts[]> {
    const { lastPaid } = facts
    if (lastPaid ? await findPaymentByReference(db, lastPaid.id) : by === 'notice') return []
    return gateway.listPaidInvoices(facts.id)
  }

  async function record(
    tx: Tx,
    membership: Membership,
    { paid, isTooLate, now }: { paid: InvoiceFacts; isTooLate: boolean; now: number },
  ): Promise<boolean> {
    const id = newId(now)
    const isNew = await recordPayment(
      tx,
      {
        id,
        accountId: membership.accountId,
        checkoutId: null,
        reference: paid.id,
        paymentIntentId: paid.paymentIntentId,
        purpose: paid.purpose,
        levelKey: paid.levelKey ?? membership.levelKey,
        amount: paid.amountPaid,
        currency: paid.currency,
        receiptNumber: receiptNumber(id, paid.paidAt, yearOf),
        periodEndsAt: paid.periodEndsAt,
        paidAt: paid.paidAt,
      },
      now,
    )
    if (isNew && isTooLate) await giveBack(tx, membership, paid, now)
    else if (isNew && now - paid.paidAt < RECEIPT_WITHIN_MS) {
      await addToOutbox(tx, { kind: 'letter.receipt', payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
    }
    return isNew
  }

  async function giveBack(tx: Tx, membership: Membership, { id: invoiceId }: InvoiceFacts, now: number): Promise<void> {
    const { accountId, stripeSubscriptionId: subscriptionId } = membership
    const payload = { invoiceId, accountId, subscriptionId, reference: invoiceId }
    await addToOutbox(tx, { kind: 'payment.give_back', payload, dedupeKey: `give-back:${invoiceId}` }, now)
    const details = { invoice: invoiceId }
    await writeAudit(tx, { actor: 'system', action: 'payment.too_late', subjectId: accountId, details }, now)
    await alarms.raise('double-payment', details, tx)
  }

  /** What the member hears of because it was done, not because time passed. */
  async function tellChange(tx: Tx, before: Membership, after: Membership, now: number): Promise<void> {
    const { endsAt } = after
    if (before.pastDueSince !== null && after.pastDueSince === null && after.stripeStatus === 'active') {
      await notices.tell(tx, after, { kind: 'recovered', aboutAt: before.pastDueSince })
    }
    if (endsAt !== null && before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd && after.endedAt === null) {
      await notices.tell(tx, after, { kind: after.cancelAtPeriodEnd ? 'stopped' : 'resumed', aboutAt: now })
    }
    if (before.levelKey !== after.levelKey) await notices.tell(tx, after, { kind: 'level_changed', aboutAt: now })
  }

  async function apply(tx: Tx, before: Membership, facts: SubscriptionFacts, by: SyncedBy): Promise<string[]> {
    const now = clock.now()
    const hasLapsed = membershipStatus(before, now, graceMs()) === 'EXPIRED'
    const change = changeFrom(facts, before, hasLapsed)
    const after: Membership = { ...before, ...change }
    await updateFromSubscription(tx, before.id, change, now)
    const differing = (Object.keys(change) as (keyof SubscriptionChange)[]).filter(
      // What was never read before is no change.
      (name) => before[name] !== change[name] && !(name === 'renewalAmount' && before.renewalAmount === null),
    )
    if (differing.length > 0) {
      await writeAudit(
        tx,
        {
          actor: 'stripe',
          action: by === 'reconciler' ? 'membership.repaired' : 'membership.changed',
          subjectId: before.accountId,
          details: {
            from: Object.fromEntries(differing.map((name) => [name, before[name]])),
            to: Object.fromEntries(differing.map((name) => [name, change[name]])),
          },
        },
        now,
      )
    }
    if (await isCurrentMembership(tx, before.id)) {
      await tellChange(tx, before, after, now)
      await notices.tellDue(tx, after)
    }
    return differing
  }

  return {
    isKnown: async (subscriptionId) => (await findMembershipBySubscription(db, subscriptionId)) !== null,

    async sync(subscriptionId, by = 'notice') {
      const differing = await askUntilAlone(async (isLast) => {
        const askedAt = clock.now()
        if (!(await findMembershipBySubscription(db, subscriptionId))) return []
        const facts = await gateway.readSubscription(subscriptionId)
        if (!facts) return []
        const payments = await unrecordedPayments(facts, by)
        return db.transaction().execute(async (tx) => {
          const known = await findMembershipBySubscription(tx, subscriptionId)
          if (!known) return []
          await lockAccount(tx, known.accountId)
          const membership = await findMembershipBySubscription(tx, subscriptionId)
          if (!membership) return []
          if (membership.updatedAt > askedAt && !isLast) return null
          const now = clock.now()
          const found = await apply(tx, membership, facts, by)
          const after = (await findMembershipBySubscription(tx, subscriptionId)) ?? membership
          for (const paid of payments) {
            const isTooLate = isPaidTooLate(paid.paidAt, after, { stoppedAt: facts.endedAt, now, graceMs: graceMs() })
            if (await record(tx, membership, { paid, isTooLate, now })) found.push('payment')
          }
          return found
        })
      })
      if (differing && differing.length > 0) wakeOutbox()
      return differing ?? []
    },
  }
}

function changeFrom(facts: SubscriptionFacts, before: Membership, hasLapsed: boolean): SubscriptionChange {
  const owes = facts.failedSince !== null
  const change = {
    levelKey: facts.levelKey ?? before.levelKey,
    stripeStatus: facts.status,
    endsAt: facts.periodEndsAt,
    cancelAtPeriodEnd: facts.cancelsAtPeriodEnd,
    renewalAmount: facts.renewalAmount,
  }
  if (hasLapsed && facts.endedAt !== null) {
    // We ended what had lapsed: when and why rights ended stays what it was.
    const { pastDueSince, gaveUpAt, endedAt } = before
    return { ...change, pastDueSince, gaveUpAt, endedAt, nextAttemptAt: null }
  }
  return {
    ...change,
    pastDueSince: facts.failedSince,
    nextAttemptAt: facts.nextAttemptAt,
    gaveUpAt: owes ? facts.endedAt : null,
    // What the provider ended because nothing could be charged lapses by its grace, not by that date.
    endedAt: before.endedAt ?? (owes ? null : facts.endedAt),
  }
}
