import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { EventDetails } from '#contract/events.ts'
import type { changeRsvp, OwnRsvp, rsvpBody, RsvpOffer } from '#contract/rsvp.ts'
import { messages } from '#contract/messages.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { BotCheck } from '#server/platform/bot-check.ts'
import type { Clock } from '#server/platform/clock.ts'
import { newId } from '#server/platform/ids.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import type { Limit, RateLimiter } from '#server/platform/rate-limiter.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { nameKey } from '../account/account.repository.ts'
import { offerFacts, publicOffer } from './event-offers.ts'
import { findOffer, holdOffer, type EventOffer } from './offer.repository.ts'
import { readRsvpToken } from './rsvp-link.ts'
import {
  changeParty,
  countTaken,
  findRsvp,
  findRsvpByEmail,
  insertRsvp,
  movePlace,
  type Party,
  type Rsvp,
} from './rsvp.repository.ts'
import { fits, partyProblems, rsvpState, seatsOf } from './rsvp.rules.ts'
import { promoteWaiting, tellGuest } from './waitlist.ts'

export interface RsvpService {
  offer(eventId: string): Promise<RsvpOffer>
  /**
   * Takes an RSVP; the answer depends on the seats alone, never on who said so before. One that an address gave before stays as it is.
   * @throws Problem BOT_CHECK_…, RATE_LIMITED, RSVP_CLOSED, INVALID_INPUT
   */
  send(eventId: string, body: z.output<typeof rsvpBody>): Promise<'coming' | 'waiting'>
  /** @throws Problem RSVP_LINK_INVALID */
  read(token: string): Promise<OwnRsvp>
  /** @throws Problem RSVP_LINK_INVALID, RSVP_CLOSED, INVALID_INPUT */
  change(body: BodyOf<typeof changeRsvp>): Promise<OwnRsvp>
  /** As often as one likes. @throws Problem RSVP_LINK_INVALID */
  cancel(token: string): Promise<OwnRsvp>
}

export function createRsvpService({
  db,
  clock,
  secrets,
  botCheck,
  limiter,
  letterLimit,
  timeZone,
  events,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  botCheck: BotCheck
  limiter: RateLimiter
  /** RSVPs in the name of one address: each writes to it. */
  letterLimit(): Limit
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  wakeOutbox(): void
}): RsvpService {
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

  async function require(handle: Db, token: string): Promise<Rsvp> {
    const id = readRsvpToken(secrets, token)
    const rsvp = id === null ? null : await findRsvp(handle, id)
    if (!rsvp) throw new Problem('RSVP_LINK_INVALID')
    return rsvp
  }

  async function offer(eventId: string): Promise<RsvpOffer> {
    const found = await findOffer(db, eventId)
    const taken = found ? await countTaken(db, eventId) : 0
    return publicOffer(found, events().get(eventId), { taken, now: clock.now(), timeZone })
  }

  async function read(token: string): Promise<OwnRsvp> {
    const rsvp = await require(db, token)
    const event = events().get(rsvp.eventId)
    const { name, guests, meals, place } = rsvp
    return {
      event: {
        id: rsvp.eventId,
        title: event?.title ?? 'An event that is no longer listed',
        date: event?.date ?? '',
        time: event?.time ?? null,
        location: event?.location ?? '',
      },
      name,
      guests,
      meals,
      place,
      offer: await offer(rsvp.eventId),
      hasCertificate: rsvp.certificateAt !== null,
    }
  }

  return {
    offer,
    read,

    async send(eventId, { recaptchaToken, email, ...party }) {
      await botCheck.require(recaptchaToken, 'event_rsvp')
      const perAddress = await limiter.hit('rsvpLetters', nameKey(email), letterLimit())
      if (!perAddress.allowed) throw new Problem('RATE_LIMITED', { rate: perAddress })
      const place = await db.transaction().execute(async (tx) => {
        const held = await holdOpen(tx, eventId)
        requireParty(party, held)
        const taken = await countTaken(tx, eventId)
        const offered = fits(held.capacity, taken, seatsOf(party)) ? 'coming' : 'waiting'
        await keep(tx, { ...party, eventId, email, place: offered })
        return offered
      })
      wakeOutbox()
      return place
    },

    async change({ token, ...party }) {
      const { id } = await require(db, token)
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const { eventId } = await require(tx, token)
        const held = await holdOpen(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (!rsvp || rsvp.place === 'cancelled') throw new Problem('RSVP_LINK_INVALID')
        requireParty(party, held)
        const others = (await countTaken(tx, eventId)) - seatsOf(rsvp)
        const grows = party.guests > rsvp.guests
        if (rsvp.place === 'coming' && grows && !fits(held.capacity, others, seatsOf(party)))
          throw fieldProblem('guests', messages.rsvp.guestsFew)
        await changeParty(tx, id, party, now)
        await promoteWaiting(tx, held, now)
        await tellGuest(tx, id, 'changed', now)
      })
      wakeOutbox()
      return read(token)
    },

    async cancel(token) {
      const { id, eventId } = await require(db, token)
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        const rsvp = await findRsvp(tx, id)
        if (rsvp?.place !== 'coming' && rsvp?.place !== 'waiting') return
        await movePlace(tx, id, { place: 'cancelled', now })
        await tellGuest(tx, id, 'cancelled', now)
        const event = events().get(eventId)
        const startsAt = event && held ? offerFacts(held, event, timeZone).startsAt : null
        if (held && startsAt !== null && now < startsAt) await promoteWaiting(tx, held, now)
      })
      wakeOutbox()
      return read(token)
    },
  }

  async function keep(
    tx: Tx,
    rsvp: Party & { eventId: string; email: string; place: 'coming' | 'waiting' },
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
    await movePlace(tx, known.id, { place: rsvp.place, now, askedAt: now })
    await tellGuest(tx, known.id, 'said', now)
  }
}
