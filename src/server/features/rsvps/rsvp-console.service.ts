import type { AppContext } from '#server/app-context.ts'
import type { closeRsvpEvent, RsvpEvent, RsvpEventSummary, saveRsvpSettings } from '#contract/console/rsvp.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { EventDetails } from '#contract/public/events.ts'
import { messages } from '#contract/messages.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { toRsvpRuleInput } from './event-rsvp.service.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { findRsvpSettings, lockRsvpSettings, markEventClosed, storeRsvpSettings } from './rsvp-settings.repository.ts'
import { listRsvpSettings, type RsvpSettings } from './rsvp-settings.queries.ts'
import { listSeatPayments } from './orders/rsvp-refund.repository.ts'
import {
  countRsvps,
  countTakenSeats,
  listRsvps,
  NO_RSVPS,
  sumTakenSeats,
  markForCertificates,
  type RsvpCounts,
} from './rsvp.repository.ts'
import { findKindFaults } from './tickets/ticket.rules.ts'
import { sumTickets } from './tickets/ticket-sums.rules.ts'
import { countMeals, rsvpState } from './rsvp.rules.ts'
import { queueRsvpEmail, type Waitlist } from './orders/waitlist.service.ts'

type SettingsInput = BodyOf<typeof saveRsvpSettings>

const LOOK_BACK_DAYS = 60
const UNSAVED: Omit<RsvpSettings, 'eventId'> = {
  isOpen: false,
  capacity: null,
  guestsMax: 1,
  meals: [],
  closesOn: null,
  text: null,
  creditHours: null,
  price: null,
  memberPrice: null,
  kinds: [],
  refundUntil: null,
  version: 0,
  closedAt: null,
  calledOff: null,
  confirmationNote: null,
  reminderNote: null,
}

export function createRsvpConsoleService(
  { db, clock, timeZone, wakeOutbox, cache }: AppContext,
  {
    waitlist,
    findDraft,
  }: {
    waitlist: Waitlist
    /** An event that is not on the site yet. */
    findDraft(eventId: string): Promise<EventDetails | null>
  },
) {
  async function requireEvent(eventId: string): Promise<EventDetails> {
    const event = cache.content().events.get(eventId) ?? (await findDraft(eventId))
    if (!event) throw new Problem('NOT_FOUND')
    return event
  }

  function describe(event: EventDetails, settings: RsvpSettings | null, counts: RsvpCounts): RsvpEventSummary {
    const rules = settings && toRsvpRuleInput(settings, event, timeZone)
    return {
      id: event.id,
      title: event.title,
      date: [event.date, event.time].filter(Boolean).join(', '),
      location: event.location,
      state: rsvpState(rules, sumTakenSeats(counts), clock.now()),
      capacity: settings?.capacity ?? null,
      counts,
    }
  }

  /** @throws Problem NOT_FOUND */
  async function line(eventId: string): Promise<RsvpEventSummary> {
    const event = await requireEvent(eventId)
    const counts = (await countRsvps(db, clock.now(), eventId)).get(eventId) ?? NO_RSVPS
    return describe(event, await findRsvpSettings(db, eventId), counts)
  }

  /** @throws Problem NOT_FOUND */
  async function read(eventId: string): Promise<RsvpEvent> {
    const event = await requireEvent(eventId)
    const {
      closedAt,
      calledOff,
      text,
      confirmationNote: _confirmation,
      reminderNote: _reminder,
      ...settings
    } = (await findRsvpSettings(db, eventId)) ?? { eventId, ...UNSAVED }
    const coming = (await listRsvps(db, eventId)).filter(({ status }) => status === 'coming')
    const { endsAt } = eventSpan(event, timeZone)
    return {
      event: await line(eventId),
      offer: { ...settings, words: text },
      meals: countMeals(coming, settings.meals),
      tickets: sumTickets(coming, settings.kinds),
      levels: cache.content().levels.map(({ key, name }) => ({ key, name })),
      closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
      calledOff: calledOff && { at: new Date(calledOff.at).toISOString(), words: calledOff.text },
      paid: (await listSeatPayments(db, { eventId })).reduce((sum, { left }) => sum + left, 0),
      hasEnded: endsAt !== null && clock.now() >= endsAt,
    }
  }

  return {
    line,
    read,

    /** Upcoming events first, soonest first, then recent ones. */
    async list(): Promise<RsvpEventSummary[]> {
      const [allSettings, counts] = [await listRsvpSettings(db), await countRsvps(db, clock.now())]
      const today = dayOf(clock.now(), timeZone)
      const since = addDays(today, -LOOK_BACK_DAYS)
      const lines = [...cache.content().events.values()].flatMap((event) => {
        const lastDay = event.endsOn ?? event.startsOn
        if (event.startsOn === null || lastDay === null || lastDay < since) return []
        const settings = allSettings.find(({ eventId }) => eventId === event.id) ?? null
        return [
          {
            day: event.startsOn,
            isAhead: lastDay >= today,
            line: describe(event, settings, counts.get(event.id) ?? NO_RSVPS),
          },
        ]
      })
      const ahead = lines.filter(({ isAhead }) => isAhead).sort((a, b) => (a.day < b.day ? -1 : 1))
      const past = lines.filter(({ isAhead }) => !isAhead).sort((a, b) => (a.day > b.day ? -1 : 1))
      return [...ahead, ...past].map((found) => found.line)
    },

    /** More seats promote guests from the waitlist; fewer seats revoke none. @throws Problem NOT_FOUND, CHANGED_MEANWHILE */
    async save(officer: Officer, eventId: string, input: SettingsInput): Promise<RsvpEvent> {
      await requireEvent(eventId)
      requirePrices(input)
      const { words, kinds: given, ...others } = input
      await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const before = await lockRsvpSettings(tx, eventId)
        // A page from before an update does not know the kinds.
        const kinds = given ?? before?.kinds ?? []
        const settings = { ...others, kinds }
        const faults = findKindFaults(settings)
        if (Object.keys(faults).length > 0) throw new Problem('INVALID_INPUT', { fields: faults })
        const taken = await countTakenSeats(tx, eventId, now)
        if (!(await storeRsvpSettings(tx, { ...settings, text: words, eventId }, { taken, now })))
          throw new Problem('CHANGED_MEANWHILE')
        await waitlist.promote(tx, { ...settings, eventId }, now)
        // The event's page and cards show whether it takes RSVPs.
        if ((before?.isOpen ?? false) !== input.isOpen) await incrementContentVersion(tx)
        const details = {
          before: before && auditFields({ ...before, words: before.text }),
          after: auditFields({ ...input, kinds }),
        }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'event-offer.saved', subjectId: eventId, details },
          now,
        )
      })
      wakeOutbox()
      await cache.refresh()
      return read(eventId)
    },

    /** Sends certificates to guests who were checked in and have none yet. May be repeated. @throws Problem NOT_FOUND, EVENT_NOT_OVER */
    async close(officer: Officer, eventId: string): Promise<ReplyOf<typeof closeRsvpEvent>> {
      const event = await requireEvent(eventId)
      const { endsAt } = eventSpan(event, timeZone)
      if (endsAt === null || clock.now() < endsAt) throw new Problem('EVENT_NOT_OVER')
      const certificates = await db.transaction().execute(async (tx) => {
        const now = clock.now()
        const settings = await lockRsvpSettings(tx, eventId)
        if (!settings) throw new Problem('NOT_FOUND')
        const ids = await markForCertificates(tx, eventId, now)
        for (const id of ids) await queueRsvpEmail(tx, id, 'certificate', now)
        await markEventClosed(tx, eventId, now)
        if (settings.isOpen) await incrementContentVersion(tx)
        const details = { before: null, after: { certificates: ids.length } }
        await writeAudit(tx, { actor: officer.accountId, action: 'event.closed', subjectId: eventId, details }, now)
        return ids.length
      })
      wakeOutbox()
      await cache.refresh()
      return { certificates, event: await read(eventId) }
    },
  }
}

export type RsvpConsoleService = ReturnType<typeof createRsvpConsoleService>

/** @throws Problem INVALID_INPUT if the prices contradict each other */
function requirePrices({ price, memberPrice }: Pick<SettingsInput, 'price' | 'memberPrice'>): void {
  if (memberPrice === null) return
  if (price === null) throw fieldProblem('memberPrice', messages.rsvp.memberPriceAlone)
  if (memberPrice > price) throw fieldProblem('memberPrice', messages.rsvp.memberPriceHigh)
}

function auditFields(settings: Omit<SettingsInput, 'version'>) {
  const { isOpen, capacity, guestsMax, meals, closesOn, words, creditHours, price, memberPrice, refundUntil } = settings
  const { kinds = [] } = settings
  return {
    isOpen,
    capacity,
    guestsMax,
    meals,
    closesOn,
    words,
    creditHours,
    price,
    memberPrice,
    ...(kinds.length > 0 && { kinds }),
    refundUntil,
  }
}
