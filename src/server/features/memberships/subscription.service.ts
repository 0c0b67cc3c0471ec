import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { InvoiceSnapshot, SubscriptionSnapshot } from '#server/stripe/payment-gateway.ts'
import { syncWithRetryOnConflict } from '#server/stripe/sync-with-retry.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { isCurrentMembership, updateFromSubscription, type SubscriptionChange } from './membership.repository.ts'
import { findMembershipBySubscription, isSubscriptionKnown, type Membership } from './membership.queries.ts'
import { isPaidAfterEnd, membershipStatus } from './membership.rules.ts'
import type { ReminderService } from './reminders/reminder.service.ts'
import { findPaymentByReference } from './payments/payment.repository.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { recordPayment } from './payments/payment.commands.ts'
import { refundPayment } from './membership.effects.ts'
import { sendReceipt } from './membership.emails.ts'

/** What triggered a sync: a webhook event, or the reconciler, which reports every difference as a missed event. */
export type SyncTrigger = 'webhook' | 'reconciler'

/** Don't email receipts for payments older than this (backfills). */
const RECEIPT_WITHIN_MS = 30 * 86_400_000

export function createSubscriptionService(
  { db, clock, gateway, alerts, graceMs, yearOf, wakeOutbox }: AppContext,
  {
    reminders,
  }: {
    reminders: ReminderService
  },
) {
  /** Payments not recorded yet. Only fetched when the newest is unknown, or when the reconciler searches for missed events. */
  async function unrecordedPayments(snapshot: SubscriptionSnapshot, by: SyncTrigger): Promise<InvoiceSnapshot[]> {
    const { lastPaid } = snapshot
    if (lastPaid ? await findPaymentByReference(db, lastPaid.id) : by === 'webhook') return []
    return gateway.listPaidInvoices(snapshot.id)
  }

  async function record(
    tx: Tx,
    membership: Membership,
    { paid, isTooLate, now }: { paid: InvoiceSnapshot; isTooLate: boolean; now: number },
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
    if (isNew && isTooLate) await refund(tx, membership, paid, now)
    else if (isNew && now - paid.paidAt < RECEIPT_WITHIN_MS) {
      await addToOutbox(tx, { effect: sendReceipt, payload: { paymentId: id }, dedupeKey: `receipt:${id}` }, now)
    }
    return isNew
  }

  async function refund(
    tx: Tx,
    membership: Membership,
    { id: invoiceId }: InvoiceSnapshot,
    now: number,
  ): Promise<void> {
    const { accountId, stripeSubscriptionId: subscriptionId } = membership
    const payload = { invoiceId, accountId, subscriptionId, reference: invoiceId }
    await addToOutbox(tx, { effect: refundPayment, payload, dedupeKey: `give-back:${invoiceId}` }, now)
    const details = { invoice: invoiceId }
    await writeAudit(tx, { actor: 'system', action: 'payment.too_late', subjectId: accountId, details }, now)
    await alerts.raise('double-payment', details, tx)
  }

  /** Event-driven emails (as opposed to timed reminders). */
  async function queueChangeEmails(tx: Tx, before: Membership, after: Membership, now: number): Promise<void> {
    const { endsAt } = after
    if (before.pastDueSince !== null && after.pastDueSince === null && after.stripeStatus === 'active') {
      await reminders.queue(tx, after, { kind: 'recovered', aboutAt: before.pastDueSince })
    }
    if (endsAt !== null && before.cancelAtPeriodEnd !== after.cancelAtPeriodEnd && after.endedAt === null) {
      await reminders.queue(tx, after, { kind: after.cancelAtPeriodEnd ? 'stopped' : 'resumed', aboutAt: now })
    }
    if (before.levelKey !== after.levelKey) await reminders.queue(tx, after, { kind: 'level_changed', aboutAt: now })
  }

  async function apply(tx: Tx, before: Membership, snapshot: SubscriptionSnapshot, by: SyncTrigger): Promise<string[]> {
    const now = clock.now()
    const hasLapsed = membershipStatus(before, now, graceMs()) === 'EXPIRED'
    const change = changeFrom(snapshot, before, hasLapsed)
    const after: Membership = { ...before, ...change }
    await updateFromSubscription(tx, before.id, change, now)
    const differing = (Object.keys(change) as (keyof SubscriptionChange)[]).filter(
      // The first sync of this field is not a change.
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
      await queueChangeEmails(tx, before, after, now)
      await reminders.queueDue(tx, after)
    }
    return differing
  }

  return {
    /** Whether a subscription belongs to a membership. */
    isKnown: (subscriptionId: string): Promise<boolean> => isSubscriptionKnown(db, subscriptionId),

    /**
     * Syncs a membership and its payments from the subscription, independent of the order of webhook events (docs/product-rules.md#activation).
     * Returns what differed: field names, and 'payment' for each newly recorded payment. A payment made after the membership ended
     * is refunded, with an alert (docs/product-rules.md#open-checkouts-are-reused). No-op for a subscription without a membership.
     * @throws PaymentProviderError when the provider cannot be reached
     */
    async sync(subscriptionId: string, by: SyncTrigger = 'webhook'): Promise<string[]> {
      const differing = await syncWithRetryOnConflict(async (isLast) => {
        const askedAt = clock.now()
        if (!(await findMembershipBySubscription(db, subscriptionId))) return []
        const snapshot = await gateway.readSubscription(subscriptionId)
        if (!snapshot) return []
        const payments = await unrecordedPayments(snapshot, by)
        return db.transaction().execute(async (tx) => {
          const known = await findMembershipBySubscription(tx, subscriptionId)
          if (!known) return []
          await lockAccount(tx, known.accountId)
          const membership = await findMembershipBySubscription(tx, subscriptionId)
          if (!membership) return []
          if (membership.updatedAt > askedAt && !isLast) return null
          const now = clock.now()
          const found = await apply(tx, membership, snapshot, by)
          const after = (await findMembershipBySubscription(tx, subscriptionId)) ?? membership
          for (const paid of payments) {
            // What was paid before an import belongs to the earlier system: the import recorded it, or left it out.
            if (paid.paidAt <= (membership.subscriptionImportedAt ?? 0)) continue
            const isTooLate = isPaidAfterEnd(paid.paidAt, after, {
              stoppedAt: snapshot.endedAt,
              now,
              graceMs: graceMs(),
            })
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

export type SubscriptionService = ReturnType<typeof createSubscriptionService>

function changeFrom(snapshot: SubscriptionSnapshot, before: Membership, hasLapsed: boolean): SubscriptionChange {
  const hasFailedCharge = snapshot.failedSince !== null
  const change = {
    levelKey: snapshot.levelKey ?? before.levelKey,
    stripeStatus: snapshot.status,
    endsAt: snapshot.periodEndsAt,
    cancelAtPeriodEnd: snapshot.cancelsAtPeriodEnd,
    renewalAmount: snapshot.renewalAmount,
  }
  if (hasLapsed && snapshot.endedAt !== null) {
    // We canceled an expired membership's subscription: keep when and why rights ended.
    const { pastDueSince, gaveUpAt, endedAt } = before
    return { ...change, pastDueSince, gaveUpAt, endedAt, nextAttemptAt: null }
  }
  return {
    ...change,
    pastDueSince: snapshot.failedSince,
    nextAttemptAt: snapshot.nextAttemptAt,
    gaveUpAt: hasFailedCharge ? snapshot.endedAt : null,
    // After failed charges, rights end with the grace period, not when the provider ends the subscription.
    endedAt: before.endedAt ?? (hasFailedCharge ? null : snapshot.endedAt),
  }
}
