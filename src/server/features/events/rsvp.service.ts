import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { EventDetails } from '#contract/events.ts'
import type { changeRsvp, OwnRsvp, rsvpBody, sendRsvp } from '#contract/rsvp.ts'
import { messages } from '#contract/messages.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { nameKey } from '../account/account.repository.ts'
import { offerFacts } from './event-offers.ts'
import { holdOffer, type EventOffer } from './offer.repository.ts'
import type { Reserved, RsvpCheckoutService } from './rsvp-checkout.service.ts'
import { type RsvpOrder } from './rsvp-order.repository.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { costOf, isRefundable, paidGuests, pricesFor, type Prices } from './rsvp-price.rules.ts'
import type { RsvpReading } from './rsvp-reading.ts'
import { askRefundOf } from './rsvp-refunds.ts'
import type { RsvpSettlementService } from './rsvp-settlement.service.ts'
import {
  agreePrices,
  changeParty,
  countTaken,
  findRsvp,
  findRsvpByEmail,
  insertRsvp,
  movePlace,
  type AgreedPrices,
  type Party,
  type Rsvp,
} from './rsvp.repository.ts'
import { fits, partyProblems, rsvpState, seatsOf } from './rsvp.rules.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export interface RsvpService {
  /**
   * Takes an RSVP, or keeps seats while they are paid; the answer depends on seats and prices alone, never on who said so before. One that an address
   * gave before stays as it is. @throws Problem BOT_CHECK_…, RATE_LIMITED, RSVP_CLOSED, INVALID_INPUT, CHECKOUT_FAILED
   */
  send(eventId: string, body: z.output<typeof rsvpBody>, accountId: string | null): Promise<ReplyOf<typeof sendRsvp>>
  /** More guests of a party that pays are kept while they are paid. @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, INVALID_INPUT, CHECKOUT_FAILED */
  change(body: BodyOf<typeof changeRsvp>): Promise<ReplyOf<typeof changeRsvp>>
  /** Where somebody pays who came off the waitlist. @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, CHECKOUT_FAILED */
  pay(token: string): Promise<string>
  /** What was paid goes back while the offer says so. As often as one likes. @throws Problem RSVP_LINK_INVALID */
  cancel(token: string): Promise<OwnRsvp>
}

export function createRsvpService({
  db,
  clock,
  botCheck,
  limiter,
  letterLimit,
  timeZone,
  events,
  reading,
  waitlist,
  checkouts,
  settlements,
  memberEmail,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  botCheck: BotCheck
  limiter: RateLimiter
  /** RSVPs in the name of one address: each writes to it. */
  letterLimit(): Limit
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  reading: Pick<RsvpReading, 'read' | 'require'>
  waitlist: Waitlist
  checkouts: RsvpCheckoutService
  settlements: Pick<RsvpSettlementService, 'end'>
  /** The address of an account whose membership counts today, else null. */
  memberEmail(accountId: string): Promise<string | null>
  wakeOutbox(): void
}): RsvpService {
  const { require, read } = reading

  /** The offer, held, while it takes RSVPs. @throws Problem RSVP_CLOSED */
  async function holdOpen(tx: Tx, eventId: string): Promise<EventOffer> {
    const offer = await holdOffer(tx, eventId)
    const event = events().get(eventId)
    const isOpen = offer && event && isTaking(offer, event)
    if (!isOpen) throw new Problem('RSVP_CLOSED')
    return offer
  }

  function isTaking(offer: EventOffer, event: EventDetails): boolean {
    return ['open', 'full'].includes(rsvpState(offerFacts(offer, event, timeZone), 0, clock.now()))
  }

  function requireParty(party: Party, offer: EventOffer): void {
    const problems = partyProblems(party, offer)
    if (Object.keys(problems).length > 0) throw new Problem('INVALID_INPUT', { fields: problems })
  }

  return {
    async send(eventId, { recaptchaToken, email, ...party }, accountId) {
      await botCheck.require(recaptchaToken, 'event_rsvp')
      const perAddress = await limiter.hit('rsvpLetters', nameKey(email), letterLimit())
      if (!perAddress.allowed) throw new Problem('RATE_LIMITED', { rate: perAddress })
      const member = accountId === null ? null : await memberEmail(accountId)
      const isMember = member !== null && nameKey(member) === nameKey(email)
      const answer = await db.transaction().execute(async (tx) => {
        const held = await holdOpen(tx, eventId)
        requireParty(party, held)
        const prices = pricesFor(held, isMember)
        const seats = seatsOf(party)
        const isFree = costOf(prices, party.guests) === 0
        // What this address is paying just now is given up for what it asks for now.
        const taken = (await countTaken(tx, eventId)) - ((await checkouts.findOpen(tx, { eventId, email }))?.seats ?? 0)
        const hasRoom = fits(held.capacity, taken, seats)
        if (hasRoom && !isFree) {
          const known = await findRsvpByEmail(tx, eventId, email)
          // Its owner hears that there is nothing to pay; whoever filled in the form does not.
          if (known?.place === 'coming') await tellGuest(tx, known.id, 'again', clock.now())
          const title = events().get(eventId)?.title ?? ''
          const wanted = { eventId, title, rsvpId: null, email, party, prices, from: null, seats }
          return { place: 'paying' as const, reserved: await checkouts.reserve(tx, wanted) }
        }
        const givenUp = await checkouts.giveUp(tx, { eventId, email })
        const place = hasRoom ? 'coming' : 'waiting'
        await keep(tx, { ...party, ...agreed(prices), eventId, email, place })
        return { place, givenUp } as const
      })
      wakeOutbox()
      if (answer.place === 'paying') return { place: 'paying', payAt: await checkouts.open(answer.reserved) }
      await settlements.end(answer.givenUp)
      return { place: answer.place }
    },

    async change({ token, ...party }) {
      const { id } = await require(db, token)
      const { reserved, givenUp } = await db.transaction().execute(async (tx) => {
        const { eventId } = await require(tx, token)
        const held = await holdOpen(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.place === 'cancelled') throw new Problem('RSVP_LINK_INVALID')
        requireParty(party, held)
        return changeHeld(tx, held, rsvp, party)
      })
      wakeOutbox()
      if (reserved) return { ...(await read(token)), payAt: await checkouts.open(reserved) }
      await settlements.end(givenUp)
      return read(token)
    },

    async pay(token) {
      const { id } = await require(db, token)
      const reserved = await db.transaction().execute(async (tx) => {
        const { eventId } = await require(tx, token)
        await holdOffer(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        const event = events().get(eventId)
        const isInTime = rsvp?.place === 'paying' && rsvp.payBy !== null && clock.now() < rsvp.payBy
        if (!isInTime || rsvp.email === null || !event) throw new Problem('RSVP_CLOSED')
        const prices = pricesOf(rsvp)
        const { email, guests, name, meals } = rsvp
        const wanted = { eventId, title: event.title, rsvpId: id, email, prices, from: null, seats: 0 }
        return checkouts.reserve(tx, { ...wanted, party: { name, guests, meals } })
      })
      return checkouts.open(reserved)
    },

    async cancel(token) {
      const { id, eventId } = await require(db, token)
      const givenUp = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.place === 'cancelled') return null
        const paying = rsvp.email === null ? null : await checkouts.giveUp(tx, { eventId, email: rsvp.email })
        await movePlace(tx, id, { place: 'cancelled', now })
        await tellGuest(tx, id, 'cancelled', now)
        if (isRefundable(held?.refundUntil ?? null, now, timeZone)) {
          await askRefundOf(tx, { rsvpId: id, amount: Infinity }, { reason: 'cancelled', askedBy: 'guest' }, now)
        }
        const event = events().get(eventId)
        const startsAt = event && held ? offerFacts(held, event, timeZone).startsAt : null
        if (held && startsAt !== null && now < startsAt) await waitlist.promote(tx, held, now)
        return paying
      })
      wakeOutbox()
      await settlements.end(givenUp)
      return read(token)
    },
  }

  /** What costs no more is changed at once, and what is paid too much goes back while the offer says so; what costs more is changed when it is paid. */
  async function changeHeld(
    tx: Tx,
    held: EventOffer,
    rsvp: Rsvp,
    party: Party,
  ): Promise<{ reserved: Reserved | null; givenUp: RsvpOrder | null }> {
    const now = clock.now()
    const { id, eventId, place, email } = rsvp
    const givenUp = email === null ? null : await checkouts.findOpen(tx, { eventId, email })
    const others = (await countTaken(tx, eventId)) - (place === 'waiting' ? 0 : seatsOf(rsvp)) - (givenUp?.seats ?? 0)
    const grows = party.guests > rsvp.guests
    if (place !== 'waiting' && grows && !fits(held.capacity, others, seatsOf(party)))
      throw fieldProblem('guests', messages.rsvp.guestsFew)
    const prices = pricesOf(rsvp)
    const left = (await listSeatPayments(tx, { rsvpId: id })).reduce((sum, payment) => sum + payment.left, 0)
    const from = paidGuests(prices, { guests: rsvp.guests, left })
    if (place === 'coming' && prices.guest > 0 && party.guests > from && email !== null) {
      const title = events().get(eventId)?.title ?? ''
      const seats = party.guests - rsvp.guests
      const wanted = { eventId, title, rsvpId: id, email, party, prices, from, seats }
      return { reserved: await checkouts.reserve(tx, wanted), givenUp: null }
    }
    const less = costOf(prices, rsvp.guests) - costOf(prices, party.guests)
    if (email !== null) await checkouts.giveUp(tx, { eventId, email })
    await changeParty(tx, id, party, now)
    if (place === 'coming' && less > 0 && isRefundable(held.refundUntil, now, timeZone))
      await askRefundOf(tx, { rsvpId: id, amount: less }, { reason: 'fewer', askedBy: 'guest' }, now)
    if (place === 'paying' && costOf(prices, party.guests) === 0) await movePlace(tx, id, { place: 'coming', now })
    await waitlist.promote(tx, held, now)
    await tellGuest(tx, id, 'changed', now)
    return { reserved: null, givenUp }
  }

  async function keep(
    tx: Tx,
    rsvp: Party & AgreedPrices & { eventId: string; email: string; place: 'coming' | 'waiting' },
  ): Promise<void> {
    const now = clock.now()
    const known = await findRsvpByEmail(tx, rsvp.eventId, rsvp.email)
    if (!known) {
      const id = newId(now)
      await insertRsvp(tx, { ...rsvp, id, isWalkIn: false }, now)
      return tellGuest(tx, id, 'said', now)
    }
    if (known.place !== 'cancelled') return tellGuest(tx, known.id, 'again', now)
    await changeParty(tx, known.id, rsvp, now)
    await agreePrices(tx, known.id, rsvp)
    await movePlace(tx, known.id, { place: rsvp.place, now, askedAt: now })
    await tellGuest(tx, known.id, 'said', now)
  }
}

function agreed({ own, guest }: Prices): AgreedPrices {
  return { ownPrice: own, guestPrice: guest }
}

function pricesOf({ ownPrice, guestPrice }: AgreedPrices): Prices {
  return { own: ownPrice, guest: guestPrice }
}
