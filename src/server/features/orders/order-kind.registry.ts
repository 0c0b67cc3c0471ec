import type { Db, Tx } from '#server/db/database.ts'
import type { PaymentKind, PaymentMethod } from '#server/db/schema/money-schema.ts'
import type { Problem } from '#server/lib/problem.ts'
import type { CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import type { RefundState } from './order-payment.commands.ts'
import type { OrderCommands } from './order.commands.ts'
import type { Order } from './order.queries.ts'
import type { Refund } from './payments/refund.queries.ts'

/**
 * Something that is bought on the provider's page: what is asked for, what happens once it is paid and once it is closed. A feature defines its kind in a
 * file that ends in `.order.ts`, and `composition/services.ts` lists them.
 */
export interface OrderKind<O extends Order = Order> {
  /** Begins idempotency keys and the purpose of the secret in the return link: it never changes. */
  key: string
  /** Names an order in logs and alerts. */
  name: string
  orders: OrderCommands<O>
  payments: OrderPayments
  /** How long the page stays open. */
  sessionMs: number
  /** The same may be bought several times: a page that is about to expire stays payable while a new one is created. */
  allowsSeveral?: boolean
  /** The return page of this kind has an endpoint of its own; the others share one. */
  hasOwnReturnPage?: boolean
  /** What the buyer reads if the page cannot be created. */
  failure(): Problem
  /** Creates the provider's page. */
  createPage(order: O, page: PageOptions): Promise<CheckoutSnapshot>
  /** Whether this is the price of the order; by default, whether it is its amount. */
  isPriceOf?(order: O, paid: CheckoutSnapshot): boolean
  /** Locks what payments and closings of this order change, before its own row. */
  lock?(tx: Tx, order: O): Promise<void>
  /**
   * Delivers what was bought, in the transaction that marks the order as paid, and once. `order` is as it was before. Returns `refunded` if the payment must
   * not count; then its refund is queued.
   */
  onPaid(tx: Tx, order: O, payment: OrderPayment): Promise<'paid' | 'refunded'>
  /** The order was closed without a payment. */
  onClosed?(tx: Tx, order: O, now: number): Promise<void>
  /** The page was created. */
  onOpened?(order: O): Promise<void>
  /** The provider rejected the request for a page. */
  onRefused?(order: O): Promise<void>
}

export interface PageOptions {
  checkoutId: string
  idempotencyKey: string
  /** The secret in the return link. */
  nonce: string
}

export interface OrderPayment {
  checkout: CheckoutSnapshot
  paidAt: number
  now: number
}

/** A payment as stored: what a refund or dispute is compared with. */
export interface KnownPayment extends Pick<RefundState, 'amountRefunded' | 'dispute'> {
  id: string
  amount: number
  currency: string
}

/** Who returned money, and how. */
export interface ReturnedBy {
  /** For the audit log: an account id, or 'stripe'. */
  actor: string
  method: PaymentMethod
}

export const BY_PROVIDER: ReturnedBy = { actor: 'stripe', method: 'card' }

/** Where the payments of a kind are kept, and what follows from their refunds and disputes. */
export interface OrderPayments<Payment extends KnownPayment = KnownPayment> {
  /** Names the kind in the ledger and in refunds. */
  kind: PaymentKind
  /** The payment intent of a payment by card; null for others. */
  intentOf(db: Db, paymentId: string): Promise<string | null>
  /** A refund that was requested here was made. */
  onRefundMade?(tx: Tx, refund: Refund, now: number): Promise<void>
  /** The provider rejected a refund that was requested here. */
  onRefundRefused?(tx: Tx, refund: Refund): Promise<void>
  find(db: Db, paymentIntentId: string): Promise<Payment | null>
  /** Locks what a refund changes. */
  lock?(tx: Tx, payment: Payment): Promise<void>
  /** Stores the new state and its consequences. @param by who returned money and how; by default, the card provider reports it */
  update(tx: Tx, payment: Payment, state: RefundState, now: number, by?: ReturnedBy): Promise<void>
  /** Payment intents with an open dispute. */
  listDisputed(db: Db): Promise<string[]>
}

/** An order, with its kind. */
export interface FoundOrder {
  kind: OrderKind
  order: Order
}

/** Finds the kind of an order or payment: the machine knows kinds by this list only. */
export function createOrderRegistry(kinds: readonly OrderKind[]) {
  async function findIn(
    among: readonly OrderKind[],
    find: (kind: OrderKind) => Promise<Order | null>,
  ): Promise<FoundOrder | null> {
    for (const kind of among) {
      const order = await find(kind)
      if (order) return { kind, order }
    }
    return null
  }

  return {
    kinds,
    find: (db: Db, id: string) => findIn(kinds, (kind) => kind.orders.find(db, id)),

    /** @param own the kind whose return page it is; without it, all that share one */
    findBySession: (db: Db, sessionId: string, own?: OrderKind) =>
      findIn(own ? [own] : kinds.filter(({ hasOwnReturnPage }) => !hasOwnReturnPage), (kind) =>
        kind.orders.findBySession(db, sessionId),
      ),

    async findPayment(
      db: Db,
      paymentIntentId: string,
    ): Promise<{ payments: OrderPayments; payment: KnownPayment } | null> {
      for (const { payments } of kinds) {
        const payment = await payments.find(db, paymentIntentId)
        if (payment) return { payments, payment }
      }
      return null
    },

    listDisputed: async (db: Db) => (await Promise.all(kinds.map(({ payments }) => payments.listDisputed(db)))).flat(),
  }
}

export type OrderRegistry = ReturnType<typeof createOrderRegistry>
