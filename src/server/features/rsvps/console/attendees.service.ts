import type { AppContext } from '#server/app-context.ts'
import {
  ATTENDEE_STATES,
  type addAttendee,
  type Attendee,
  type AttendeeState,
  type exportAttendees,
  type listAttendees,
} from '#contract/console/events/events.ts'
import type { BodyOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { ticketLines } from '#contract/tickets/tickets.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import { eventDayStart } from '../event-rsvp.service.ts'
import { saveRsvp } from '../keep-rsvp.service.ts'
import { sumSeatPayments } from '../orders/rsvp-refund.repository.ts'
import { costOf, paymentDeadline, pricesFor } from '../orders/rsvp-price.rules.ts'
import { resolveParty } from '../tickets/resolve-party.service.ts'
import { hasTicketsLeft } from '../tickets/ticket-counts.repository.ts'
import { freeTickets } from '../tickets/ticket.rules.ts'
import { queueRsvpEmail } from '../orders/waitlist.service.ts'
import { lockRsvpSettings } from '../rsvp-settings.repository.ts'
import type { RsvpSettings } from '../rsvp-settings.queries.ts'
import { countTakenSeats, findRsvp, findRsvpByEmail, listRsvps, setRsvpStatus, type Rsvp } from '../rsvp.repository.ts'
import { hasRoomFor, partySize } from '../rsvp.rules.ts'
import { exportAttendeeFile } from './attendee-file.service.ts'
import { findMemberIds } from './attendee.repository.ts'
import { isInState, sortAttendees } from './attendee.rules.ts'
import type { EventSource } from './event-list.service.ts'

type Choice = QueryOf<typeof exportAttendees>

/** The RSVPs of an event for officers. Methods throw Problem NOT_FOUND for an unknown event or RSVP. */
export function createAttendees(
  { db, clock, timeZone, cache, wakeOutbox }: AppContext,
  {
    events,
    isMember,
  }: {
    events: Pick<EventSource, 'find'>
    /** Whether an address belongs to an active member, who pays the member price. */
    isMember(email: string): Promise<boolean>
  },
) {
  async function requireTitle(eventId: string): Promise<string> {
    const event = await events.find(eventId)
    if (!event) throw new Problem('NOT_FOUND')
    return event.title
  }

  /** @throws Problem EVENT_IS_OVER */
  async function lockUpcoming(tx: Tx, eventId: string): Promise<{ settings: RsvpSettings; startsAt: number }> {
    const settings = await lockRsvpSettings(tx, eventId)
    const event = cache.content().events.get(eventId)
    if (!settings || !event) throw new Problem('NOT_FOUND')
    const { startsAt } = eventSpan(event, timeZone)
    if (startsAt === null || clock.now() >= startsAt) throw new Problem('EVENT_IS_OVER')
    return { settings, startsAt }
  }

  /** @throws Problem RSVP_FULL */
  async function requireRoom(tx: Tx, settings: RsvpSettings, party: Pick<Rsvp, 'guests' | 'tickets'>): Promise<void> {
    const now = clock.now()
    const taken = await countTakenSeats(tx, settings.eventId, now)
    const hasTickets = await hasTicketsLeft(tx, settings, party, { now })
    if (!hasTickets || !hasRoomFor(settings.capacity, taken, partySize(party))) throw new Problem('RSVP_FULL')
  }

  /** Gives a party its seats, or holds them until they are paid, and emails it. */
  async function seat(tx: Tx, rsvp: Rsvp, startsAt: number): Promise<Rsvp['status']> {
    const { id, eventId } = rsvp
    const now = clock.now()
    const owes = costOf(rsvp) > 0
    const dayStart = eventDayStart(cache.content().events.get(eventId), timeZone)
    const status = owes ? 'paying' : 'coming'
    // An officer may offer seats later than the waitlist does.
    const payBy = owes ? (paymentDeadline(dayStart, now) ?? startsAt) : undefined
    await setRsvpStatus(tx, id, { status, now, ...(payBy !== undefined && { payBy }) })
    await queueRsvpEmail(tx, id, 'promoted', now)
    return status
  }

  /** All RSVPs of the event, and the chosen ones in their order. */
  async function choose(eventId: string, choice: Choice): Promise<{ all: Rsvp[]; chosen: Rsvp[] }> {
    await requireTitle(eventId)
    const all = await listRsvps(db, eventId)
    const chosen = all.filter((rsvp) => isInState(rsvp, choice.state) && matches(rsvp, choice.q))
    return { all, chosen: sortAttendees(chosen, choice) }
  }

  return {
    async list(
      eventId: string,
      { page, size, ...choice }: QueryOf<typeof listAttendees>,
    ): Promise<ReplyOf<typeof listAttendees>> {
      const { all, chosen } = await choose(eventId, choice)
      const shown = chosen.slice((page - 1) * size, page * size)
      const emails = shown.flatMap(({ email }) => email ?? [])
      const [paid, members] = await Promise.all([sumSeatPayments(db, { eventId }), findMemberIds(db, emails)])
      const count = (state: AttendeeState) => all.filter((rsvp) => isInState(rsvp, state)).length
      const counts = Object.fromEntries(ATTENDEE_STATES.map((state) => [state, count(state)]))
      return {
        attendees: shown.map((rsvp) => toAttendee(rsvp, { paid, members })),
        total: chosen.length,
        counts: counts as Record<AttendeeState, number>,
      }
    },

    /** @throws Problem RSVP_FULL, RSVP_EXISTS, EVENT_IS_OVER, INVALID_INPUT */
    async add(
      officer: Officer,
      eventId: string,
      { id, seat: wish, email, ...given }: BodyOf<typeof addAttendee>,
    ): Promise<{ status: Rsvp['status'] }> {
      const forMembers = await isMember(email)
      const status = await db.transaction().execute(async (tx) => {
        const { settings, startsAt } = await lockUpcoming(tx, eventId)
        const sentBefore = await findRsvp(tx, id)
        if (sentBefore) return sentBefore.status
        const terms = { isMember: forMembers, levelKey: null, isOfficer: true }
        const asked = resolveParty(given, settings, terms)
        const guest = wish === 'free' ? { ...asked, tickets: freeTickets(asked.tickets) } : asked
        const existing = await findRsvpByEmail(tx, eventId, email)
        if (existing && existing.status !== 'cancelled') throw new Problem('RSVP_EXISTS')
        if (wish !== 'waitlist') await requireRoom(tx, settings, guest)
        const now = clock.now()
        const prices = wish === 'free' ? { own: 0, guest: 0 } : pricesFor(settings, forMembers)
        const priced = { ...guest, ownPrice: prices.own, guestPrice: prices.guest }
        const owes = costOf(priced) > 0
        const place = wish === 'waitlist' || owes ? ('waiting' as const) : ('coming' as const)
        const party = { ...priced, id, eventId, email, status: place }
        await saveRsvp(tx, party, now, { isSilent: wish === 'payment' && owes })
        const saved = await findRsvpByEmail(tx, eventId, email)
        const seated = saved && wish === 'payment' && owes ? await seat(tx, saved, startsAt) : place
        const details = { before: null, after: { name: guest.name, guests: guest.guests, place: seated } }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'rsvp.added', subjectId: saved?.id ?? id, details },
          now,
        )
        return seated
      })
      wakeOutbox()
      return { status }
    },

    /** @throws Problem RSVP_FULL, EVENT_IS_OVER, CHANGED_MEANWHILE if the party is no longer on the waitlist */
    async offerSeat(officer: Officer, eventId: string, rsvpId: string): Promise<{ status: Rsvp['status'] }> {
      const status = await db.transaction().execute(async (tx) => {
        const { settings, startsAt } = await lockUpcoming(tx, eventId)
        const rsvp = await findRsvp(tx, rsvpId)
        if (rsvp?.eventId !== eventId) throw new Problem('NOT_FOUND')
        if (rsvp.status !== 'waiting') throw new Problem('CHANGED_MEANWHILE')
        await requireRoom(tx, settings, rsvp)
        const given = await seat(tx, rsvp, startsAt)
        const details = { before: { place: 'waiting' }, after: { place: given } }
        await writeAudit(
          tx,
          { actor: officer.accountId, action: 'rsvp.offered', subjectId: rsvpId, details },
          clock.now(),
        )
        return given
      })
      wakeOutbox()
      return { status }
    },

    /** The chosen RSVPs, as the list shows them. */
    async export(officer: Officer, eventId: string, choice: Choice): Promise<ServedFile> {
      const title = await requireTitle(eventId)
      const { chosen } = await choose(eventId, choice)
      const event = { id: eventId, title }
      return exportAttendeeFile(db, { by: officer, event, rsvps: chosen, name: 'attendees' }, clock.now())
    },
  }
}

export type Attendees = ReturnType<typeof createAttendees>

function toAttendee(
  rsvp: Rsvp,
  { paid, members }: { paid: ReadonlyMap<string, number>; members: ReadonlyMap<string, string> },
): Attendee {
  const { id, name, email, guests, meals, status, arrived, isWalkIn, payBy } = rsvp
  return {
    id,
    name,
    email,
    memberId: email === null ? null : (members.get(email.toLowerCase()) ?? null),
    guests,
    meals,
    tickets: ticketLines(rsvp.tickets),
    status,
    arrived,
    isWalkIn,
    askedAt: new Date(rsvp.askedAt).toISOString(),
    paid: paid.get(id) ?? 0,
    due: status === 'paying' && payBy !== null ? { amount: costOf(rsvp), by: new Date(payBy).toISOString() } : null,
  }
}

function matches({ name, email }: Rsvp, q: string | undefined): boolean {
  return q === undefined || plain(`${name} ${email ?? ''}`).includes(plain(q))
}

/** Without accents, in lower case. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
