import type { Kysely } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { askUntilAlone } from '#server/payments/ask-again.ts'
import type { AuditAction } from '#server/platform/audit-actions.rules.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'

/** What came back of a payment: in whole cents, and when. */
export type Returned = Pick<PaymentFacts, 'amountRefunded' | 'refundedAt' | 'dispute'>

export interface OrderReturns {
  /** Brings an order to what the provider says came back of its payment. True when something differed. @throws PaymentProviderError */
  sync(paymentIntentId: string): Promise<boolean>
  isKnown(paymentIntentId: string): Promise<boolean>
}

export interface ReturnTools {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  wakeOutbox(): void
}

/** For orders that are paid once, such as sponsorships and seats: nothing follows from what came back but our books, an alarm for a dispute, and what `fell` does. */
export function createOrderReturns(
  { db, clock, gateway, alarms, wakeOutbox }: ReturnTools,
  orders: {
    /** What the alarm calls it. */
    name: string
    /** In the history. */
    action: AuditAction
    find(
      db: Db,
      paymentIntentId: string,
    ): Promise<({ id: string } & Pick<Returned, 'amountRefunded' | 'dispute'>) | null>
    update(db: Db, id: string, returned: Returned): Promise<void>
    /** Less has come back than before: a refund failed at the bank, or was called back. */
    fell?(tx: Tx, id: string): Promise<void>
  },
): OrderReturns {
  return {
    isKnown: async (paymentIntentId) => (await orders.find(db, paymentIntentId)) !== null,

    async sync(paymentIntentId) {
      const differed = await askUntilAlone(async (isLast) => {
        const known = await orders.find(db, paymentIntentId)
        const facts = known && (await gateway.readPayment(paymentIntentId))
        if (!facts) return false
        return db.transaction().execute(async (tx) => {
          const order = await orders.find(tx, paymentIntentId)
          const { amountRefunded, refundedAt, dispute } = facts
          if (!order || (order.amountRefunded === amountRefunded && order.dispute === dispute)) return false
          const isAsKnown = order.amountRefunded === known.amountRefunded && order.dispute === known.dispute
          if (!isAsKnown && !isLast) return null
          await orders.update(tx, order.id, { amountRefunded, refundedAt, dispute })
          if (amountRefunded < order.amountRefunded) await orders.fell?.(tx, order.id)
          const details = {
            before: { amountRefunded: order.amountRefunded, dispute: order.dispute },
            after: { amountRefunded, dispute },
          }
          await writeAudit(tx, { actor: 'stripe', action: orders.action, subjectId: order.id, details }, clock.now())
          const isNews = dispute !== order.dispute && dispute !== null && dispute !== 'won'
          if (isNews) await alarms.raise('payment-disputed', { [orders.name]: order.id, state: dispute }, tx)
          return true
        })
      })
      if (differed) wakeOutbox()
      return differed ?? false
    },
  }
}
