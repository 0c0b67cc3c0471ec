import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { PaymentProviderError, type CheckoutFacts, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import type { Log } from '#server/platform/logger.ts'
import { Problem } from '#server/platform/problem.ts'
import { hashToken, type Secrets } from '#server/platform/secrets.ts'
import { awaitCreation, CREATION_LEASE_MS } from '../billing/await-creation.ts'
import { CURRENCY } from './event-offers.ts'
import { seatLines, type Prices } from './rsvp-price.rules.ts'
import {
  closeRsvpOrder,
  findOpenRsvpOrder,
  findRsvpOrder,
  insertRsvpOrder,
  leaseRsvpOrder,
  markRsvpOrderOpen,
  releaseRsvpOrder,
  type RsvpOrder,
} from './rsvp-order.repository.ts'
import type { RsvpSettlementService } from './rsvp-settlement.service.ts'
import type { Party } from './rsvp.repository.ts'

export interface SeatsWanted {
  eventId: string
  title: string
  rsvpId: string | null
  email: string
  /** As it is once this is paid. */
  party: Party
  prices: Prices
  /** Guests who have paid already; null: the whole party pays. */
  from: number | null
  /** To be kept besides those its RSVP holds. */
  seats: number
}

export interface RsvpCheckoutService {
  /** What an address is paying just now at an event, so that its seats are not counted against itself. Call with the offer held. */
  findOpen(tx: Tx, about: { eventId: string; email: string }): Promise<RsvpOrder | null>
  /**
   * Keeps the seats while they are paid. What is open for the same seats goes on; for others, or when its page is about to end, it is given up for this
   * one. Call with the offer held, then `open` after the transaction.
   */
  reserve(tx: Tx, wanted: SeatsWanted): Promise<Reserved>
  /** Gives up what an address is paying. Call with the offer held, and hand the answer to `RsvpSettlementService.end` after the transaction. */
  giveUp(tx: Tx, about: { eventId: string; email: string }): Promise<RsvpOrder | null>
  /** The address where an order is paid. @throws Problem CHECKOUT_FAILED; asking again goes on where this left off */
  open(reserved: Reserved): Promise<string>
}

export interface Reserved {
  orderId: string
  givenUp: RsvpOrder | null
}

/** The provider's shortest, and a minute for the way there. */
const SHORTEST_SESSION_MS = 30 * 60_000
const SESSION_MS = SHORTEST_SESSION_MS + 60_000
/** A page that ends sooner is not handed out again. */
const REUSE_UNTIL_MS = 5 * 60_000
const ROUNDS = 4

export function createRsvpCheckoutService({
  db,
  clock,
  log,
  gateway,
  secrets,
  siteUrl,
  settlements,
}: {
  db: Kysely<Schema>
  clock: Clock
  log: Log
  gateway: PaymentGateway
  secrets: Secrets
  siteUrl: string
  settlements: Pick<RsvpSettlementService, 'end' | 'giveUp'>
}): RsvpCheckoutService {
  /** A session that is not made yet can be made for so long only; one that is, must last a while. */
  function isUsable({ state, expiresAt }: RsvpOrder): boolean {
    return expiresAt - clock.now() > (state === 'creating' ? SHORTEST_SESSION_MS : REUSE_UNTIL_MS)
  }

  async function giveUp(tx: Tx, about: { eventId: string; email: string }): Promise<RsvpOrder | null> {
    const open = await findOpenRsvpOrder(tx, about)
    if (open) await closeRsvpOrder(tx, open.id, 'failed')
    return open
  }

  function request(order: RsvpOrder): Promise<CheckoutFacts> {
    const { id, attempt, title, lines, currency, email, expiresAt } = order
    const nonce = secrets.token('rsvp-nonce', id)
    return gateway.createSingleCheckout({
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

  /** An answer that never came is asked for again under the same key; after one that settles nothing the session is looked for first (decision 8). */
  async function create(order: RsvpOrder): Promise<string | null> {
    const { id, attempt, createdAt } = order
    try {
      const found = attempt > 0 ? await gateway.findCheckout({ checkoutId: id, createdAt }) : null
      const { sessionId: stripeSessionId, url } = found ?? (await request(order))
      if (!(await markRsvpOrderOpen(db, id, { stripeSessionId, url, now: clock.now() }))) {
        await settlements.end({ stripeSessionId })
        throw checkoutFailed()
      }
      return url
    } catch (error) {
      const outcome = error instanceof PaymentProviderError ? error.outcome : 'unknown'
      log.warn({ seats: id, attempt, outcome, reason: String((error as Error).message) }, 'checkout not created')
      if (outcome === 'refused') await settlements.giveUp(order, 'failed')
      else await releaseRsvpOrder(db, id, { newAttempt: outcome === 'broken' })
      throw error instanceof PaymentProviderError ? checkoutFailed() : error
    }
  }

  return {
    giveUp,
    findOpen: findOpenRsvpOrder,

    async reserve(tx, { eventId, title, rsvpId, email, party, prices, from, seats }) {
      const lines = seatLines(prices, { guests: party.guests, from })
      const amount = lines.reduce((sum, line) => sum + line.amount * line.quantity, 0)
      const open = await findOpenRsvpOrder(tx, { eventId, email })
      if (open && isUsable(open) && isSame(open, { ...party, rsvpId, seats, amount })) {
        return { orderId: open.id, givenUp: null }
      }
      const givenUp = await giveUp(tx, { eventId, email })
      const now = clock.now()
      const id = newId(now)
      const nonceHash = hashToken(secrets.token('rsvp-nonce', id))
      const times = { createdAt: now, expiresAt: now + SESSION_MS }
      const agreed = { ownPrice: prices.own, guestPrice: prices.guest }
      const about = { id, eventId, title, rsvpId, email, seats, lines, amount, currency: CURRENCY, nonceHash }
      await insertRsvpOrder(tx, { ...party, ...agreed, ...times, ...about })
      return { orderId: id, givenUp }
    },

    async open({ orderId, givenUp }) {
      await settlements.end(givenUp)
      for (let round = 0; round < ROUNDS; round++) {
        const order = await awaitCreation(() => findRsvpOrder(db, orderId), { clock, tooLong: checkoutFailed })
        if (order?.state === 'open' && order.url) return order.url
        if (order?.state !== 'creating') break
        const now = clock.now()
        if (!(await leaseRsvpOrder(db, orderId, { now, until: now + CREATION_LEASE_MS }))) continue
        const url = await create(order)
        if (url) return url
      }
      throw checkoutFailed()
    },
  }
}

type Wanted = Party & Pick<RsvpOrder, 'rsvpId' | 'seats' | 'amount'>

function isSame(order: RsvpOrder, { name, guests, meals, rsvpId, seats, amount }: Wanted): boolean {
  const describe = (one: Wanted) => JSON.stringify([one.name, one.guests, one.meals, one.rsvpId, one.seats, one.amount])
  return describe(order) === describe({ name, guests, meals, rsvpId, seats, amount })
}

function checkoutFailed(): Problem {
  return new Problem('CHECKOUT_FAILED', {
    message: 'Our card provider does not answer. Nothing was charged; please try again in a minute.',
  })
}
