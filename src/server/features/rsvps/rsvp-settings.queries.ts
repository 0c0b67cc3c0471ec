import type { Db } from '#server/db/database.ts'
import type { RsvpSettingsTable } from '#server/db/schema/events-schema.ts'

/** The RSVP settings of an event. */
export interface RsvpSettings {
  eventId: string
  isOpen: boolean
  capacity: number | null
  guestsMax: number
  meals: string[]
  closesOn: string | null
  text: string | null
  creditHours: number | null
  /** Cents per person; null if the event is free. */
  price: number | null
  /** Cents for a member's own seat; null if members pay the same. */
  memberPrice: number | null
  /** `YYYY-MM-DD`; null if payments are never refunded. */
  refundUntil: string | null
  version: number
  closedAt: number | null
  /** When and why the event was canceled; null if it takes place. */
  calledOff: { at: number; text: string } | null
}

export async function listRsvpSettings(db: Db): Promise<RsvpSettings[]> {
  const rows = await db.selectFrom('rsvpSettings').selectAll().orderBy('eventId').execute()
  return rows.map(toSettings)
}

export function toSettings(row: RsvpSettingsTable): RsvpSettings {
  return {
    eventId: row.eventId,
    isOpen: row.isOpen === 1,
    capacity: row.capacity,
    guestsMax: row.guestsMax,
    meals: JSON.parse(row.meals) as string[],
    closesOn: row.closesOn,
    text: row.text,
    creditHours: row.creditHundredths === null ? null : row.creditHundredths / 100,
    price: row.price,
    memberPrice: row.memberPrice,
    refundUntil: row.refundUntil,
    version: row.version,
    closedAt: row.closedAt,
    calledOff: row.canceledAt === null ? null : { at: row.canceledAt, text: row.cancellationNote ?? '' },
  }
}
