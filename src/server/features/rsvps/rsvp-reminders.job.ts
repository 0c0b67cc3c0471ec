import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { eventSpan } from '#server/features/content-store/event-times.rules.ts'
import { listRsvpSettings } from './rsvp-settings.queries.ts'
import { listRsvps, markReminded } from './rsvp.repository.ts'
import { isReminderDue } from './rsvp.rules.ts'
import { queueRsvpEmail } from './orders/waitlist.service.ts'

/** Reminds guests once, two days before the event. */
export function createRsvpReminderJob({ db, clock, timeZone, wakeOutbox, cache }: AppContext): Job {
  return {
    name: 'rsvp-reminders',
    everyMs: 15 * 60_000,
    async run() {
      await forEachCollectingErrors(
        await listRsvpSettings(db),
        ({ eventId }) => `event ${eventId}`,
        async ({ eventId }) => {
          const event = cache.content().events.get(eventId)
          const startsAt = event ? eventSpan(event, timeZone).startsAt : null
          const now = clock.now()
          if (startsAt === null || now >= startsAt) return
          const due = (await listRsvps(db, eventId)).filter(
            (rsvp) => rsvp.status === 'coming' && rsvp.email !== null && isReminderDue(rsvp, startsAt, now),
          )
          await forEachCollectingErrors(
            due,
            ({ id }) => `rsvp ${id}`,
            ({ id }) =>
              db.transaction().execute(async (tx) => {
                if (await markReminded(tx, id, now)) await queueRsvpEmail(tx, id, 'reminder', now)
              }),
          )
        },
      )
      wakeOutbox()
    },
  }
}
