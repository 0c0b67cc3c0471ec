import { addDays } from '#contract/dates/days.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { insertRsvp } from './rsvp.repository.ts'
import { storeRsvpSettings } from './rsvp-settings.repository.ts'
import type { SampleFiles } from '#server/features/seed/samples.schema.ts'

const DAY_MS = 86_400_000

/** Opens RSVPs of sample events, and adds guests to those that are free. */
export async function seedRsvps(tx: Tx, { names, events }: SampleFiles['rsvps'], now: number): Promise<void> {
  const days = new Map(
    (await listRecords(tx, eventKind)).map(({ id, value }) => [id, parseEventDate(value.date)?.startsOn]),
  )
  let next = 0
  for (const { event: eventId, closesDaysBefore, refundDaysBefore, coming, waiting, ...settings } of events) {
    const startsOn = days.get(eventId)
    if (startsOn === undefined) throw new Error(`The sample RSVPs are for ${eventId}, which is not a sample event`)
    const rsvps = Array.from({ length: coming + waiting }, (_, at) => ({
      name: names[next++ % names.length] ?? '',
      guests: at % 3 === 1 && at < coming ? Math.min(1, settings.guestsMax) : 0,
      status: at < coming ? ('coming' as const) : ('waiting' as const),
    }))
    await storeRsvpSettings(
      tx,
      {
        ...settings,
        kinds: [],
        eventId,
        isOpen: true,
        version: 0,
        closesOn: addDays(startsOn, -closesDaysBefore),
        refundUntil: refundDaysBefore === null ? null : addDays(startsOn, -refundDaysBefore),
      },
      { taken: 0, now },
    )
    for (const [at, { name, guests, status }] of rsvps.entries()) {
      const askedAt = now - (rsvps.length - at) * (DAY_MS / 4)
      const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${eventId}@example.com`
      const rsvp = { id: newId(askedAt), eventId, name: `Dr. ${name}`, email, guests, meals: [], tickets: [], status }
      await insertRsvp(tx, { ...rsvp, isWalkIn: false, ownPrice: 0, guestPrice: 0 }, askedAt)
    }
  }
}
