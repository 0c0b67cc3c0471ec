import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpRequestTable } from '#server/db/events-schema.ts'
import { nameKey } from '../account/account.repository.ts'
import { mailboxKey } from './mailbox.rules.ts'
import type { AgreedPrices, Party } from './rsvp.repository.ts'

/** An RSVP whose email address is not proven yet. */
export interface RsvpRequest extends Party, AgreedPrices {
  /** That of the RSVP it becomes. */
  id: string
  eventId: string
  email: string
  /** Held for it; 0 when it asks for the waitlist, or when they went back. */
  seats: number
  heldUntil: number
  askedAt: number
}

/** In place of the one of this address, and of what other spellings of it hold. Call with the offer held. */
export async function keepRequest(tx: Tx, request: RsvpRequest): Promise<void> {
  const { id, eventId, email, name, guests, meals, ownPrice, guestPrice, seats, heldUntil, askedAt } = request
  await releaseMailbox(tx, { eventId, email })
  await tx
    .insertInto('rsvp_request')
    .values({
      id,
      event_id: eventId,
      mailbox_key: mailboxKey(email),
      email,
      email_key: nameKey(email),
      name,
      guests,
      meals: JSON.stringify(meals),
      own_price: ownPrice,
      guest_price: guestPrice,
      seats,
      held_until: heldUntil,
      asked_at: askedAt,
    })
    .execute()
}

export async function findRequest(db: Db, id: string): Promise<RsvpRequest | null> {
  const row = await db.selectFrom('rsvp_request').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRequest(row) : null
}

export async function findRequestOf(db: Db, about: { eventId: string; email: string }): Promise<RsvpRequest | null> {
  const row = await db
    .selectFrom('rsvp_request')
    .selectAll()
    .where('event_id', '=', about.eventId)
    .where('email_key', '=', nameKey(about.email))
    .executeTakeFirst()
  return row ? toRequest(row) : null
}

/** Seats held for any spelling of an address. */
export async function countHeldByMailbox(
  db: Db,
  about: { eventId: string; email: string },
  now: number,
): Promise<number> {
  const row = await db
    .selectFrom('rsvp_request')
    .select((eb) => eb.fn.sum<string | number | null>('seats').as('seats'))
    .where('event_id', '=', about.eventId)
    .where('mailbox_key', '=', mailboxKey(about.email))
    .where('held_until', '>', now)
    .executeTakeFirst()
  return Number(row?.seats ?? 0)
}

/**
 * Removes the request of this address. What other spellings of it hold goes back, so that a mailbox holds the seats of one party; their emails' buttons work on
 * while there are seats. Call with the offer held, and promote whoever waits.
 */
export async function releaseMailbox(tx: Tx, { eventId, email }: { eventId: string; email: string }): Promise<void> {
  await removeRequestOf(tx, { eventId, email })
  await tx
    .updateTable('rsvp_request')
    .set({ seats: 0 })
    .where('event_id', '=', eventId)
    .where('mailbox_key', '=', mailboxKey(email))
    .execute()
}

async function removeRequestOf(tx: Tx, { eventId, email }: { eventId: string; email: string }): Promise<void> {
  await tx.deleteFrom('rsvp_request').where('event_id', '=', eventId).where('email_key', '=', nameKey(email)).execute()
}

export async function removeRequestsOfEvent(tx: Tx, eventId: string): Promise<void> {
  await tx.deleteFrom('rsvp_request').where('event_id', '=', eventId).execute()
}

/** Seats held for requests, by event. */
export async function countRequested(db: Db, now: number, eventId?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('rsvp_request')
    .select((eb) => ['event_id', eb.fn.sum<string | number>('seats').as('seats')])
    .where('held_until', '>', now)
    .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId ?? ''))
    .groupBy('event_id')
    .execute()
  return new Map(rows.map(({ event_id: id, seats }) => [id, Number(seats)]))
}

/** Events with seats whose time is over and that nobody was told of yet. */
export async function listEventsWithEndedHolds(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('rsvp_request')
    .select('event_id')
    .distinct()
    .where('held_until', '<=', now)
    .where('seats', '>', 0)
    .execute()
  return rows.map((row) => row.event_id)
}

/** The requests stay: the email's button works on while there are seats. Call with the offer held. */
export async function releaseEndedHolds(tx: Tx, eventId: string, now: number): Promise<void> {
  await tx
    .updateTable('rsvp_request')
    .set({ seats: 0 })
    .where('event_id', '=', eventId)
    .where('held_until', '<=', now)
    .execute()
}

export async function forgetRequests(db: Db, before: number): Promise<void> {
  await db.deleteFrom('rsvp_request').where('asked_at', '<', before).execute()
}

function toRequest(row: RsvpRequestTable): RsvpRequest {
  return {
    id: row.id,
    eventId: row.event_id,
    email: row.email,
    name: row.name,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    ownPrice: row.own_price,
    guestPrice: row.guest_price,
    seats: row.seats,
    heldUntil: row.held_until,
    askedAt: row.asked_at,
  }
}
