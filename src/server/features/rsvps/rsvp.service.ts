import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { EventDetails } from '#contract/events.ts'
import { HOLD_MINUTES, type changeRsvp, type OwnRsvp, type rsvpBody, type sendRsvp } from '#contract/rsvp.ts'
import { messages } from '#contract/messages.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import { nameKey } from '../account/account.repository.ts'
import { offerFacts } from './event-offers.ts'
import { keepRsvp } from './keep-rsvp.ts'
import { holdOffer, type EventOffer } from './offer.repository.ts'
import type { Reserved, RsvpCheckoutService } from './rsvp-checkout.service.ts'
import { type RsvpOrder } from './rsvp-order.repository.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { costOf, isRefundable, paidGuests, pricesFor, type Prices } from './rsvp-price.rules.ts'
import type { RsvpReading } from './rsvp-reading.ts'
import { askRefundOf } from './rsvp-refunds.ts'
import { countHeldByMailbox, findRequestOf, releaseMailbox } from './rsvp-request.repository.ts'
import type { RsvpRequests } from './rsvp-requests.service.ts'
import type { RsvpSettlementService } from './rsvp-settlement.service.ts'
import {
  changeParty,
  countTaken,
  findRsvp,
  findRsvpByEmail,
  movePlace,
  type AgreedPrices,
  type Party,
  type Rsvp,
} from './rsvp.repository.ts'
import { fits, partyProblems, rsvpState, seatsOf } from './rsvp.rules.ts'
import type { StrangerLimits } from './stranger-limits.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

export interface RsvpService {
  /**
   * Takes an RSVP, or keeps seats while they are paid; the answer depends on seats and prices alone, never on who said so before. One that an address
   * gave before stays as it is. @throws Problem BOT_CHECK_…, RATE_LIMITED, RSVP_CLOSED, RSVP_FULL, INVALID_INPUT, CHECKOUT_FAILED
   */
  send(
    eventId: string,
    body: z.output<typeof rsvpBody>,
    caller: { accountId: string | null; address: string },
  ): Promise<ReplyOf<typeof sendRsvp>>
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
  requests,
  strangers,
  waitlist,
  checkouts,
  settlements,
  memberEmail,
  accountEmail,
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
  reading: Pick<RsvpReading, 'read' | 'require' | 'request'>
  requests: Pick<RsvpRequests, 'hold' | 'withdraw'>
  strangers: StrangerLimits
  waitlist: Waitlist
  checkouts: RsvpCheckoutService
  settlements: Pick<RsvpSettlementService, 'end'>
  /** The address of an account whose membership counts today, else null. */
  memberEmail(accountId: string): Promise<string | null>
  /** The address an account proved; null when there is no such account. */
  accountEmail(accountId: string): Promise<string | null>
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
    async send(eventId, { recaptchaToken, email, waitlist: mayWait = true, ...party }, { accountId, address }) {
      await botCheck.require(recaptchaToken, 'event_rsvp')
      const perAddress = await limiter.hit('rsvpLetters', nameKey(email), letterLimit())
      if (!perAddress.allowed) throw new Problem('RATE_LIMITED', { rate: perAddress })
      const member = accountId === null ? null : await memberEmail(accountId)
      const isMember = member !== null && nameKey(member) === nameKey(email)
      const own = accountId === null ? null : await accountEmail(accountId)
      const isProven = own !== null && nameKey(own) === nameKey(email)
      await strangers.count({ eventId, email, guests: party.guests }, { isMember, isProven, address })
      const answer = await db.transaction().execute(async (tx) => {
        const held = await holdOpen(tx, eventId)
        requireParty(party, held)
        const prices = pricesFor(held, isMember)
        const seats = seatsOf(party)
        const isFree = costOf(prices, party.guests) === 0
        const now = clock.now()
        // What is held for this address just now is given up for what it asks for now.
        const paying = await checkouts.findOpen(tx, { eventId, email })
        const pending = await findRequestOf(tx, { eventId, email })
        const holding = await countHeldByMailbox(tx, { eventId, email }, now)
        const taken = (await countTaken(tx, eventId, now)) - (paying?.seats ?? 0) - holding
        const hasRoom = fits(held.capacity, taken, seats)
        if (!hasRoom && !mayWait) throw new Problem('RSVP_FULL')
        const known = await findRsvpByEmail(tx, eventId, email)
        if (hasRoom && !isFree) {
          await releaseMailbox(tx, { eventId, email })
          // Its owner hears that there is nothing to pay; whoever filled in the form does not.
          if (known?.place === 'coming') await tellGuest(tx, known.id, 'again', now)
          const title = events().get(eventId)?.title ?? ''
          const wanted = { eventId, title, rsvpId: null, email, party, prices, from: null, seats }
          const reserved = await checkouts.reserve(tx, wanted)
          if (holding > 0) await waitlist.promote(tx, held, now)
          return { place: 'paying' as const, reserved }
        }
        const givenUp = await checkouts.giveUp(tx, { eventId, email })
        const asked = { ...party, ...agreed(prices), eventId, email }
        if (!isProven) {
          await requests.hold(tx, { ...asked, seats: hasRoom ? seats : 0 }, { known, pending })
          // A smaller party may hold less than before.
          if (holding > 0) await waitlist.promote(tx, held, now)
          return { place: 'unconfirmed' as const, givenUp, heldMinutes: hasRoom ? HOLD_MINUTES : null }
        }
        await releaseMailbox(tx, { eventId, email })
        const place = hasRoom ? ('coming' as const) : ('waiting' as const)
        await keepRsvp(tx, { ...asked, ...(pending && { id: pending.id }), place }, now)
        if (holding > 0) await waitlist.promote(tx, held, now)
        return { place, givenUp }
      })
      wakeOutbox()
      if (answer.place === 'paying') return { place: 'paying', payAt: await checkouts.open(answer.reserved) }
      const { givenUp, ...reply } = answer
      await settlements.end(givenUp)
      return reply
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
      const asked = await reading.request(db, token)
      const withdrawn = asked && (await requests.withdraw(asked))
      if (withdrawn) return withdrawn
      const { id, eventId } = await require(db, token)
      const givenUp = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.place === 'cancelled') return null
        const { email } = rsvp
        const paying = email === null ? null : await checkouts.giveUp(tx, { eventId, email })
        if (email !== null) await releaseMailbox(tx, { eventId, email })
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
    const others =
      (await countTaken(tx, eventId, now)) - (place === 'waiting' ? 0 : seatsOf(rsvp)) - (givenUp?.seats ?? 0)
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
}

function agreed({ own, guest }: Prices): AgreedPrices {
  return { ownPrice: own, guestPrice: guest }
}

function pricesOf({ ownPrice, guestPrice }: AgreedPrices): Prices {
  return { own: ownPrice, guest: guestPrice }
}
