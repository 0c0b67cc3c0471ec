import type { Kysely } from 'kysely'
import type { EventDetails } from '#contract/events.ts'
import type { OwnRsvp, RsvpOffer } from '#contract/rsvp.ts'
import type { Db } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { CURRENCY, publicOffer } from './event-offers.ts'
import { findOffer } from './offer.repository.ts'
import { readRsvpToken } from './rsvp-link.ts'
import { costOf, isRefundable } from './rsvp-price.rules.ts'
import { listSeatPayments } from './rsvp-refund.repository.ts'
import { findRequest, type RsvpRequest } from './rsvp-request.repository.ts'
import { countTaken, findRsvp, type Rsvp } from './rsvp.repository.ts'

const GONE = { title: 'An event that is no longer listed', date: '', time: null, location: '' }

/** What an event offers and what somebody said to it, as pages show it; changes nothing. */
export interface RsvpReading {
  /** @param accountId who asks, when they are signed in: members may pay less */
  offer(eventId: string, accountId: string | null): Promise<RsvpOffer>
  /** @throws Problem RSVP_LINK_INVALID */
  read(token: string): Promise<OwnRsvp>
  /** The RSVP a link is for, if it was ever confirmed. @throws Problem RSVP_LINK_INVALID */
  require(handle: Db, token: string): Promise<Rsvp>
  /** One that is to be confirmed by the link; null for any other. */
  request(handle: Db, token: string): Promise<RsvpRequest | null>
  /** One that is to be confirmed, or was withdrawn, as its page shows it. */
  describe(request: RsvpRequest, place: 'unconfirmed' | 'cancelled'): Promise<OwnRsvp>
}

export function createRsvpReading({
  db,
  clock,
  secrets,
  timeZone,
  events,
  memberEmail,
}: {
  db: Kysely<Schema>
  clock: Clock
  secrets: Secrets
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  /** The address of an account whose membership counts today, else null. */
  memberEmail(accountId: string): Promise<string | null>
}): RsvpReading {
  async function require(handle: Db, token: string): Promise<Rsvp> {
    const id = readRsvpToken(secrets, token)
    const rsvp = id === null ? null : await findRsvp(handle, id)
    if (!rsvp) throw new Problem('RSVP_LINK_INVALID')
    return rsvp
  }

  async function offer(eventId: string, accountId: string | null): Promise<RsvpOffer> {
    const found = await findOffer(db, eventId)
    const taken = found ? await countTaken(db, eventId, clock.now()) : 0
    const tools = {
      taken,
      now: clock.now(),
      timeZone,
      memberEmail: accountId === null ? null : await memberEmail(accountId),
    }
    return publicOffer(found, events().get(eventId), tools)
  }

  async function moneyOf(rsvp: Rsvp): Promise<OwnRsvp['money']> {
    const { ownPrice: own, guestPrice: guest, guests, place } = rsvp
    const payments = await listSeatPayments(db, { rsvpId: rsvp.id })
    if (own === 0 && guest === 0 && payments.length === 0) return null
    const refundUntil = (await findOffer(db, rsvp.eventId))?.refundUntil ?? null
    return {
      currency: CURRENCY,
      own,
      guest,
      paid: payments.reduce((sum, { left }) => sum + left, 0),
      owed: place === 'paying' ? costOf({ own, guest }, guests) : 0,
      payBy: rsvp.payBy === null ? null : new Date(rsvp.payBy).toISOString(),
      isRefundable: isRefundable(refundUntil, clock.now(), timeZone),
      refundUntil,
    }
  }

  function eventOf(id: string): OwnRsvp['event'] {
    const { title, date, time, location } = events().get(id) ?? GONE
    return { id, title, date, time, location }
  }

  /** What an address said before and took back is not what its new request is about. */
  async function request(handle: Db, token: string): Promise<RsvpRequest | null> {
    const id = readRsvpToken(secrets, token)
    const rsvp = id === null ? null : await findRsvp(handle, id)
    return id === null || (rsvp && rsvp.place !== 'cancelled') ? null : findRequest(handle, id)
  }

  async function describe(asked: RsvpRequest, place: 'unconfirmed' | 'cancelled'): Promise<OwnRsvp> {
    const { eventId, name, guests, meals, seats, heldUntil } = asked
    const isHeld = place === 'unconfirmed' && seats > 0 && heldUntil > clock.now()
    return {
      event: eventOf(eventId),
      name,
      guests,
      meals,
      place,
      heldUntil: isHeld ? new Date(heldUntil).toISOString() : null,
      offer: await offer(eventId, null),
      hasCertificate: false,
      money: null,
    }
  }

  async function read(token: string): Promise<OwnRsvp> {
    const asked = await request(db, token)
    if (asked) return describe(asked, 'unconfirmed')
    const rsvp = await require(db, token)
    const { name, guests, meals, place } = rsvp
    return {
      event: eventOf(rsvp.eventId),
      name,
      guests,
      meals,
      place,
      offer: await offer(rsvp.eventId, null),
      hasCertificate: rsvp.certificateAt !== null,
      money: await moneyOf(rsvp),
    }
  }

  return { offer, read, require, request, describe }
}
