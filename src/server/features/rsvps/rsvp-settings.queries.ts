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
  const rows = await db.selectFrom('rsvp_settings').selectAll().orderBy('event_id').execute()
  return rows.map(toSettings)
}

export function toSettings(row: RsvpSettingsTable): RsvpSettings {
  return {
    eventId: row.event_id,
    isOpen: row.is_open === 1,
    capacity: row.capacity,
    guestsMax: row.guests_max,
    meals: JSON.parse(row.meals) as string[],
    closesOn: row.closes_on,
    text: row.text,
    creditHours: row.credit_hundredths === null ? null : row.credit_hundredths / 100,
    price: row.price,
    memberPrice: row.member_price,
    refundUntil: row.refund_until,
    version: row.version,
    closedAt: row.closed_at,
    calledOff: row.canceled_at === null ? null : { at: row.canceled_at, text: row.cancellation_note ?? '' },
  }
}
