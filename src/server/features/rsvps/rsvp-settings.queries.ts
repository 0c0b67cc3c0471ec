import { type ReadFlags, type ReadJson, readFlags, readJson } from '#server/db/schema/column-values.ts'
import type { Db } from '#server/db/database.ts'
import type { RsvpSettingsTable } from '#server/db/schema/events-schema.ts'

/** The RSVP settings of an event. */
export type RsvpSettings = Omit<
  ReadFlags<ReadJson<RsvpSettingsTable, 'meals' | 'kinds'>, 'isOpen'>,
  'creditHundredths' | 'seatsAllowed' | 'turn' | 'canceledAt' | 'cancellationNote' | 'updatedAt'
> & {
  creditHours: number | null
  /** When and why the event was canceled; null if it takes place. */
  calledOff: { at: number; text: string } | null
}

export async function listRsvpSettings(db: Db): Promise<RsvpSettings[]> {
  const rows = await db.selectFrom('rsvpSettings').selectAll().orderBy('eventId').execute()
  return rows.map(readSettings)
}

export function readSettings({ canceledAt, cancellationNote, ...row }: RsvpSettingsTable): RsvpSettings {
  return {
    ...readFlags(readJson(row, 'meals', 'kinds'), 'isOpen'),
    creditHours: row.creditHundredths === null ? null : row.creditHundredths / 100,
    calledOff: canceledAt === null ? null : { at: canceledAt, text: cancellationNote ?? '' },
  }
}
