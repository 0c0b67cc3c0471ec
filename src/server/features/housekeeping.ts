import { IMPORT_KEPT_DAYS } from '#contract/console-import.ts'
import { MERGE_UNDO_DAYS } from '#contract/console-merge.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import { forgetDoneEffects } from '../platform/outbox.repository.ts'
import { forgetEndedWindows } from '../platform/rate-limit.repository.ts'
import { forgetMergeChanges } from './account/account-merge.repository.ts'
import { forgetEndedReservations } from './account/account.repository.ts'
import { forgetOldApprovals } from './console/approval.repository.ts'
import { forgetUnconfirmedEmailChanges } from './account/email-change.repository.ts'
import { DEPARTED_LOGIN_DAYS, forgetDepartedLogins } from './auth/departed-login.repository.ts'
import { forgetExpiredTokens } from './auth/one-time-token.repository.ts'
import { forgetExpiredRegistrations } from './auth/registration.repository.ts'
import { forgetOldBrowsers, forgetOldSessions } from './auth/session.repository.ts'
import { forgetMessages } from './contact/contact-message.repository.ts'
import { forgetOldChallenges } from './console/passkey.repository.ts'
import { forgetOldProofs } from './console/second-factor.repository.ts'
import { forgetRequests } from './events/rsvp-request.repository.ts'
import { forgetOldRsvps } from './events/rsvp.repository.ts'
import { forgetAbandonedCheckouts } from './membership/checkout.repository.ts'
import { forgetImportFiles } from './membership/import-file.repository.ts'
import { forgetUntakenCredits } from './membership/payment-credit.repository.ts'
import { forgetUnpaidRsvpOrders } from './events/rsvp-order.repository.ts'
import { forgetUnconfirmed } from './newsletter/subscriber.repository.ts'
import { forgetUnpaidSponsorships } from './sponsors/sponsorship.repository.ts'
import { forgetOldStripeEvents } from './billing/stripe-event.repository.ts'

const DAY_MS = 86_400_000

/** Forgets what need not be kept, as the privacy policy promises. */
export function housekeeping(db: Db, clock: Clock): Job {
  return {
    name: 'housekeeping',
    everyMs: 6 * 3_600_000,
    async run() {
      const now = clock.now()
      await forgetEndedWindows(db, now)
      await forgetExpiredRegistrations(db, now - 7 * DAY_MS)
      await forgetEndedReservations(db, now - 7 * DAY_MS)
      await forgetExpiredTokens(db, now - 7 * DAY_MS)
      await forgetUnconfirmedEmailChanges(db, now - 7 * DAY_MS)
      await forgetOldApprovals(db, now - 365 * DAY_MS)
      await forgetOldSessions(db, now - 30 * DAY_MS)
      await forgetDepartedLogins(db, now - DEPARTED_LOGIN_DAYS * DAY_MS)
      await forgetOldProofs(db, now - 30 * DAY_MS)
      await forgetOldChallenges(db, now)
      await forgetOldBrowsers(db, now - 365 * DAY_MS)
      await forgetMessages(db, { answeredBefore: now - 365 * DAY_MS, spamBefore: now - 30 * DAY_MS })
      await forgetOldRsvps(db, now - 730 * DAY_MS)
      await forgetRequests(db, now - 7 * DAY_MS)
      await forgetImportFiles(db, now - IMPORT_KEPT_DAYS * DAY_MS)
      await forgetMergeChanges(db, now - MERGE_UNDO_DAYS * DAY_MS)
      await forgetUnconfirmed(db, now - 30 * DAY_MS)
      await forgetAbandonedCheckouts(db, now - 90 * DAY_MS)
      await forgetUnpaidSponsorships(db, now - 90 * DAY_MS)
      await forgetUnpaidRsvpOrders(db, now - 90 * DAY_MS)
      await forgetUntakenCredits(db, now - 90 * DAY_MS)
      await forgetDoneEffects(db, now - 30 * DAY_MS)
      await forgetOldStripeEvents(db, now - 90 * DAY_MS)
    },
  }
}
