import type { AppContext } from '#server/app-context.ts'
import { forEachCollectingErrors } from '#server/jobs/for-each-collecting-errors.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { findCurrentMembership, type Membership } from '../membership.queries.ts'
import { hasLiveSubscription } from '../membership.rules.ts'
import type { SubscriptionService } from '../subscription.service.ts'
import { isEndKind } from './reminder.rules.ts'
import type { ReminderService } from './reminder.service.ts'

const EVERY_MS = 15 * 60_000

/** Checks every membership that is near its end or has a failed renewal. */
export function createReminderJob(
  { db, clock, log, wakeOutbox }: AppContext,
  { reminders, subscriptions }: { reminders: ReminderService; subscriptions: SubscriptionService },
): Job {
  /** Reads the reminder again after a sync with the provider: our records may be outdated, such as after a restore. */
  async function dueAtProvider({ id, accountId, stripeSubscriptionId }: Membership) {
    await subscriptions.sync(stripeSubscriptionId ?? '')
    const membership = await findCurrentMembership(db, accountId)
    const reminder = membership?.id === id ? await reminders.dueNow(db, membership) : null
    return membership && reminder && { membership, reminder }
  }

  return {
    name: 'membership-reminders',
    everyMs: EVERY_MS,
    async run() {
      let isUnavailable = false
      const nameOf = ({ membership }: { membership: Membership }) => `membership ${membership.id}`
      await forEachCollectingErrors(reminders.unsent(clock.now()), nameOf, async (found) => {
        let due: typeof found | null = found
        if (isEndKind(found.reminder.kind) && hasLiveSubscription(found.membership)) {
          // Email about an end only after the provider confirms it; while it is unavailable, the next run retries.
          if (isUnavailable) return
          try {
            due = await dueAtProvider(found.membership)
          } catch (error) {
            if (!(error instanceof PaymentProviderError)) throw error
            isUnavailable = error.outcome !== 'refused'
            log.warn({ membership: found.membership.id, reason: error.message }, 'end of membership not confirmed yet')
            return
          }
        }
        if (!due) return
        const { membership, reminder } = due
        await db.transaction().execute((tx) => reminders.queue(tx, membership, reminder))
      })
      wakeOutbox()
    },
  }
}
