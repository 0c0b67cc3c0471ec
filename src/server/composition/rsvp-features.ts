import type { Server } from '#server/http/serve.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { createEventCancellationService } from '#server/features/rsvps/cancel-event.service.ts'
import {
  createCertificateService,
  type CertificateService,
} from '#server/features/rsvps/check-in/certificate.service.ts'
import { createCheckInService } from '#server/features/rsvps/check-in/check-in.service.ts'
import { createRsvpCheckoutService } from '#server/features/rsvps/orders/rsvp-checkout.service.ts'
import { createRsvpConsoleService } from '#server/features/rsvps/rsvp-console.service.ts'
import { rsvpConsoleRoutes } from '#server/features/rsvps/rsvp-console.routes.ts'
import { createRsvpMoneyService } from '#server/features/rsvps/orders/rsvp-money.service.ts'
import { createRsvpQueries } from '#server/features/rsvps/rsvp-view.service.ts'
import { createRsvpRefundSync, type RsvpRefundSync } from '#server/features/rsvps/orders/rsvp-refunds.service.ts'
import { createRsvpReminderJob } from '#server/features/rsvps/rsvp-reminders.job.ts'
import { rsvpRoutes } from '#server/features/rsvps/rsvp.routes.ts'
import { createRsvpRequests } from '#server/features/rsvps/requests/rsvp-requests.service.ts'
import { createRsvpService } from '#server/features/rsvps/rsvp.service.ts'
import {
  createRsvpCompletionService,
  type RsvpCompletionService,
} from '#server/features/rsvps/orders/rsvp-completion.service.ts'
import {
  createVisitorLimits,
  type VisitorLimitOptions,
} from '#server/features/rsvps/requests/unverified-guest-limits.service.ts'
import { createWaitlist } from '#server/features/rsvps/orders/waitlist.service.ts'

type Needed = Omit<
  Parameters<typeof createRsvpService>[0],
  'reading' | 'requests' | 'strangers' | 'waitlist' | 'checkouts' | 'completions'
> &
  VisitorLimitOptions &
  Parameters<typeof createRsvpQueries>[0] &
  Omit<Parameters<typeof createRsvpCheckoutService>[0], 'completions'> &
  Omit<Parameters<typeof createRsvpCompletionService>[0], 'waitlist'> &
  Parameters<typeof createRsvpRefundSync>[0] &
  Parameters<typeof createCertificateService>[0] &
  Omit<Parameters<typeof createRsvpConsoleService>[0], 'waitlist'> &
  Omit<Parameters<typeof createRsvpMoneyService>[0], 'waitlist'>
type FromContent = 'events' | 'emailLimit' | 'limits'

/** Wires up the RSVP feature. */
export function createRsvpFeatures(shared: Omit<Needed, FromContent> & { cache: Pick<ContentCache, 'content'> }): {
  routes(server: Server): void
  /** For the emails. */
  certificates: CertificateService
  effects: RsvpRefundSync['effects']
  jobs: Job[]
  /** Used by the webhook and the reconciler to process seat payments. */
  completions: RsvpCompletionService
  refundSync: RsvpRefundSync
} {
  const { cache } = shared
  const tools: Needed = {
    ...shared,
    events: () => cache.content().events,
    limits: () => cache.content().settings.rateLimits,
    emailLimit: () => cache.content().settings.rateLimits.rsvpLettersPerEmail,
  }
  const certificates = createCertificateService(tools)
  const waitlist = createWaitlist(tools)
  const completions = createRsvpCompletionService({ ...tools, waitlist })
  const checkouts = createRsvpCheckoutService({ ...tools, completions })
  const refundSync = createRsvpRefundSync(tools)
  const reading = createRsvpQueries(tools)
  const requests = createRsvpRequests({ ...tools, reading, waitlist })
  const strangers = createVisitorLimits(tools)
  const rsvps = createRsvpService({ ...tools, reading, requests, strangers, waitlist, checkouts, completions })
  const console = createRsvpConsoleService({ ...tools, waitlist })
  const checkIns = createCheckInService({ ...tools, waitlist, console })
  const money = createRsvpMoneyService({ ...tools, waitlist })
  const endings = createEventCancellationService({ ...tools, console, completions })
  return {
    routes(server) {
      rsvpRoutes(server, { reading, rsvps, requests, completions, certificates })
      rsvpConsoleRoutes(server, { console, checkIns, money, endings })
    },
    certificates,
    effects: refundSync.effects,
    jobs: [createRsvpReminderJob(tools), completions.job],
    completions,
    refundSync,
  }
}
