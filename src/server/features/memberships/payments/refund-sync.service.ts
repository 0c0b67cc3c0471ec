import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { PaymentSnapshot } from '#server/stripe/payment-gateway.ts'
import { syncWithRetryOnConflict } from '#server/stripe/sync-with-retry.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import type { ReminderService } from '../reminders/reminder.service.ts'
import { expireCreditedCheckouts } from './payment-credit.commands.ts'
import { setCreditReleasedAt } from './payment-credit.repository.ts'
import { isFullyRefunded } from './refund.rules.ts'
import { findPaymentByIntent, updateRefundState } from './payment.repository.ts'
import { setRefundRequested } from './payment.commands.ts'
import { type PaymentRecord } from './payment.queries.ts'
import { revokeTerm, alertOwedCredit } from './refunded-term.commands.ts'

export function createRefundSyncService(
  { db, clock, gateway, alerts, wakeOutbox }: AppContext,
  {
    reminders,
  }: {
    reminders: ReminderService
  },
) {
  /** Notifies the member, and alerts the officers about a dispute, since they have only days to respond to the bank. */
  async function notify(
    tx: Tx,
    membership: Membership,
    payment: PaymentRecord,
    snapshot: PaymentSnapshot,
  ): Promise<void> {
    const now = clock.now()
    if (snapshot.amountRefunded > payment.amountRefunded) {
      await reminders.queue(tx, membership, { kind: 'refunded', aboutAt: snapshot.refundedAt ?? now })
    }
    if (snapshot.dispute === payment.dispute || snapshot.dispute === null) return
    await reminders.queue(tx, membership, {
      kind: snapshot.dispute === 'open' ? 'dispute_opened' : 'dispute_closed',
      aboutAt: payment.paidAt,
    })
    if (snapshot.dispute !== 'won')
      await alerts.raise('payment-disputed', { payment: payment.id, state: snapshot.dispute }, tx)
  }

  /** Updates credits from and to a payment after a refund, and alerts the officers about amounts now owed. */
  async function followCredit(tx: Tx, before: PaymentRecord, after: PaymentRecord): Promise<void> {
    const now = clock.now()
    await expireCreditedCheckouts(tx, after.id, now)
    const isReturned = isFullyRefunded(after)
    if (after.checkoutId !== null && isReturned !== isFullyRefunded(before)) {
      await setCreditReleasedAt(tx, after.checkoutId, isReturned ? now : null)
    }
    // The refund failed or was canceled, so it is no longer requested.
    if (after.amountRefunded < before.amountRefunded) await setRefundRequested(tx, after.id, 0)
    await alertOwedCredit(tx, alerts, before, after)
  }

  async function apply(tx: Tx, payment: PaymentRecord, snapshot: PaymentSnapshot): Promise<boolean> {
    const { amountRefunded, refundedAt, dispute } = snapshot
    if (amountRefunded === payment.amountRefunded && dispute === payment.dispute) return false
    const now = clock.now()
    await updateRefundState(tx, payment.id, { amountRefunded, refundedAt, dispute })
    await writeAudit(
      tx,
      {
        actor: 'stripe',
        action: 'payment.returned',
        subjectId: payment.accountId,
        details: { payment: payment.id, amountRefunded, dispute },
      },
      now,
    )
    const after: PaymentRecord = { ...payment, amountRefunded, refundedAt, dispute }
    await followCredit(tx, payment, after)
    const membership = await findCurrentMembership(tx, payment.accountId)
    if (!membership) return true
    await notify(tx, membership, payment, snapshot)
    if (isFullyRefunded(payment) || !isFullyRefunded(after)) return true
    const isRefund = amountRefunded >= payment.amount
    const reason = isRefund ? 'refunded' : 'dispute lost'
    const endedAt = (isRefund ? refundedAt : null) ?? now
    await revokeTerm(tx, payment, { actor: 'stripe', reason, endedAt, now })
    return true
  }

  return {
    /** Whether we have a record of a payment. */
    isKnown: async (paymentIntentId: string): Promise<boolean> =>
      (await findPaymentByIntent(db, paymentIntentId)) !== null,

    /**
     * Syncs refunds and disputes of a payment from the provider. A membership and its subscription end when the payment for it is fully refunded or a dispute is
     * lost; a manual term keeps what other payments paid for. Returns true when something differed. No-op for an
     * unknown payment.
     * @throws PaymentProviderError when the provider cannot be reached
     */
    async sync(paymentIntentId: string): Promise<boolean> {
      const differed = await syncWithRetryOnConflict(async (isLast) => {
        const known = await findPaymentByIntent(db, paymentIntentId)
        const snapshot = known && (await gateway.readPayment(paymentIntentId))
        if (!snapshot) return false
        return db.transaction().execute(async (tx) => {
          await lockAccount(tx, known.accountId)
          const payment = await findPaymentByIntent(tx, paymentIntentId)
          if (!payment) return false
          const isAsKnown = payment.amountRefunded === known.amountRefunded && payment.dispute === known.dispute
          return isAsKnown || isLast ? apply(tx, payment, snapshot) : null
        })
      })
      if (differed) wakeOutbox()
      return differed ?? false
    },
  }
}

export type RefundSyncService = ReturnType<typeof createRefundSyncService>
