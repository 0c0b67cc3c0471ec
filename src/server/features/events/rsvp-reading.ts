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
import { countTaken, findRsvp, type Rsvp } from './rsvp.repository.ts'

/** What an event offers and what somebody said to it, as pages show it; changes nothing. */
export interface RsvpReading {
  /** @param accountId who asks, when they are signed in: members may pay less */
  offer(eventId: string, accountId: string | null): Promise<RsvpOffer>
  /** @throws Problem RSVP_LINK_INVALID */
  read(token: string): Promise<OwnRsvp>
  /** The RSVP a link is for. @throws Problem RSVP_LINK_INVALID */
  require(handle: Db, token: string): Promise<Rsvp>
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
    const taken = found ? await countTaken(db, eventId) : 0
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
      offer: await offer(rsvp.eventId, null),
      hasCertificate: rsvp.certificateAt !== null,
      money: await moneyOf(rsvp),
    }
  }

  return { offer, read, require }
}
