import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { syncWithRetryOnConflict } from '#server/stripe/sync-with-retry.ts'
import { BY_PROVIDER, type KnownPayment, type OrderPayments, type OrderRegistry } from './order-kind.registry.ts'
import { orderPaymentCommands, type RefundState } from './order-payment.commands.ts'
import type { PaidOrderTable } from './order.queries.ts'

/** Syncs refunds and disputes of payments from the provider, whatever was bought. */
export function createPaymentSync(
  { db, clock, gateway, wakeOutbox }: Pick<AppContext, 'db' | 'clock' | 'gateway' | 'wakeOutbox'>,
  registry: Pick<OrderRegistry, 'findPayment'>,
) {
  return {
    /** Whether we have a record of a payment. */
    isKnown: async (paymentIntentId: string) => (await registry.findPayment(db, paymentIntentId)) !== null,

    /** Returns true if something changed. No-op for an unknown payment. @throws PaymentProviderError */
    async sync(paymentIntentId: string): Promise<boolean> {
      const changed = await syncWithRetryOnConflict(async (isLast) => {
        const found = await registry.findPayment(db, paymentIntentId)
        const state = found && (await gateway.readPayment(paymentIntentId))
        if (!state) return false
        const { payments, payment: known } = found
        return db.transaction().execute(async (tx) => {
          await payments.lock?.(tx, known)
          const payment = await payments.find(tx, paymentIntentId)
          if (!payment || isSame(payment, state)) return false
          if (!isSame(payment, known) && !isLast) return null
          await payments.update(tx, payment, state, clock.now())
          return true
        })
      })
      if (changed) wakeOutbox()
      return changed ?? false
    },
  }
}

type Compared = Pick<KnownPayment, 'amountRefunded' | 'dispute'>

function isSame(one: Compared, other: Compared): boolean {
  return one.amountRefunded === other.amountRefunded && one.dispute === other.dispute
}

/** Payments kept on their orders: a refund or dispute only updates the order and alerts the officers about a dispute. */
export function createOrderPayments(
  { alerts }: Pick<AppContext, 'alerts'>,
  {
    kind,
    table,
    name,
    action,
    onRefundReversed,
    onRefundMade,
  }: {
    kind: PaymentKind
    table: PaidOrderTable
    /** Names the order in alerts about disputes. */
    name: string
    /** The audit log action. */
    action: AuditAction
    /** The refunded amount decreased: a refund failed at the bank or was canceled. */
    onRefundReversed?(tx: Tx, id: string, now: number): Promise<void>
    onRefundMade?: OrderPayments['onRefundMade']
  },
): OrderPayments {
  const { find, update, listDisputed, intentOf, lock } = orderPaymentCommands(table, kind)
  return {
    kind,
    find,
    intentOf,
    listDisputed,
    lock: (tx, { id }) => lock(tx, id),
    ...(onRefundMade && { onRefundMade }),
    async update(tx, payment, state: RefundState, now, by = BY_PROVIDER) {
      const { id, amountRefunded, dispute } = payment
      await update(tx, payment, state, now, by.method)
      if (state.amountRefunded < amountRefunded) await onRefundReversed?.(tx, id, now)
      const after = { amountRefunded: state.amountRefunded, dispute: state.dispute }
      const details = { before: { amountRefunded, dispute }, after }
      await writeAudit(tx, { actor: by.actor, action, subjectId: id, details }, now)
      const isNewDispute = state.dispute !== dispute && state.dispute !== null && state.dispute !== 'won'
      if (isNewDispute) await alerts.raise('payment-disputed', { [name]: id, state: state.dispute ?? '' }, tx)
    },
  }
}
