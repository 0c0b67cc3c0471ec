import { IMPORT_RETENTION_DAYS } from '#contract/console/import.ts'
import { UNCONFIRMED_IMPORT_DAYS } from '#contract/console/website/content-import.ts'
import { NOTE_RESTORE_HOURS } from '#contract/console/people/member-notes.ts'
import { MERGE_UNDO_DAYS } from '#contract/console/merge.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { deleteFinishedEffects } from '#server/jobs/outbox-records.repository.ts'
import { deleteEndedWindows } from '#server/limits/rate-limit.repository.ts'
import { deleteOldMergeChanges } from '#server/features/accounts/account-merge.commands.ts'
import { deleteExpiredReservations } from '#server/features/accounts/account.commands.ts'
import { deleteOldApprovals } from '#server/features/officers/approvals/approval.repository.ts'
import { deleteOldEmailChanges } from '#server/features/my-account/email-change/email-change.commands.ts'
import { DELETED_LOGIN_DAYS } from '#server/features/auth/sessions/deleted-login.queries.ts'
import { deleteOldDeletedLogins } from '#server/features/auth/sessions/deleted-login.commands.ts'
import { deleteExpiredTokens } from '#server/features/auth/one-time-token.commands.ts'
import { deleteExpiredRegistrations } from '#server/features/auth/registration/registration.repository.ts'
import { deleteOldKnownBrowsers, deleteOldSessions } from '#server/features/auth/sessions/session.repository.ts'
import { deleteOldMessages } from '#server/features/contact/contact-message.repository.ts'
import { deleteExpiredChallenges } from '#server/features/officers/factors/passkey.repository.ts'
import { deleteOldVerifications } from '#server/features/officers/factors/second-factor.repository.ts'
import { deleteOldDirectoryMessages } from '#server/features/directory/directory-message.repository.ts'
import { deleteOldDeclines } from '#server/features/rsvps/of-member/declined-event.repository.ts'
import { deleteOldRequests } from '#server/features/rsvps/requests/rsvp-request.repository.ts'
import { deleteOldGuestMessages } from '#server/features/rsvps/console/guest-message.repository.ts'
import { deleteOldRsvps } from '#server/features/rsvps/rsvp.repository.ts'
import { checkouts } from '#server/features/memberships/checkout/checkout.commands.ts'
import { deleteOldBulkRuns } from '#server/features/member-admin/bulk/bulk-run.repository.ts'
import { eraseDeletedNotes } from '#server/features/member-admin/notes/note.repository.ts'
import { deleteOldSubscriptionImports } from '#server/features/treasury/subscriptions/subscription-import.repository.ts'
import { deleteOldPaymentImports } from '#server/features/treasury/import/payment-import.repository.ts'
import { deleteOldSubscriberImports } from '#server/features/newsletter/import/subscriber-import.repository.ts'
import { deleteUnconfirmedImports } from '#server/features/content-import/content-import.repository.ts'
import { deleteOldImportFiles } from '#server/features/member-admin/import/import-file.repository.ts'
import { deleteOldBatches } from '#server/features/treasury/recording/record-payments.repository.ts'
import { deleteUnusedCredits } from '#server/features/memberships/payments/payment-credit.repository.ts'
import { rsvpOrders } from '#server/features/rsvps/orders/rsvp-order.commands.ts'
import { deleteUnconfirmedSubscribers } from '#server/features/newsletter/subscribers/subscriber.repository.ts'
import { sponsorships } from '#server/features/sponsors/orders/sponsorship.commands.ts'
import { deleteOldStripeEvents } from '#server/features/orders/stripe-event.repository.ts'

const DAY_MS = 86_400_000

/** Deletes data after its retention period, as the privacy policy states. */
export function createHousekeepingJob(db: Db, clock: Clock): Job {
  return {
    name: 'housekeeping',
    everyMs: 6 * 3_600_000,
    async run() {
      const now = clock.now()
      await deleteEndedWindows(db, now)
      await deleteExpiredRegistrations(db, now - 7 * DAY_MS)
      await deleteExpiredReservations(db, now - 7 * DAY_MS)
      await deleteExpiredTokens(db, now - 7 * DAY_MS)
      await deleteOldEmailChanges(db, now - 7 * DAY_MS)
      await deleteOldApprovals(db, now - 365 * DAY_MS)
      await deleteOldSessions(db, now - 30 * DAY_MS)
      await deleteOldDeletedLogins(db, now - DELETED_LOGIN_DAYS * DAY_MS)
      await deleteOldVerifications(db, now - 30 * DAY_MS)
      await deleteExpiredChallenges(db, now)
      await deleteOldKnownBrowsers(db, now - 365 * DAY_MS)
      await deleteOldMessages(db, { answeredBefore: now - 365 * DAY_MS, spamBefore: now - 30 * DAY_MS })
      await deleteOldDirectoryMessages(db, now - limits.directory.messageDays * DAY_MS)
      await deleteOldRsvps(db, now - 730 * DAY_MS)
      await deleteOldGuestMessages(db, now - 730 * DAY_MS)
      await deleteOldRequests(db, now - 7 * DAY_MS)
      await deleteOldDeclines(db, now - 730 * DAY_MS)
      await deleteOldImportFiles(db, now - IMPORT_RETENTION_DAYS * DAY_MS)
      await deleteOldPaymentImports(db, now - IMPORT_RETENTION_DAYS * DAY_MS)
      await deleteOldSubscriptionImports(db, now - IMPORT_RETENTION_DAYS * DAY_MS)
      await deleteOldSubscriberImports(db, now - IMPORT_RETENTION_DAYS * DAY_MS)
      await deleteUnconfirmedImports(db, now - UNCONFIRMED_IMPORT_DAYS * DAY_MS)
      await eraseDeletedNotes(db, {
        deletedBefore: now - NOTE_RESTORE_HOURS * 3_600_000,
        emptyBefore: now - (MERGE_UNDO_DAYS + 1) * DAY_MS,
      })
      await deleteOldBulkRuns(db, now - 30 * DAY_MS)
      await deleteOldMergeChanges(db, now - MERGE_UNDO_DAYS * DAY_MS)
      await deleteUnconfirmedSubscribers(db, now - 30 * DAY_MS)
      await checkouts.deleteUnpaid(db, now - 90 * DAY_MS)
      await sponsorships.deleteUnpaid(db, now - 90 * DAY_MS)
      await rsvpOrders.deleteUnpaid(db, now - 90 * DAY_MS)
      await deleteUnusedCredits(db, now - 90 * DAY_MS)
      await deleteOldBatches(db, now - 90 * DAY_MS)
      await deleteFinishedEffects(db, now - 30 * DAY_MS)
      await deleteOldStripeEvents(db, now - 90 * DAY_MS)
    },
  }
}
