import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import { type RsvpSettings, readSettings } from './rsvp-settings.queries.ts'

export async function findRsvpSettings(db: Db, eventId: string): Promise<RsvpSettings | null> {
  const row = await db.selectFrom('rsvpSettings').selectAll().where('eventId', '=', eventId).executeTakeFirst()
  return row ? readSettings(row) : null
}

/**
 * Locks the RSVP settings until the transaction ends and returns them, or null if there are none. The lock serializes seat allocation for the event.
 */
export async function lockRsvpSettings(tx: Tx, eventId: string): Promise<RsvpSettings | null> {
  const row = await tx
    .updateTable('rsvpSettings')
    .set((eb) => ({ turn: eb('turn', '+', 1) }))
    .where('eventId', '=', eventId)
    .returningAll()
    .executeTakeFirst()
  return row ? readSettings(row) : null
}

/**
 * Returns false if another version was saved in the meantime; version 0 means never saved. Reopening RSVPs makes a canceled event take place again.
 * @param taken allocated seats, which a lower capacity does not revoke
 */
export async function storeRsvpSettings(
  db: Db,
  settings: Omit<RsvpSettings, 'closedAt' | 'calledOff' | 'confirmationNote' | 'reminderNote'>,
  { taken, now }: { taken: number; now: number },
): Promise<boolean> {
  const values = {
    isOpen: settings.isOpen ? 1 : 0,
    capacity: settings.capacity,
    guestsMax: settings.guestsMax,
    meals: JSON.stringify(settings.meals),
    closesOn: settings.closesOn,
    text: settings.text,
    creditHundredths: settings.creditHours === null ? null : Math.round(settings.creditHours * 100),
    price: settings.price,
    memberPrice: settings.memberPrice,
    kinds: JSON.stringify(settings.kinds),
    refundUntil: settings.refundUntil,
    seatsAllowed: settings.capacity === null ? null : Math.max(settings.capacity, taken),
    updatedAt: now,
    ...(settings.isOpen && { canceledAt: null, cancellationNote: null }),
  }
  if (settings.version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('rsvpSettings')
      .values({
        eventId: settings.eventId,
        ...values,
        version: 1,
        turn: 0,
        closedAt: null,
        confirmationNote: null,
        reminderNote: null,
      })
      .onConflict((conflict) => conflict.column('eventId').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('rsvpSettings')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('eventId', '=', settings.eventId)
    .where('version', '=', settings.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What the confirmation and the reminder also say; null: nothing. Returns false on a version conflict. */
export async function storeEventNotes(
  db: Db,
  eventId: string,
  { version, ...notes }: Pick<RsvpSettings, 'confirmationNote' | 'reminderNote' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rsvpSettings')
    .set({ ...notes, version: sql<number>`version + 1` })
    .where('eventId', '=', eventId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markEventClosed(db: Db, eventId: string, now: number): Promise<void> {
  await db
    .updateTable('rsvpSettings')
    .set({ closedAt: now, isOpen: 0, version: sql<number>`version + 1` })
    .where('eventId', '=', eventId)
    .execute()
}

export async function markEventCanceled(
  db: Db,
  eventId: string,
  { note: message, now }: { note: string; now: number },
): Promise<void> {
  await db
    .updateTable('rsvpSettings')
    .set({ canceledAt: now, cancellationNote: message, isOpen: 0, version: sql<number>`version + 1` })
    .where('eventId', '=', eventId)
    .execute()
}
