import { eachByItself } from '#server/platform/each-by-itself.ts'
import type { Kysely } from 'kysely'
import type { EventDetails } from '#contract/events.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import { spanOf } from './event-times.rules.ts'
import { listOffers } from './offer.repository.ts'
import { listRsvps, markReminded } from './rsvp.repository.ts'
import { isReminderDue } from './rsvp.rules.ts'
import { tellGuest } from './waitlist.ts'

/** Reminds whoever comes, two days before, once. */
export function rsvpReminders({
  db,
  clock,
  timeZone,
  events,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  events(): ReadonlyMap<string, EventDetails>
  wakeOutbox(): void
}): Job {
  return {
    name: 'rsvp-reminders',
    everyMs: 15 * 60_000,
    async run() {
      await eachByItself(
        await listOffers(db),
        ({ eventId }) => `event ${eventId}`,
        async ({ eventId }) => {
          const event = events().get(eventId)
          const startsAt = event ? spanOf(event, timeZone).startsAt : null
          const now = clock.now()
          if (startsAt === null || now >= startsAt) return
          const due = (await listRsvps(db, eventId)).filter(
            (rsvp) => rsvp.place === 'coming' && rsvp.email !== null && isReminderDue(rsvp, startsAt, now),
          )
          await eachByItself(
            due,
            ({ id }) => `rsvp ${id}`,
            ({ id }) =>
              db.transaction().execute(async (tx) => {
                if (await markReminded(tx, id, now)) await tellGuest(tx, id, 'reminder', now)
              }),
          )
        },
      )
      wakeOutbox()
    },
  }
}
