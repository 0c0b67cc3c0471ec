import type { Job } from '#server/jobs/job-runner.ts'
import type { HandlersOf } from '#server/jobs/define-effect.ts'
import type { EFFECTS } from './effects.ts'
import type { Services } from './services.ts'

/** What the outbox does for each kind of effect. */
export function effectHandlers(services: Services): HandlersOf<(typeof EFFECTS)[number]> {
  return {
    ...services.requestedEmails,
    ...services.emailChanges.effects,
    ...services.deletions.effects,
    ...services.providerEffects,
    ...services.memberImportRun.effects,
    ...services.bulkRun.effects,
    ...services.memberImportUndo.effects,
    ...services.contentImportRun.effects,
    ...services.contentImportUndo.effects,
    ...services.priceMoves.effects,
    ...services.coupons.effects,
    ...services.newsletter.effects,
    ...services.webhooks.effects,
    ...services.orders.refunds.effects,
    ...services.treasury.statements.effects,
    ...services.treasury.subscriptionImportRun.effects,
    ...services.guestMessages.effects,
    ...services.rollCalls.effects,
  }
}

/** The recurring jobs of the services. */
export function jobsOf(services: Services): Job[] {
  return [
    services.reconciler,
    services.reminderJob,
    services.priceMoves.job,
    services.content.job,
    services.rollOver.job,
    services.views.job,
    services.approvals.job,
    services.credentials.job,
    services.rsvpReminders,
    services.rsvpPayments.job,
    services.sending.job,
    services.memberSending.job,
  ]
}
