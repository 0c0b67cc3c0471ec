import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import { isUpcoming, takesPlace } from '#contract/public/events.ts'
import type { MemberRsvp, OwnRsvp, PublicRsvpSettings } from '#contract/public/rsvp.ts'
import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/lib/problem.ts'
import { toPublicRsvpSettings } from './event-rsvp.service.ts'
import { listRsvpSettings } from './rsvp-settings.queries.ts'
import { findRsvpSettings } from './rsvp-settings.repository.ts'
import { readRsvpToken } from './rsvp-token.service.ts'
import { countTakenTickets } from './tickets/ticket-counts.repository.ts'
import { costOf, isRefundable } from './orders/rsvp-price.rules.ts'
import { listSeatPayments } from './orders/rsvp-refund.repository.ts'
import { findRequest, type RsvpRequest } from './requests/rsvp-request.repository.ts'
import { listRsvpsByEmail } from './rsvp.queries.ts'
import { countTakenSeats, findRsvp, type Rsvp } from './rsvp.repository.ts'

const GONE = { title: 'An event that is no longer listed', date: '', time: null, location: '' }

/** Read access to an event's RSVP settings and to RSVPs, as shown on pages. */
export function createRsvpQueries(
  { db, clock, secrets, timeZone, cache }: AppContext,
  {
    memberEmail,
    levelOf,
  }: {
    /** The address of an account with an active membership, else null. */
    memberEmail(accountId: string): Promise<string | null>
    /** The level of the current or last membership; null without one. */
    levelOf(handle: Db, accountId: string): Promise<string | null>
  },
) {
  /** The RSVP that a link belongs to, once confirmed. @throws Problem RSVP_LINK_INVALID */
  async function require(handle: Db, token: string): Promise<Rsvp> {
    const id = readRsvpToken(secrets, token)
    const rsvp = id === null ? null : await findRsvp(handle, id)
    if (!rsvp) throw new Problem('RSVP_LINK_INVALID')
    return rsvp
  }

  async function loadSettings(eventId: string, accountId: string | null): Promise<PublicRsvpSettings> {
    const found = await findRsvpSettings(db, eventId)
    const taken = found ? await countTakenSeats(db, eventId, clock.now()) : 0
    const address = accountId === null ? null : await memberEmail(accountId)
    const tools = {
      taken,
      now: clock.now(),
      timeZone,
      memberEmail: address,
      levelKey: address === null || accountId === null ? null : await levelOf(db, accountId),
      levels: cache.content().levels,
      takenTickets: found && found.kinds.length > 0 ? await countTakenTickets(db, eventId, clock.now()) : new Map(),
    }
    return toPublicRsvpSettings(found, cache.content().events.get(eventId), tools)
  }

  /** Of the events that take RSVPs now and have limited seats. */
  async function seatsLeft(): Promise<{ id: string; seatsLeft: number }[]> {
    const now = clock.now()
    const today = cache.today()
    const found: { id: string; seatsLeft: number }[] = []
    for (const settings of await listRsvpSettings(db)) {
      const { eventId: id, isOpen, capacity } = settings
      const event = cache.content().events.get(id)
      if (!isOpen || capacity === null || !event || !isUpcoming(event, today)) continue
      const taken = await countTakenSeats(db, id, now)
      const shown = toPublicRsvpSettings(settings, event, { taken, now, timeZone, memberEmail: null })
      const takesRsvps = shown.state === 'open' || shown.state === 'full'
      if (takesRsvps && shown.seatsLeft !== null) found.push({ id, seatsLeft: shown.seatsLeft })
    }
    return found
  }

  async function moneyOf(rsvp: Rsvp): Promise<OwnRsvp['money']> {
    const { ownPrice: own, guestPrice: guest, status } = rsvp
    const payments = await listSeatPayments(db, { rsvpId: rsvp.id })
    if (own === 0 && guest === 0 && costOf(rsvp) === 0 && payments.length === 0) return null
    const refundUntil = (await findRsvpSettings(db, rsvp.eventId))?.refundUntil ?? null
    return {
      currency: region().currency,
      own,
      guest,
      paid: payments.reduce((sum, { left }) => sum + left, 0),
      owed: status === 'paying' ? costOf(rsvp) : 0,
      payBy: rsvp.payBy === null ? null : new Date(rsvp.payBy).toISOString(),
      isRefundable: isRefundable(refundUntil, clock.now(), timeZone),
      refundUntil,
    }
  }

  function eventOf(id: string): OwnRsvp['event'] {
    const { title, date, time, location } = cache.content().events.get(id) ?? GONE
    return { id, title, date, time, location }
  }

  /** A canceled RSVP of the same address does not hide its new request. */
  async function request(handle: Db, token: string): Promise<RsvpRequest | null> {
    const id = readRsvpToken(secrets, token)
    const rsvp = id === null ? null : await findRsvp(handle, id)
    return id === null || (rsvp && rsvp.status !== 'cancelled') ? null : findRequest(handle, id)
  }

  /** Describes an unconfirmed or withdrawn RSVP for its page. */
  async function describe(asked: RsvpRequest, status: 'unconfirmed' | 'cancelled'): Promise<OwnRsvp> {
    const { eventId, name, guests, meals, tickets, seats, heldUntil } = asked
    const isHeld = status === 'unconfirmed' && seats > 0 && heldUntil > clock.now()
    return {
      event: eventOf(eventId),
      name,
      guests,
      meals,
      tickets,
      place: status,
      heldUntil: isHeld ? new Date(heldUntil).toISOString() : null,
      offer: await loadSettings(eventId, null),
      hasCertificate: false,
      money: null,
    }
  }

  /** @throws Problem RSVP_LINK_INVALID */
  async function read(token: string): Promise<OwnRsvp> {
    const asked = await request(db, token)
    if (asked) return describe(asked, 'unconfirmed')
    const rsvp = await require(db, token)
    const { name, guests, meals, tickets, status } = rsvp
    return {
      event: eventOf(rsvp.eventId),
      name,
      guests,
      meals,
      tickets,
      place: status,
      offer: await loadSettings(rsvp.eventId, null),
      hasCertificate: rsvp.certificateAt !== null,
      money: await moneyOf(rsvp),
    }
  }

  /** The RSVP to the first event that is still to come. */
  async function nextOf(accountId: string): Promise<MemberRsvp | null> {
    const email = await memberEmail(accountId)
    const found = email === null ? [] : await listRsvpsByEmail(db, email)
    const today = cache.today()
    const coming = found.flatMap(({ eventId, guests, status }) => {
      const event = cache.content().events.get(eventId)
      if (!event || status === 'cancelled' || !isUpcoming(event, today) || !takesPlace(event)) return []
      return [{ event, seats: 1 + guests, place: status }]
    })
    const [next] = coming.sort((a, b) => ((a.event.startsOn ?? '') < (b.event.startsOn ?? '') ? -1 : 1))
    if (!next) return null
    const { id, title, date, time } = next.event
    return { ...next, event: { id, title, date, time } }
  }

  return {
    nextOf,
    /** @param accountId the signed-in account, since members may pay less */
    settings: loadSettings,
    seatsLeft,
    read,
    require,
    request,
    describe,
  }
}

export type RsvpQueries = ReturnType<typeof createRsvpQueries>
