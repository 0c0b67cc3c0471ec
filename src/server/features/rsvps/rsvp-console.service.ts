import type { Kysely } from 'kysely'
import type { closeRsvpEvent, RsvpEvent, RsvpEventLine, saveRsvpOffer } from '#contract/console-rsvp.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { EventDetails } from '#contract/events.ts'
import { messages } from '#contract/messages.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { raiseContentVersion } from '../association/content.repository.ts'
import { offerFacts } from './event-offers.ts'
import { spanOf } from './event-times.rules.ts'
import { findOffer, holdOffer, listOffers, markClosed, saveOffer, type EventOffer } from './offer.repository.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import {
  countRsvps,
  countTaken,
  listRsvps,
  NOBODY,
  takenOf,
  takeForCertificates,
  type RsvpCounts,
} from './rsvp.repository.ts'
import { countMeals, rsvpState } from './rsvp.rules.ts'
import { tellGuest, type Waitlist } from './waitlist.ts'

type Offered = BodyOf<typeof saveRsvpOffer>

export interface RsvpConsoleService {
  /** The next one first, then those of the last days. */
  list(): Promise<RsvpEventLine[]>
  /** @throws Problem NOT_FOUND */
  line(eventId: string): Promise<RsvpEventLine>
  /** @throws Problem NOT_FOUND */
  read(eventId: string): Promise<RsvpEvent>
  /** More seats promote whoever waits; fewer take nobody's away. @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
  save(officer: Officer, eventId: string, offered: Offered): Promise<RsvpEvent>
  /** Sends certificates to whoever was checked in and has none yet; may be repeated. @throws Problem NOT_FOUND, EVENT_NOT_OVER */
  close(officer: Officer, eventId: string): Promise<ReplyOf<typeof closeRsvpEvent>>
}

const LOOK_BACK_DAYS = 60
const UNSAVED: Omit<EventOffer, 'eventId'> = {
  isOpen: false,
  capacity: null,
  guestsMax: 1,
  meals: [],
  closesOn: null,
  words: null,
  creditHours: null,
  price: null,
  memberPrice: null,
  refundUntil: null,
  version: 0,
  closedAt: null,
  calledOff: null,
}

export function createRsvpConsoleService({
  db,
  clock,
  timeZone,
  events,
  waitlist,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  waitlist: Waitlist
  wakeOutbox(): void
}): RsvpConsoleService {
  function requireEvent(eventId: string): EventDetails {
    const event = events().get(eventId)
    if (!event) throw new Problem('NOT_FOUND')
    return event
  }

  function describe(event: EventDetails, offer: EventOffer | null, counts: RsvpCounts): RsvpEventLine {
    const facts = offer && offerFacts(offer, event, timeZone)
    return {
      id: event.id,
      title: event.title,
      date: [event.date, event.time].filter(Boolean).join(', '),
      location: event.location,
      state: rsvpState(facts, takenOf(counts), clock.now()),
      capacity: offer?.capacity ?? null,
      counts,
    }
  }

  async function line(eventId: string): Promise<RsvpEventLine> {
    const event = requireEvent(eventId)
    const counts = (await countRsvps(db, clock.now(), eventId)).get(eventId) ?? NOBODY
    return describe(event, await findOffer(db, eventId), counts)
  }

  async function read(eventId: string): Promise<RsvpEvent> {
    const event = requireEvent(eventId)
    const { closedAt, calledOff, ...offer } = (await findOffer(db, eventId)) ?? { eventId, ...UNSAVED }
    const coming = (await listRsvps(db, eventId)).filter(({ place }) => place === 'coming')
    const { endsAt } = spanOf(event, timeZone)
    return {
      event: await line(eventId),
      offer,
      meals: countMeals(coming, offer.meals),
      closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
      calledOff: calledOff && { at: new Date(calledOff.at).toISOString(), words: calledOff.words },
      paid: (await listSeatPayments(db, { eventId })).reduce((sum, { left }) => sum + left, 0),
      hasEnded: endsAt !== null && clock.now() >= endsAt,
    }
  }

  return {
    line,
    read,

    async list() {
      const [offers, counts] = [await listOffers(db), await countRsvps(db, clock.now())]
      const today = dayOf(clock.now(), timeZone)
      const since = addDays(today, -LOOK_BACK_DAYS)
      const lines = [...events().values()].flatMap((event) => {
        const lastDay = event.endsOn ?? event.startsOn
        if (event.startsOn === null || lastDay === null || lastDay < since) return []
        const offer = offers.find(({ eventId }) => eventId === event.id) ?? null
        return [
          {
            day: event.startsOn,
            isAhead: lastDay >= today,
            line: describe(event, offer, counts.get(event.id) ?? NOBODY),
          },
        ]
      })
      const ahead = lines.filter(({ isAhead }) => isAhead).sort((a, b) => (a.day < b.day ? -1 : 1))
      const past = lines.filter(({ isAhead }) => !isAhead).sort((a, b) => (a.day > b.day ? -1 : 1))
      return [...ahead, ...past].map((found) => found.line)
    },

    async save(officer, eventId, offered) {
      requireEvent(eventId)
      requirePrices(offered)
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const before = await holdOffer(tx, eventId)
        const taken = await countTaken(tx, eventId, now)
        if (!(await saveOffer(tx, { ...offered, eventId }, { taken, now }))) throw new Problem('CHANGED_MEANWHILE')
        await waitlist.promote(tx, { ...offered, eventId }, now)
        // The event's page and cards say that it takes RSVPs.
        if ((before?.isOpen ?? false) !== offered.isOpen) await raiseContentVersion(tx)
        const details = { before: before && wordsOf(before), after: wordsOf(offered) }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'event-offer.saved', subjectId: eventId, details },
          now,
        )
      })
      wakeOutbox()
      return read(eventId)
    },

    async close(officer, eventId) {
      const event = requireEvent(eventId)
      const { endsAt } = spanOf(event, timeZone)
      if (endsAt === null || clock.now() < endsAt) throw new Problem('EVENT_NOT_OVER')
      const certificates = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const held = await holdOffer(tx, eventId)
        if (!held) throw new Problem('NOT_FOUND')
        const ids = await takeForCertificates(tx, eventId, now)
        for (const id of ids) await tellGuest(tx, id, 'certificate', now)
        await markClosed(tx, eventId, now)
        if (held.isOpen) await raiseContentVersion(tx)
        const details = { before: null, after: { certificates: ids.length } }
        await writeAudit(tx, { actor: officer.accountId, action: 'event.closed', subjectId: eventId, details }, now)
        return ids.length
      })
      wakeOutbox()
      return { certificates, event: await read(eventId) }
    },
  }
}

/** @throws Problem INVALID_INPUT where the prices contradict each other */
function requirePrices({ price, memberPrice }: Pick<Offered, 'price' | 'memberPrice'>): void {
  if (memberPrice === null) return
  if (price === null) throw fieldProblem('memberPrice', messages.rsvp.memberPriceAlone)
  if (memberPrice > price) throw fieldProblem('memberPrice', messages.rsvp.memberPriceHigh)
}

function wordsOf(offer: Omit<Offered, 'version'>) {
  const { isOpen, capacity, guestsMax, meals, closesOn, words, creditHours, price, memberPrice, refundUntil } = offer
  return { isOpen, capacity, guestsMax, meals, closesOn, words, creditHours, price, memberPrice, refundUntil }
}
