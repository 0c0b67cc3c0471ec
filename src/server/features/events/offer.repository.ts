import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { EventOfferTable } from '#server/db/events-schema.ts'

/** What an officer offers to whoever comes to an event. */
export interface EventOffer {
  eventId: string
  isOpen: boolean
  capacity: number | null
  guestsMax: number
  meals: string[]
  closesOn: string | null
  words: string | null
  creditHours: number | null
  /** Cents a person; null: nobody pays. */
  price: number | null
  /** Cents for a member's own seat; null: the same. */
  memberPrice: number | null
  /** `YYYY-MM-DD`; null: money never goes back. */
  refundUntil: string | null
  version: number
  closedAt: number | null
  /** It does not take place: since when everybody knows, and what they were told. */
  calledOff: { at: number; words: string } | null
}

export async function findOffer(db: Db, eventId: string): Promise<EventOffer | null> {
  const row = await db.selectFrom('event_offer').selectAll().where('event_id', '=', eventId).executeTakeFirst()
  return row ? toOffer(row) : null
}

export async function listOffers(db: Db): Promise<EventOffer[]> {
  const rows = await db.selectFrom('event_offer').selectAll().orderBy('event_id').execute()
  return rows.map(toOffer)
}

/**
 * The offer, held until the transaction ends: whoever gives out seats of this event waits here, so the last one is given once.
 * Null when there is none.
 */
export async function holdOffer(tx: Tx, eventId: string): Promise<EventOffer | null> {
  const row = await tx
    .updateTable('event_offer')
    .set((eb) => ({ turn: eb('turn', '+', 1) }))
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirst()
  return row ? toOffer(row) : null
}

/**
 * False when somebody saved another version meanwhile; version 0 is one that was never saved. Opened again, an event is called off no longer.
 * @param taken seats that are not free: nobody loses one
 */
export async function saveOffer(
  db: Db,
  offer: Omit<EventOffer, 'closedAt' | 'calledOff'>,
  { taken, now }: { taken: number; now: number },
): Promise<boolean> {
  const values = {
    is_open: offer.isOpen ? 1 : 0,
    capacity: offer.capacity,
    guests_max: offer.guestsMax,
    meals: JSON.stringify(offer.meals),
    closes_on: offer.closesOn,
    words: offer.words,
    credit_hundredths: offer.creditHours === null ? null : Math.round(offer.creditHours * 100),
    price: offer.price,
    member_price: offer.memberPrice,
    refund_until: offer.refundUntil,
    seats_allowed: offer.capacity === null ? null : Math.max(offer.capacity, taken),
    updated_at: now,
    ...(offer.isOpen && { called_off_at: null, called_off_words: null }),
  }
  if (offer.version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('event_offer')
      .values({ event_id: offer.eventId, ...values, version: 1, turn: 0, closed_at: null })
      .onConflict((conflict) => conflict.column('event_id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('event_offer')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('event_id', '=', offer.eventId)
    .where('version', '=', offer.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markClosed(db: Db, eventId: string, now: number): Promise<void> {
  await db
    .updateTable('event_offer')
    .set({ closed_at: now, is_open: 0, version: sql<number>`version + 1` })
    .where('event_id', '=', eventId)
    .execute()
}

export async function markCalledOff(
  db: Db,
  eventId: string,
  { words, now }: { words: string; now: number },
): Promise<void> {
  await db
    .updateTable('event_offer')
    .set({ called_off_at: now, called_off_words: words, is_open: 0, version: sql<number>`version + 1` })
    .where('event_id', '=', eventId)
    .execute()
}

function toOffer(row: EventOfferTable): EventOffer {
  return {
    eventId: row.event_id,
    isOpen: row.is_open === 1,
    capacity: row.capacity,
    guestsMax: row.guests_max,
    meals: JSON.parse(row.meals) as string[],
    closesOn: row.closes_on,
    words: row.words,
    creditHours: row.credit_hundredths === null ? null : row.credit_hundredths / 100,
    price: row.price,
    memberPrice: row.member_price,
    refundUntil: row.refund_until,
    version: row.version,
    closedAt: row.closed_at,
    calledOff: row.called_off_at === null ? null : { at: row.called_off_at, words: row.called_off_words ?? '' },
  }
}
