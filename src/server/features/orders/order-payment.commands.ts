import type { Kysely } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { OrderColumns, PaidOrderTable } from './order.queries.ts'
import type { OrderPaymentColumns } from '#server/db/schema/order-schema.ts'

/** Refunds and disputes of a payment, as the provider reports them. */
export interface RefundState {
  amountRefunded: number
  /** Time of the newest refund. */
  refundedAt: number | null
  dispute: 'open' | 'won' | 'lost' | null
}

/** The columns of a new order's payment. */
export const NO_PAYMENT: OrderPaymentColumns = {
  paymentReference: null,
  receiptNumber: null,
  amountRefunded: 0,
  refundedAt: null,
  disputeState: null,
}

/** Payments that are kept on their orders, in the same table. */
export function orderPaymentCommands(table: PaidOrderTable) {
  const name = table as unknown as 'order'
  const orders = (db: Db) => db as unknown as Kysely<{ order: OrderColumns & OrderPaymentColumns }>

  return {
    async find(db: Db, paymentIntentId: string) {
      const row = await orders(db)
        .selectFrom(name)
        .select(['id', 'amountRefunded', 'disputeState'])
        .where('paymentReference', '=', paymentIntentId)
        .executeTakeFirst()
      return row ? { id: row.id, amountRefunded: row.amountRefunded, dispute: row.disputeState } : null
    },

    async record(
      db: Db,
      id: string,
      payment: Pick<OrderPaymentColumns, 'paymentReference' | 'receiptNumber'>,
    ): Promise<void> {
      await orders(db).updateTable(name).set(payment).where('id', '=', id).execute()
    },

    async update(db: Db, id: string, { amountRefunded, refundedAt, dispute }: RefundState): Promise<void> {
      const columns = { amountRefunded, refundedAt, disputeState: dispute }
      await orders(db).updateTable(name).set(columns).where('id', '=', id).execute()
    },

    /** Payment intents with an open dispute. */
    async listDisputed(db: Db): Promise<string[]> {
      const rows = await orders(db)
        .selectFrom(name)
        .select('paymentReference')
        .where('disputeState', '=', 'open')
        .where('paymentReference', 'is not', null)
        .execute()
      return rows.map(({ paymentReference }) => paymentReference ?? '')
    },
  }
}
