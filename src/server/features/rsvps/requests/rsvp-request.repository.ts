import { type ReadJson, readJson } from '#server/db/schema/column-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpRequestTable } from '#server/db/schema/events-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { mailboxKey } from '../mailbox.rules.ts'

/** An RSVP whose email address is not confirmed yet. */
export type RsvpRequest = ReadJson<Omit<RsvpRequestTable, 'emailKey' | 'mailboxKey'>, 'meals' | 'tickets'>

/** Replaces the request of this address and releases the seats held by other spellings of it. Call with the RSVP settings locked. */
export async function saveRequest(tx: Tx, request: RsvpRequest): Promise<void> {
  const { id, eventId, email, name, guests, meals, ownPrice, guestPrice, tickets, seats, heldUntil, askedAt } = request
  await releaseMailbox(tx, { eventId, email })
  await tx
    .insertInto('rsvpRequest')
    .values({
      id,
      eventId,
      mailboxKey: mailboxKey(email),
      email,
      emailKey: nameKey(email),
      name,
      guests,
      meals: JSON.stringify(meals),
      ownPrice,
      guestPrice,
      tickets: JSON.stringify(tickets),
      seats,
      heldUntil,
      askedAt,
    })
    .execute()
}

export async function findRequest(db: Db, id: string): Promise<RsvpRequest | null> {
  const row = await db.selectFrom('rsvpRequest').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'meals', 'tickets') : null
}

export async function findRequestByEmail(
  db: Db,
  about: { eventId: string; email: string },
): Promise<RsvpRequest | null> {
  const row = await db
    .selectFrom('rsvpRequest')
    .selectAll()
    .where('eventId', '=', about.eventId)
    .where('emailKey', '=', nameKey(about.email))
    .executeTakeFirst()
  return row ? readJson(row, 'meals', 'tickets') : null
}

/** At most a week old: see `deleteOldRequests`. */
export async function listRequestsByEmail(db: Db, email: string): Promise<RsvpRequest[]> {
  const rows = await db.selectFrom('rsvpRequest').selectAll().where('emailKey', '=', nameKey(email)).execute()
  return rows.map((row) => readJson(row, 'meals', 'tickets'))
}

/** Seats held for all spellings of an address. */
export async function countHeldByMailbox(
  db: Db,
  about: { eventId: string; email: string },
  now: number,
): Promise<number> {
  const row = await db
    .selectFrom('rsvpRequest')
    .select((eb) => eb.fn.sum<string | number | null>('seats').as('seats'))
    .where('eventId', '=', about.eventId)
    .where('mailboxKey', '=', mailboxKey(about.email))
    .where('heldUntil', '>', now)
    .executeTakeFirst()
  return Number(row?.seats ?? 0)
}

/**
 * Deletes the request of this address and releases the seats held by other spellings of it, so that a mailbox holds the seats of one party only.
 * Links in their emails still work while there are seats. Call with the RSVP settings locked, then promote the waitlist.
 */
export async function releaseMailbox(tx: Tx, { eventId, email }: { eventId: string; email: string }): Promise<void> {
  await removeRequestOf(tx, { eventId, email })
  await tx
    .updateTable('rsvpRequest')
    .set({ seats: 0 })
    .where('eventId', '=', eventId)
    .where('mailboxKey', '=', mailboxKey(email))
    .execute()
}

async function removeRequestOf(tx: Tx, { eventId, email }: { eventId: string; email: string }): Promise<void> {
  await tx.deleteFrom('rsvpRequest').where('eventId', '=', eventId).where('emailKey', '=', nameKey(email)).execute()
}

export async function removeRequestsOfEvent(tx: Tx, eventId: string): Promise<void> {
  await tx.deleteFrom('rsvpRequest').where('eventId', '=', eventId).execute()
}

/** Seats held for requests, by event. */
export async function countSeatsHeldByRequests(db: Db, now: number, eventId?: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('rsvpRequest')
    .select((eb) => ['eventId', eb.fn.sum<string | number>('seats').as('seats')])
    .where('heldUntil', '>', now)
    .$if(eventId !== undefined, (query) => query.where('eventId', '=', eventId ?? ''))
    .groupBy('eventId')
    .execute()
  return new Map(rows.map(({ eventId: id, seats }) => [id, Number(seats)]))
}

/** Events with expired holds that were not released yet. */
export async function listEventsWithExpiredHolds(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('rsvpRequest')
    .select('eventId')
    .distinct()
    .where('heldUntil', '<=', now)
    .where('seats', '>', 0)
    .execute()
  return rows.map((row) => row.eventId)
}

/** Releases expired holds. The requests remain, so the links in their emails still work while there are seats. Call with the RSVP settings locked. */
export async function releaseExpiredHolds(tx: Tx, eventId: string, now: number): Promise<void> {
  await tx
    .updateTable('rsvpRequest')
    .set({ seats: 0 })
    .where('eventId', '=', eventId)
    .where('heldUntil', '<=', now)
    .execute()
}

export async function deleteOldRequests(db: Db, before: number): Promise<void> {
  await db.deleteFrom('rsvpRequest').where('askedAt', '<', before).execute()
}
