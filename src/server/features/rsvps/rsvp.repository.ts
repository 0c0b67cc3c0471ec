import { type ReadFlags, type ReadJson, readFlags, readJson } from '#server/db/schema/column-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpTable } from '#server/db/schema/events-schema.ts'
import { nameKey } from '#server/lib/name-key.rules.ts'
import { mailboxKey } from './mailbox.rules.ts'
import { countSeatsHeldByOrders } from './orders/rsvp-order.repository.ts'
import { countSeatsHeldByRequests } from './requests/rsvp-request.repository.ts'

export type Rsvp = ReadFlags<ReadJson<Omit<RsvpTable, 'emailKey' | 'changedAt'>, 'meals' | 'tickets'>, 'isWalkIn'>

export type Party = Pick<Rsvp, 'name' | 'guests' | 'meals' | 'tickets'>

export type AgreedPrices = Pick<Rsvp, 'ownPrice' | 'guestPrice'>

export async function findRsvp(db: Db, id: string): Promise<Rsvp | null> {
  const row = await db.selectFrom('rsvp').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readRsvp(row) : null
}

export async function findRsvpByEmail(db: Db, eventId: string, email: string): Promise<Rsvp | null> {
  const row = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('emailKey', '=', nameKey(email))
    .executeTakeFirst()
  return row ? readRsvp(row) : null
}

/** Every RSVP of an address, also canceled ones. */
export async function listRsvpsByEmail(db: Db, email: string): Promise<Rsvp[]> {
  const rows = await db.selectFrom('rsvp').selectAll().where('emailKey', '=', nameKey(email)).execute()
  return rows.map(readRsvp)
}

/** By name, for check-in. */
export async function listRsvps(db: Db, eventId: string): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('eventId', '=', eventId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(readRsvp)
}

/** In the order of their RSVPs. */
export async function listWaiting(db: Db, eventId: string): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('status', '=', 'waiting')
    .orderBy('askedAt')
    .orderBy('id')
    .execute()
  return rows.map(readRsvp)
}

export interface RsvpCounts {
  coming: number
  waiting: number
  /** Seats held during payment. */
  paying: number
  /** Seats held until the email address is confirmed. */
  held: number
  arrived: number
}

export const NO_RSVPS: Readonly<RsvpCounts> = { coming: 0, waiting: 0, paying: 0, held: 0, arrived: 0 }

/** Persons including guests, by event; events without any are missing. */
export async function countRsvps(db: Db, now: number, eventId?: string): Promise<Map<string, RsvpCounts>> {
  const rows = await db
    .selectFrom('rsvp')
    .select((eb) => [
      'eventId',
      'status',
      eb.fn.sum<string | number>(eb('guests', '+', 1)).as('persons'),
      eb.fn.sum<string | number>('arrived').as('arrived'),
    ])
    .$if(eventId !== undefined, (query) => query.where('eventId', '=', eventId ?? ''))
    .groupBy(['eventId', 'status'])
    .execute()
  const counts = new Map<string, RsvpCounts>()
  for (const { eventId: id, status, persons, arrived } of rows) {
    const known = counts.get(id) ?? { ...NO_RSVPS }
    if (status !== 'cancelled') known[status] += Number(persons)
    known.arrived += Number(arrived)
    counts.set(id, known)
  }
  for (const [id, seats] of await countSeatsHeldByOrders(db, eventId)) {
    const known = counts.get(id) ?? { ...NO_RSVPS }
    counts.set(id, { ...known, paying: known.paying + seats })
  }
  for (const [id, held] of await countSeatsHeldByRequests(db, now, eventId)) {
    counts.set(id, { ...(counts.get(id) ?? NO_RSVPS), held })
  }
  return counts
}

/** Seats that are not free: confirmed, being paid, or held until confirmation. */
export async function countTakenSeats(db: Db, eventId: string, now: number): Promise<number> {
  return sumTakenSeats((await countRsvps(db, now, eventId)).get(eventId) ?? NO_RSVPS)
}

export function sumTakenSeats({ coming, paying, held }: Pick<RsvpCounts, 'coming' | 'paying' | 'held'>): number {
  return coming + paying + held
}

/** Seats that a mailbox has or is paying for at an event. */
export async function countSeatsOfMailbox(db: Db, eventId: string, email: string): Promise<number> {
  const rows = await db
    .selectFrom('rsvp')
    .select(['email', 'guests'])
    .where('eventId', '=', eventId)
    .where('status', 'in', ['coming', 'paying'])
    .where('email', 'is not', null)
    .execute()
  const own = rows.filter((row) => row.email !== null && mailboxKey(row.email) === mailboxKey(email))
  return own.reduce((sum, { guests }) => sum + 1 + guests, 0)
}

/** Inserts an RSVP. Idempotent for walk-ins, whose ids are made on the device. Returns false if it already exists. */
export async function insertRsvp(
  db: Db,
  rsvp: Party & AgreedPrices & Pick<Rsvp, 'id' | 'eventId' | 'email' | 'status' | 'isWalkIn'>,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rsvp')
    .values({
      id: rsvp.id,
      eventId: rsvp.eventId,
      name: rsvp.name,
      email: rsvp.email,
      emailKey: rsvp.email === null ? null : nameKey(rsvp.email),
      guests: rsvp.guests,
      meals: JSON.stringify(rsvp.meals),
      tickets: JSON.stringify(rsvp.tickets),
      status: rsvp.status,
      askedAt: now,
      changedAt: now,
      isWalkIn: rsvp.isWalkIn ? 1 : 0,
      arrived: 0,
      arrivedAt: null,
      arrivedMark: null,
      remindedAt: null,
      certificateAt: null,
      ownPrice: rsvp.ownPrice,
      guestPrice: rsvp.guestPrice,
      payBy: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function changeParty(
  tx: Tx,
  id: string,
  { name, guests, meals, tickets }: Party,
  now: number,
): Promise<void> {
  await tx
    .updateTable('rsvp')
    .set({ name, guests, meals: JSON.stringify(meals), tickets: JSON.stringify(tickets), changedAt: now })
    .where('id', '=', id)
    .execute()
}

/** Sets only the tickets, for the same persons at other prices. */
export async function setTickets(tx: Tx, id: string, tickets: Rsvp['tickets']): Promise<void> {
  await tx
    .updateTable('rsvp')
    .set({ tickets: JSON.stringify(tickets) })
    .where('id', '=', id)
    .execute()
}

export async function setAgreedPrices(tx: Tx, id: string, { ownPrice, guestPrice }: AgreedPrices): Promise<void> {
  await tx.updateTable('rsvp').set({ ownPrice, guestPrice }).where('id', '=', id).execute()
}

/** @param requestedAt moves it to the end of the waitlist; omit to keep its position @param paymentDeadline only for `paying` */
export async function setRsvpStatus(
  tx: Tx,
  id: string,
  { status, now, askedAt, payBy }: { status: Rsvp['status']; now: number; askedAt?: number; payBy?: number },
): Promise<void> {
  await tx
    .updateTable('rsvp')
    .set({
      status,
      payBy: payBy ?? null,
      changedAt: now,
      ...(askedAt !== undefined && { askedAt, remindedAt: null }),
    })
    .where('id', '=', id)
    .execute()
}

/** Cancels every RSVP of an event. Returns those that changed. */
export async function cancelAllRsvps(tx: Tx, eventId: string, now: number): Promise<Pick<Rsvp, 'id' | 'email'>[]> {
  return tx
    .updateTable('rsvp')
    .set({ status: 'cancelled', payBy: null, changedAt: now })
    .where('eventId', '=', eventId)
    .where('status', '!=', 'cancelled')
    .returning(['id', 'email'])
    .execute()
}

/** Parties promoted from the waitlist that did not pay in time. */
export async function listOverdueRsvps(db: Db, now: number): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('status', '=', 'paying')
    .where('payBy', '<=', now)
    .orderBy('payBy')
    .execute()
  return rows.map(readRsvp)
}

/** Returns false if it was already marked. */
export async function markReminded(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rsvp')
    .set({ remindedAt: now })
    .where('id', '=', id)
    .where('remindedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks guests who were checked in, have an address and have no certificate yet. Returns their ids. */
export async function markForCertificates(tx: Tx, eventId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('rsvp')
    .set({ certificateAt: now })
    .where('eventId', '=', eventId)
    .where('arrived', '>', 0)
    .where('email', 'is not', null)
    .where('certificateAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** RSVPs are deleted two years after they were made (the term of a license): the privacy policy rules out lists of who met whom. */
export async function deleteOldRsvps(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('checkIn')
    .where('rsvpId', 'in', (eb) => eb.selectFrom('rsvp').select('id').where('askedAt', '<', before))
    .execute()
  await db.deleteFrom('rsvp').where('askedAt', '<', before).execute()
}

function readRsvp(row: RsvpTable): Rsvp {
  return readFlags(readJson(row, 'meals', 'tickets'), 'isWalkIn')
}
