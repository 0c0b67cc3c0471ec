import type { Kysely } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { PaymentSnapshot, PaymentGateway } from '#server/stripe/payment-gateway.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import { syncWithRetryOnConflict } from '#server/stripe/sync-with-retry.ts'
import type { AuditAction } from '#server/audit-log/audit-actions.rules.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Clock } from '#server/lib/clock.ts'

/** Refunds and disputes of a payment. */
export type RefundState = Pick<PaymentSnapshot, 'amountRefunded' | 'refundedAt' | 'dispute'>

export interface RefundSyncOptions {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alerts: Alerts
  wakeOutbox(): void
}

/**
 * For one-time orders, such as sponsorships and seats. A refund or dispute only updates the order, alerts the officers about a dispute, and calls
 * `fell`.
 */
export function createRefundSync(
  { db, clock, gateway, alerts, wakeOutbox }: RefundSyncOptions,
  orders: {
    /** Names the order in alerts. */
    name: string
    /** The audit log action. */
    action: AuditAction
    find(
      db: Db,
      paymentIntentId: string,
    ): Promise<({ id: string } & Pick<RefundState, 'amountRefunded' | 'dispute'>) | null>
    update(db: Db, id: string, returned: RefundState): Promise<void>
    /** The refunded amount decreased: a refund failed at the bank or was canceled. */
    onRefundReversed?(tx: Tx, id: string): Promise<void>
  },
) {
  return {
    isKnown: async (paymentIntentId: string): Promise<boolean> => (await orders.find(db, paymentIntentId)) !== null,

    /** Updates an order's refund and dispute state from the provider. Returns true if something changed. @throws PaymentProviderError */
    async sync(paymentIntentId: string): Promise<boolean> {
      const changed = await syncWithRetryOnConflict(async (isLast) => {
        const known = await orders.find(db, paymentIntentId)
        const payment = known && (await gateway.readPayment(paymentIntentId))
        if (!payment) return false
        return db.transaction().execute(async (tx) => {
          const order = await orders.find(tx, paymentIntentId)
          const { amountRefunded, refundedAt, dispute } = payment
          if (!order || (order.amountRefunded === amountRefunded && order.dispute === dispute)) return false
          const isUnchanged = order.amountRefunded === known.amountRefunded && order.dispute === known.dispute
          if (!isUnchanged && !isLast) return null
          await orders.update(tx, order.id, { amountRefunded, refundedAt, dispute })
          if (amountRefunded < order.amountRefunded) await orders.onRefundReversed?.(tx, order.id)
          const details = {
            before: { amountRefunded: order.amountRefunded, dispute: order.dispute },
            after: { amountRefunded, dispute },
          }
          await writeAudit(tx, { actor: 'stripe', action: orders.action, subjectId: order.id, details }, clock.now())
          const isNewDispute = dispute !== order.dispute && dispute !== null && dispute !== 'won'
          if (isNewDispute) await alerts.raise('payment-disputed', { [orders.name]: order.id, state: dispute }, tx)
          return true
        })
      })
      if (changed) wakeOutbox()
      return changed ?? false
    },
  }
}

export type RefundSync = ReturnType<typeof createRefundSync>
