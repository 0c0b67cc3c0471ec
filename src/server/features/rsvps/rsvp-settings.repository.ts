import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { type RsvpSettings, toSettings } from './rsvp-settings.queries.ts'

export async function findRsvpSettings(db: Db, eventId: string): Promise<RsvpSettings | null> {
  const row = await db.selectFrom('rsvp_settings').selectAll().where('event_id', '=', eventId).executeTakeFirst()
  return row ? toSettings(row) : null
}

/**
 * Locks the RSVP settings until the transaction ends and returns them, or null if there are none. The lock serializes seat allocation for the event.
 */
export async function lockRsvpSettings(tx: Tx, eventId: string): Promise<RsvpSettings | null> {
  const row = await tx
    .updateTable('rsvp_settings')
    .set((eb) => ({ turn: eb('turn', '+', 1) }))
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirst()
  return row ? toSettings(row) : null
}

/**
 * Returns false if another version was saved in the meantime; version 0 means never saved. Reopening RSVPs makes a canceled event take place again.
 * @param taken allocated seats, which a lower capacity does not revoke
 */
export async function storeRsvpSettings(
  db: Db,
  settings: Omit<RsvpSettings, 'closedAt' | 'calledOff'>,
  { taken, now }: { taken: number; now: number },
): Promise<boolean> {
  const values = {
    is_open: settings.isOpen ? 1 : 0,
    capacity: settings.capacity,
    guests_max: settings.guestsMax,
    meals: JSON.stringify(settings.meals),
    closes_on: settings.closesOn,
    text: settings.text,
    credit_hundredths: settings.creditHours === null ? null : Math.round(settings.creditHours * 100),
    price: settings.price,
    member_price: settings.memberPrice,
    refund_until: settings.refundUntil,
    seats_allowed: settings.capacity === null ? null : Math.max(settings.capacity, taken),
    updated_at: now,
    ...(settings.isOpen && { canceled_at: null, cancellation_note: null }),
  }
  if (settings.version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('rsvp_settings')
      .values({ event_id: settings.eventId, ...values, version: 1, turn: 0, closed_at: null })
      .onConflict((conflict) => conflict.column('event_id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('rsvp_settings')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('event_id', '=', settings.eventId)
    .where('version', '=', settings.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markEventClosed(db: Db, eventId: string, now: number): Promise<void> {
  await db
    .updateTable('rsvp_settings')
    .set({ closed_at: now, is_open: 0, version: sql<number>`version + 1` })
    .where('event_id', '=', eventId)
    .execute()
}

export async function markEventCanceled(
  db: Db,
  eventId: string,
  { note: message, now }: { note: string; now: number },
): Promise<void> {
  await db
    .updateTable('rsvp_settings')
    .set({ canceled_at: now, cancellation_note: message, is_open: 0, version: sql<number>`version + 1` })
    .where('event_id', '=', eventId)
    .execute()
}
