import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import type { OrderKind } from '#server/features/orders/order-kind.registry.ts'
import { isPending } from '#server/features/orders/order.queries.ts'
import type { Orders } from '#server/features/orders/order.service.ts'
import type { PartyTicket } from '#contract/tickets/tickets.ts'
import type { OrderLine } from '#server/stripe/payment-gateway.ts'
import type { Party } from '../rsvp.repository.ts'
import { rsvpOrders } from './rsvp-order.commands.ts'
import type { RsvpOrder } from './rsvp-order.queries.ts'
import { findOpenRsvpOrder, insertRsvpOrder } from './rsvp-order.repository.ts'
import type { Prices } from './rsvp-price.rules.ts'

export interface SeatReservation {
  eventId: string
  title: string
  rsvpId: string | null
  email: string
  /** The party after this payment. */
  party: Party
  prices: Prices
  /** What is paid now. */
  lines: OrderLine[]
  /** The tickets of its RSVP, which it has already; empty for a new party. */
  baseTickets?: PartyTicket[]
  /** Seats to hold in addition to those of the RSVP. */
  seats: number
}

export interface ReservedOrder {
  orderId: string
  closedOrder: RsvpOrder | null
}

/** A session that is not created yet needs the provider's minimum length. */
const SHORTEST_SESSION_MS = 30 * 60_000
/** A page that expires sooner is not reused. */
const REUSE_UNTIL_MS = 5 * 60_000

export function createRsvpCheckoutService(
  { db, clock }: AppContext,
  { orders, kind }: { orders: Orders; kind: OrderKind<RsvpOrder> },
) {
  function isUsable({ state, expiresAt }: RsvpOrder): boolean {
    return expiresAt - clock.now() > (state === 'creating' ? SHORTEST_SESSION_MS : REUSE_UNTIL_MS)
  }

  /**
   * Closes the open order of an address. Call with the RSVP settings locked, and pass the result to `Orders.expirePage` after the transaction.
   */
  async function closeOpenOrder(tx: Tx, about: { eventId: string; email: string }): Promise<RsvpOrder | null> {
    const open = await findOpenRsvpOrder(tx, about)
    if (open) await rsvpOrders.close(tx, open.id, 'failed')
    return open
  }

  return {
    closeOpenOrder,

    /** The open order of an address at an event, so that its seats are not counted against it. Call with the RSVP settings locked. */
    findOpen: (tx: Tx, about: { eventId: string; email: string }) => findOpenRsvpOrder(tx, about),

    /**
     * Holds seats during payment. Reuses an open order for the same seats; replaces one for other seats or one that is about to expire. Call with the
     * RSVP settings locked, then call `open` after the transaction.
     */
    async reserve(
      tx: Tx,
      { eventId, title, rsvpId, email, party, prices, lines, baseTickets = [], seats }: SeatReservation,
    ): Promise<ReservedOrder> {
      const amount = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0)
      const open = await findOpenRsvpOrder(tx, { eventId, email })
      if (open && isUsable(open) && isSame(open, { ...party, rsvpId, seats, amount })) {
        return { orderId: open.id, closedOrder: null }
      }
      const closedOrder = await closeOpenOrder(tx, { eventId, email })
      const { leasedUntil: _, ...draft } = orders.draft(kind)
      const agreed = { ownPrice: prices.own, guestPrice: prices.guest }
      const about = { eventId, title, rsvpId, email, seats, lines, baseTickets, amount, currency: region().currency }
      await insertRsvpOrder(tx, { ...party, ...agreed, ...about, ...draft })
      return { orderId: draft.id, closedOrder }
    },

    /**
     * Returns the URL of an order's payment page; null if the page that it replaces turned out to be paid, so that the guest has the seats.
     * @throws Problem CHECKOUT_FAILED; a retry resumes the same order
     */
    async open({ orderId, closedOrder }: ReservedOrder): Promise<string | null> {
      await orders.expirePage(closedOrder)
      const order = closedOrder && (await rsvpOrders.find(db, orderId))
      return order && !isPending(order) ? null : orders.openOrder(kind, orderId)
    },
  }
}

export type RsvpCheckoutService = ReturnType<typeof createRsvpCheckoutService>

type Wanted = Party & Pick<RsvpOrder, 'rsvpId' | 'seats' | 'amount'>

function isSame(order: RsvpOrder, wanted: Wanted): boolean {
  const describe = ({ name, guests, meals, tickets, rsvpId, seats, amount }: Wanted) =>
    JSON.stringify([name, guests, meals, tickets, rsvpId, seats, amount])
  return describe(order) === describe(wanted)
}
