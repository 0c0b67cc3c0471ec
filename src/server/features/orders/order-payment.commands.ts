import type { Kysely } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { PaymentKind, PaymentMethod } from '#server/db/schema/money-schema.ts'
import { addLedgerEntry, addReturnedEntry } from './payments/ledger.commands.ts'
import { isManualReference } from './payments/manual-reference.queries.ts'
import { methodOf, voidedReference } from './payments/manual-payment.rules.ts'
import type { Returned } from './payments/refunded-amount.rules.ts'
import type { OrderState, PaidOrderTable } from './order.queries.ts'
import type { OrderColumns, OrderPaymentColumns } from '#server/db/schema/order-schema.ts'
import type { KnownPayment } from './order-kind.registry.ts'

/** Refunds and disputes of a payment, as the provider reports them. */
export interface RefundState {
  amountRefunded: number
  /** Time of the newest refund. */
  refundedAt: number | null
  dispute: 'open' | 'won' | 'lost' | null
}

/** When a change reported by the provider counts: a refund when it was made, anything else now. */
export function bookingTime({
  before,
  after,
  refundedAt,
  now,
}: {
  before: Pick<RefundState, 'amountRefunded' | 'dispute'>
  after: Pick<RefundState, 'amountRefunded' | 'dispute'>
  refundedAt: number | null
  now: number
}): number {
  return after.amountRefunded > before.amountRefunded && after.dispute === before.dispute ? (refundedAt ?? now) : now
}

/** The columns of a new order's payment. */
export const NO_PAYMENT: OrderPaymentColumns = {
  paymentReference: null,
  receiptNumber: null,
  amountRefunded: 0,
  refundedAt: null,
  disputeState: null,
  manualReference: null,
  recordedAt: null,
  voidedAt: null,
  voidedBy: null,
  voidReason: null,
  replacesId: null,
}

/** The columns of an order that an officer records as paid outside the card provider. It never had a page. */
export function manualOrder(
  paid: Pick<OrderColumns<'paid'>, 'id' | 'amount' | 'currency'> &
    Pick<OrderPaymentColumns, 'receiptNumber' | 'manualReference' | 'replacesId'> & { paidAt: number },
  now: number,
): OrderColumns<'paid'> & OrderPaymentColumns {
  return {
    ...NO_PAYMENT,
    state: 'paid',
    openKey: null,
    attempt: 0,
    leasedUntil: null,
    stripeSessionId: null,
    url: null,
    // No secret has this hash.
    nonceHash: '',
    createdAt: now,
    expiresAt: now,
    checkedAt: now,
    recordedAt: now,
    ...paid,
  }
}

/** Payments that are kept on their orders, in the same table. */
export function orderPaymentCommands(table: PaidOrderTable, kind: PaymentKind) {
  const name = table as unknown as 'order'
  const orders = (db: Db) => db as unknown as Kysely<{ order: OrderColumns<OrderState> & OrderPaymentColumns }>

  return {
    async find(db: Db, paymentIntentId: string) {
      const row = await orders(db)
        .selectFrom(name)
        .select(['id', 'amount', 'currency', 'amountRefunded', 'disputeState as dispute'])
        .where('paymentReference', '=', paymentIntentId)
        .executeTakeFirst()
      return row ?? null
    },

    /** Locks the order until the transaction ends: two reports of one refund are entered once. */
    async lock(db: Db, id: string): Promise<void> {
      await orders(db).updateTable(name).set({ id }).where('id', '=', id).execute()
    },

    async intentOf(db: Db, id: string): Promise<string | null> {
      const row = await orders(db).selectFrom(name).select('paymentReference').where('id', '=', id).executeTakeFirst()
      return row?.paymentReference ?? null
    },

    /** Records the payment by card of an order that was just marked as paid. */
    async record(
      db: Db,
      id: string,
      payment: Pick<OrderPaymentColumns, 'paymentReference' | 'receiptNumber'>,
      now: number,
    ): Promise<void> {
      const { amount, currency, paidAt } = await orders(db)
        .updateTable(name)
        .set(payment)
        .where('id', '=', id)
        .returning(['amount', 'currency', 'paidAt'])
        .executeTakeFirstOrThrow()
      const about = { kind, paymentId: id, currency, method: 'card' } as const
      await addLedgerEntry(db, { ...about, type: 'payment', amount, at: paidAt ?? now }, now)
    },

    async update(
      db: Db,
      before: KnownPayment,
      { amountRefunded, refundedAt, dispute }: RefundState,
      now: number,
      method: PaymentMethod = 'card',
    ): Promise<void> {
      const { id, currency } = before
      const columns = { amountRefunded, refundedAt, disputeState: dispute }
      await orders(db).updateTable(name).set(columns).where('id', '=', id).execute()
      const after = { ...before, amountRefunded, dispute }
      const at = bookingTime({ before, after, refundedAt, now })
      await addReturnedEntry(db, { kind, paymentId: id, currency, method }, { before, after, at }, now)
    },

    /** A payment outside the card provider that is recorded under this reference, and not voided. */
    async findManual(db: Db, manualReference: string): Promise<{ id: string; receiptNumber: string | null } | null> {
      const row = await orders(db)
        .selectFrom(name)
        .select(['id', 'receiptNumber'])
        .where(isManualReference('manual_reference', manualReference))
        .executeTakeFirst()
      return row ?? null
    },

    /** Writes the ledger entry of an order that was inserted as paid outside the card provider. A correction counts when it was made. */
    async enterManual(db: Db, row: OrderColumns<'paid'> & OrderPaymentColumns, now: number): Promise<void> {
      const { id: paymentId, currency, amount, manualReference, replacesId, paidAt } = row
      const method = methodOf(manualReference, amount)
      const at = replacesId === null ? (paidAt ?? now) : now
      await addLedgerEntry(db, { kind, paymentId, currency, method, type: 'payment', amount, at }, now)
    },

    /** Voids the record of a payment outside the card provider, and frees its reference. False when it was already voided. */
    async void(
      db: Db,
      { id, currency, ...before }: Returned & { id: string; currency: string } & { manualReference: string },
      { by, reason, now }: { by: string; reason: string; now: number },
    ): Promise<boolean> {
      const { manualReference, amount } = before
      const columns = { voidedAt: now, voidedBy: by, voidReason: reason }
      const { numUpdatedRows } = await orders(db)
        .updateTable(name)
        .set({ ...columns, manualReference: voidedReference(id, manualReference) })
        .where('id', '=', id)
        .where('voidedAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      const about = { kind, paymentId: id, currency, method: methodOf(manualReference, amount) }
      await addReturnedEntry(db, about, { before, after: { ...before, voidedAt: now }, at: now }, now)
      return true
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

export type OrderPaymentCommands = ReturnType<typeof orderPaymentCommands>
