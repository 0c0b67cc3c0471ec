import type { Db, Tx } from '#server/db/database.ts'
import type { RsvpTable } from '#server/db/events-schema.ts'
import { nameKey } from '../account/account.repository.ts'
import { mailboxKey } from './mailbox.rules.ts'
import { countHeld } from './rsvp-order.repository.ts'
import { countRequested } from './rsvp-request.repository.ts'

export interface Rsvp {
  id: string
  eventId: string
  name: string
  email: string | null
  guests: number
  meals: string[]
  place: RsvpTable['place']
  askedAt: number
  isWalkIn: boolean
  /** Persons who are in. */
  arrived: number
  arrivedAt: number | null
  arrivedMark: string | null
  remindedAt: number | null
  certificateAt: number | null
  /** Cents agreed with this party, for the person and for each guest. */
  ownPrice: number
  guestPrice: number
  /** While it is to be paid for; null otherwise. */
  payBy: number | null
}

export type Party = Pick<Rsvp, 'name' | 'guests' | 'meals'>
export type AgreedPrices = Pick<Rsvp, 'ownPrice' | 'guestPrice'>

export async function findRsvp(db: Db, id: string): Promise<Rsvp | null> {
  const row = await db.selectFrom('rsvp').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRsvp(row) : null
}

export async function findRsvpByEmail(db: Db, eventId: string, email: string): Promise<Rsvp | null> {
  const row = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('email_key', '=', nameKey(email))
    .executeTakeFirst()
  return row ? toRsvp(row) : null
}

/** Ids of the events for which an address has an RSVP that was not canceled. */
export async function listEventsOf(db: Db, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rsvp')
    .select('event_id')
    .where('email_key', '=', nameKey(email))
    .where('place', '!=', 'cancelled')
    .orderBy('event_id')
    .execute()
  return rows.map((row) => row.event_id)
}

/** By name, as the door reads them. */
export async function listRsvps(db: Db, eventId: string): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('event_id', '=', eventId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toRsvp)
}

/** In the order of asking. */
export async function listWaiting(db: Db, eventId: string): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('event_id', '=', eventId)
    .where('place', '=', 'waiting')
    .orderBy('asked_at')
    .orderBy('id')
    .execute()
  return rows.map(toRsvp)
}

export interface RsvpCounts {
  coming: number
  waiting: number
  /** Whose seats are kept while they pay. */
  paying: number
  /** Whose seats are held until their email address is confirmed. */
  held: number
  arrived: number
}

export const NOBODY: Readonly<RsvpCounts> = { coming: 0, waiting: 0, paying: 0, held: 0, arrived: 0 }

/** Persons, guests included, of every event that has any. */
export async function countRsvps(db: Db, now: number, eventId?: string): Promise<Map<string, RsvpCounts>> {
  const rows = await db
    .selectFrom('rsvp')
    .select((eb) => [
      'event_id',
      'place',
      eb.fn.sum<string | number>(eb('guests', '+', 1)).as('persons'),
      eb.fn.sum<string | number>('arrived').as('arrived'),
    ])
    .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId ?? ''))
    .groupBy(['event_id', 'place'])
    .execute()
  const counts = new Map<string, RsvpCounts>()
  for (const { event_id: id, place, persons, arrived } of rows) {
    const known = counts.get(id) ?? { ...NOBODY }
    if (place !== 'cancelled') known[place] += Number(persons)
    known.arrived += Number(arrived)
    counts.set(id, known)
  }
  for (const [id, seats] of await countHeld(db, eventId)) {
    const known = counts.get(id) ?? { ...NOBODY }
    counts.set(id, { ...known, paying: known.paying + seats })
  }
  for (const [id, held] of await countRequested(db, now, eventId)) {
    counts.set(id, { ...(counts.get(id) ?? NOBODY), held })
  }
  return counts
}

/** Seats that are not free: of whoever comes, is paying, or has yet to confirm. */
export async function countTaken(db: Db, eventId: string, now: number): Promise<number> {
  return takenOf((await countRsvps(db, now, eventId)).get(eventId) ?? NOBODY)
}

export function takenOf({ coming, paying, held }: Pick<RsvpCounts, 'coming' | 'paying' | 'held'>): number {
  return coming + paying + held
}

/** Seats that a mailbox has or is paying for at an event. */
export async function countSeatsOfMailbox(db: Db, eventId: string, email: string): Promise<number> {
  const rows = await db
    .selectFrom('rsvp')
    .select(['email', 'guests'])
    .where('event_id', '=', eventId)
    .where('place', 'in', ['coming', 'paying'])
    .where('email', 'is not', null)
    .execute()
  const own = rows.filter((row) => row.email !== null && mailboxKey(row.email) === mailboxKey(email))
  return own.reduce((sum, { guests }) => sum + 1 + guests, 0)
}

/** Somebody new; a walk-in sent twice is there once. False when it was there. */
export async function insertRsvp(
  db: Db,
  rsvp: Party & AgreedPrices & Pick<Rsvp, 'id' | 'eventId' | 'email' | 'place' | 'isWalkIn'>,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rsvp')
    .values({
      id: rsvp.id,
      event_id: rsvp.eventId,
      name: rsvp.name,
      email: rsvp.email,
      email_key: rsvp.email === null ? null : nameKey(rsvp.email),
      guests: rsvp.guests,
      meals: JSON.stringify(rsvp.meals),
      place: rsvp.place,
      asked_at: now,
      changed_at: now,
      is_walk_in: rsvp.isWalkIn ? 1 : 0,
      arrived: 0,
      arrived_at: null,
      arrived_mark: null,
      reminded_at: null,
      certificate_at: null,
      own_price: rsvp.ownPrice,
      guest_price: rsvp.guestPrice,
      pay_by: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function changeParty(tx: Tx, id: string, { name, guests, meals }: Party, now: number): Promise<void> {
  await tx
    .updateTable('rsvp')
    .set({ name, guests, meals: JSON.stringify(meals), changed_at: now })
    .where('id', '=', id)
    .execute()
}

export async function agreePrices(tx: Tx, id: string, { ownPrice, guestPrice }: AgreedPrices): Promise<void> {
  await tx.updateTable('rsvp').set({ own_price: ownPrice, guest_price: guestPrice }).where('id', '=', id).execute()
}

/** @param askedAt a place at the end of the line; left out, the old one stays @param payBy for `paying` alone */
export async function movePlace(
  tx: Tx,
  id: string,
  { place, now, askedAt, payBy }: { place: Rsvp['place']; now: number; askedAt?: number; payBy?: number },
): Promise<void> {
  await tx
    .updateTable('rsvp')
    .set({
      place,
      pay_by: payBy ?? null,
      changed_at: now,
      ...(askedAt !== undefined && { asked_at: askedAt, reminded_at: null }),
    })
    .where('id', '=', id)
    .execute()
}

/** Everybody who comes, pays or waits loses the place. Answers who they were. */
export async function cancelAll(tx: Tx, eventId: string, now: number): Promise<Pick<Rsvp, 'id' | 'email'>[]> {
  return tx
    .updateTable('rsvp')
    .set({ place: 'cancelled', pay_by: null, changed_at: now })
    .where('event_id', '=', eventId)
    .where('place', '!=', 'cancelled')
    .returning(['id', 'email'])
    .execute()
}

/** Parties that came off the waitlist and did not pay in time. */
export async function listLapsed(db: Db, now: number): Promise<Rsvp[]> {
  const rows = await db
    .selectFrom('rsvp')
    .selectAll()
    .where('place', '=', 'paying')
    .where('pay_by', '<=', now)
    .orderBy('pay_by')
    .execute()
  return rows.map(toRsvp)
}

/** False when it was marked before. */
export async function markReminded(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rsvp')
    .set({ reminded_at: now })
    .where('id', '=', id)
    .where('reminded_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Who was checked in, has an address and no certificate yet; marks them. Answers their ids. */
export async function takeForCertificates(tx: Tx, eventId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('rsvp')
    .set({ certificate_at: now })
    .where('event_id', '=', eventId)
    .where('arrived', '>', 0)
    .where('email', 'is not', null)
    .where('certificate_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Two years after it was said (a licence's term): the privacy policy keeps no lists of who met whom. */
export async function forgetOldRsvps(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('check_in')
    .where('rsvp_id', 'in', (eb) => eb.selectFrom('rsvp').select('id').where('asked_at', '<', before))
    .execute()
  await db.deleteFrom('rsvp').where('asked_at', '<', before).execute()
}

function toRsvp(row: RsvpTable): Rsvp {
  return {
    id: row.id,
    eventId: row.event_id,
    name: row.name,
    email: row.email,
    guests: row.guests,
    meals: JSON.parse(row.meals) as string[],
    place: row.place,
    askedAt: row.asked_at,
    isWalkIn: row.is_walk_in === 1,
    arrived: row.arrived,
    arrivedAt: row.arrived_at,
    arrivedMark: row.arrived_mark,
    remindedAt: row.reminded_at,
    certificateAt: row.certificate_at,
    ownPrice: row.own_price,
    guestPrice: row.guest_price,
    payBy: row.pay_by,
  }
}
