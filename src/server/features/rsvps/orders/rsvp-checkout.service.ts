import type { AppContext } from '#server/app-context.ts'
import type { Tx } from '#server/db/database.ts'
import { PaymentProviderError, type CheckoutSnapshot } from '#server/stripe/payment-gateway.ts'
import { newId } from '#server/lib/ids.ts'
import { Problem } from '#server/lib/problem.ts'
import { hashToken } from '#server/lib/secrets.ts'
import { awaitCreation, CREATION_LEASE_MS } from '#server/features/orders/await-creation.service.ts'
import { CURRENCY } from '../event-rsvp.service.ts'
import { seatLines, type Prices } from './rsvp-price.rules.ts'
import {
  closeRsvpOrder,
  findRsvpOrder,
  leaseRsvpOrder,
  markRsvpOrderOpen,
  releaseRsvpOrder,
} from './rsvp-order.commands.ts'
import { findOpenRsvpOrder, insertRsvpOrder } from './rsvp-order.repository.ts'
import { type RsvpOrder } from './rsvp-order.queries.ts'
import type { RsvpCompletionService } from './rsvp-completion.service.ts'
import type { Party } from '../rsvp.repository.ts'

export interface SeatReservation {
  eventId: string
  title: string
  rsvpId: string | null
  email: string
  /** The party after this payment. */
  party: Party
  prices: Prices
  /** Number of guests who are already paid for; null if the whole party pays. */
  paidGuests: number | null
  /** Seats to hold in addition to those of the RSVP. */
  seats: number
}

export interface ReservedOrder {
  orderId: string
  closedOrder: RsvpOrder | null
}

/** The provider's minimum session length, plus a minute for the request. */
const SHORTEST_SESSION_MS = 30 * 60_000
const SESSION_MS = SHORTEST_SESSION_MS + 60_000
/** A page that expires sooner is not reused. */
const REUSE_UNTIL_MS = 5 * 60_000
const ROUNDS = 4

export function createRsvpCheckoutService(
  { db, clock, log, gateway, secrets, siteUrl }: AppContext,
  {
    completions,
  }: {
    completions: Pick<RsvpCompletionService, 'expireSession' | 'release'>
  },
) {
  /** An unfinished session needs the provider's minimum length; an existing one must last long enough to pay. */
  function isUsable({ state, expiresAt }: RsvpOrder): boolean {
    return expiresAt - clock.now() > (state === 'creating' ? SHORTEST_SESSION_MS : REUSE_UNTIL_MS)
  }

  async function giveUp(tx: Tx, about: { eventId: string; email: string }): Promise<RsvpOrder | null> {
    const open = await findOpenRsvpOrder(tx, about)
    if (open) await closeRsvpOrder(tx, open.id, 'failed')
    return open
  }

  function requestSession(order: RsvpOrder): Promise<CheckoutSnapshot> {
    const { id, attempt, title, lines, currency, email, expiresAt } = order
    const nonce = secrets.token('rsvp-nonce', id)
    return gateway.createOneTimeCheckout({
      checkoutId: id,
      idempotencyKey: `rsvp:${id}:${attempt}`,
      description: `Seats: ${title}`,
      lines: lines.map((line) => ({ ...line, name: `${line.name}: ${title}` })),
      currency,
      email,
      successUrl: `${siteUrl}/rsvp?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
      cancelUrl: `${siteUrl}/rsvp?${new URLSearchParams({ order: id, nonce })}`,
      expiresAt,
    })
  }

  /** A lost response is retried with the same key; after a provider failure the session is looked up before another attempt (decision record 8). */
  async function createSession(order: RsvpOrder): Promise<string | null> {
    const { id, attempt, createdAt } = order
    try {
      const found = attempt > 0 ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      const { sessionId: stripeSessionId, url } = found ?? (await requestSession(order))
      if (!(await markRsvpOrderOpen(db, id, { stripeSessionId, url, now: clock.now() }))) {
        await completions.expireSession({ stripeSessionId })
        throw checkoutFailed()
      }
      return url
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ seats: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') await completions.release(order, 'failed')
      else await releaseRsvpOrder(db, id, { newAttempt: outcome === 'broken' })
      throw error instanceof PaymentProviderError ? checkoutFailed() : error
    }
  }

  return {
    /**
     * Closes the open order of an address. Call with the RSVP settings locked, and pass the result to `RsvpCompletionService.end` after the
     * transaction.
     */
    closeOpenOrder: giveUp,
    /** The open order of an address at an event, so that its seats are not counted against it. Call with the RSVP settings locked. */
    findOpen: findOpenRsvpOrder,

    /**
     * Holds seats during payment. Reuses an open order for the same seats; replaces one for other seats or one that is about to expire. Call with the
     * RSVP settings locked, then call `open` after the transaction.
     */
    async reserve(
      tx: Tx,
      { eventId, title, rsvpId, email, party, prices, paidGuests, seats }: SeatReservation,
    ): Promise<ReservedOrder> {
      const lines = seatLines(prices, { guests: party.guests, from: paidGuests })
      const amount = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0)
      const open = await findOpenRsvpOrder(tx, { eventId, email })
      if (open && isUsable(open) && isSame(open, { ...party, rsvpId, seats, amount })) {
        return { orderId: open.id, closedOrder: null }
      }
      const givenUp = await giveUp(tx, { eventId, email })
      const now = clock.now()
      const id = newId(now)
      const nonceHash = hashToken(secrets.token('rsvp-nonce', id))
      const times = { createdAt: now, expiresAt: now + SESSION_MS }
      const agreed = { ownPrice: prices.own, guestPrice: prices.guest }
      const about = { id, eventId, title, rsvpId, email, seats, lines, amount, currency: CURRENCY, nonceHash }
      await insertRsvpOrder(tx, { ...party, ...agreed, ...times, ...about })
      return { orderId: id, closedOrder: givenUp }
    },

    /** Returns the URL of an order's payment page. @throws Problem CHECKOUT_FAILED; a retry resumes the same order */
    async open({ orderId, closedOrder: givenUp }: ReservedOrder): Promise<string> {
      await completions.expireSession(givenUp)
      for (let round = 0; round < ROUNDS; round++) {
        const order = await awaitCreation(() => findRsvpOrder(db, orderId), { clock, tooLong: checkoutFailed })
        if (order?.state === 'open' && order.url) return order.url
        if (order?.state !== 'creating') break
        const now = clock.now()
        if (!(await leaseRsvpOrder(db, orderId, { now, until: now + CREATION_LEASE_MS }))) continue
        const url = await createSession(order)
        if (url) return url
      }
      throw checkoutFailed()
    },
  }
}

export type RsvpCheckoutService = ReturnType<typeof createRsvpCheckoutService>

type Wanted = Party & Pick<RsvpOrder, 'rsvpId' | 'seats' | 'amount'>

function isSame(order: RsvpOrder, { name, guests, meals, rsvpId, seats, amount }: Wanted): boolean {
  const describe = (one: Wanted) => JSON.stringify([one.name, one.guests, one.meals, one.rsvpId, one.seats, one.amount])
  return describe(order) === describe({ name, guests, meals, rsvpId, seats, amount })
}

function checkoutFailed(): Problem {
  return new Problem('CHECKOUT_FAILED', {
    message: 'Our card provider is not responding. Nothing was charged. Please try again in a minute.',
  })
}
