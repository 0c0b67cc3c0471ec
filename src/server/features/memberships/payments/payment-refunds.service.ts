import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { BY_PROVIDER, type OrderPayments } from '#server/features/orders/order-kind.registry.ts'
import type { RefundState } from '#server/features/orders/order-payment.commands.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import type { ReminderService } from '../reminders/reminder.service.ts'
import { expireCreditedCheckouts } from './payment-credit.commands.ts'
import { setCreditReleasedAt } from './payment-credit.repository.ts'
import { isFullyRefunded } from '#server/features/orders/payments/refunded-amount.rules.ts'
import { findPaymentByIntent, listDisputedPayments } from './payment.repository.ts'
import { setRefundRequested, updateRefundState } from './payment.commands.ts'
import { findPayment, type PaymentRecord } from './payment.queries.ts'
import { revokeTerm, alertOwedCredit } from './refunded-term.commands.ts'

/**
 * Payments of memberships. A membership and its subscription end when the payment for it is fully refunded or a dispute is lost; a manual term keeps what
 * other payments paid for.
 */
export function createMembershipPayments(
  { clock, alerts }: AppContext,
  { reminders }: { reminders: ReminderService },
): OrderPayments<PaymentRecord> {
  /** Notifies the member, and alerts the officers about a dispute, since they have only days to respond to the bank. */
  async function notify(tx: Tx, membership: Membership, payment: PaymentRecord, snapshot: RefundState): Promise<void> {
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

  return {
    kind: 'dues',
    find: findPaymentByIntent,
    intentOf: async (handle, id) => (await findPayment(handle, id))?.paymentIntentId ?? null,
    // The member is emailed by `update`.
    onRefundRefused: async (tx, { paymentId, amount }) => {
      const payment = await findPayment(tx, paymentId)
      if (payment) await setRefundRequested(tx, paymentId, Math.max(0, payment.refundAsked - amount))
    },
    listDisputed: listDisputedPayments,
    lock: (tx, { accountId }) => lockAccount(tx, accountId),

    async update(tx, payment, { amountRefunded, refundedAt, dispute }, now, { actor, method } = BY_PROVIDER) {
      const { id, accountId: subjectId } = payment
      await updateRefundState(tx, payment, { amountRefunded, refundedAt, dispute }, now, method)
      const details = { payment: id, amountRefunded, dispute }
      await writeAudit(tx, { actor, action: 'payment.returned', subjectId, details }, now)
      const after: PaymentRecord = { ...payment, amountRefunded, refundedAt, dispute }
      await followCredit(tx, payment, after)
      const membership = await findCurrentMembership(tx, subjectId)
      if (!membership) return
      await notify(tx, membership, payment, after)
      if (isFullyRefunded(payment) || !isFullyRefunded(after)) return
      const isRefund = amountRefunded >= payment.amount
      const reason = isRefund ? 'refunded' : 'dispute lost'
      const endedAt = (isRefund ? refundedAt : null) ?? now
      await revokeTerm(tx, payment, { actor, reason, endedAt, now })
    },
  }
}
