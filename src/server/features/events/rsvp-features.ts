import type { Config } from '#server/config/config.ts'
import type { Server } from '#server/http/serve.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { createCallOffService } from './call-off.service.ts'
import { createCertificateService } from './certificate.service.ts'
import { createDoorService } from './door.service.ts'
import { createRsvpCheckoutService } from './rsvp-checkout.service.ts'
import { createRsvpConsoleService } from './rsvp-console.service.ts'
import { rsvpConsoleRoutes } from './rsvp-console.routes.ts'
import { createRsvpLetters } from './rsvp.letters.ts'
import { createRsvpMoneyLetters } from './rsvp-money.letters.ts'
import { createRsvpMoneyService } from './rsvp-money.service.ts'
import { createRsvpReading } from './rsvp-reading.ts'
import { createRsvpReturns, type RsvpReturns } from './rsvp-refunds.ts'
import { rsvpReminders } from './rsvp-reminders.ts'
import { rsvpRoutes } from './rsvp.routes.ts'
import { createRsvpRequests } from './rsvp-requests.service.ts'
import { createRsvpService } from './rsvp.service.ts'
import { createRsvpSettlementService, type RsvpSettlementService } from './rsvp-settlement.service.ts'
import { createStrangerLimits, type StrangerLimitTools } from './stranger-limits.ts'
import { createWaitlist } from './waitlist.ts'

type Needed = Omit<
  Parameters<typeof createRsvpService>[0],
  'reading' | 'requests' | 'strangers' | 'waitlist' | 'checkouts' | 'settlements'
> &
  StrangerLimitTools &
  Parameters<typeof createRsvpReading>[0] &
  Omit<Parameters<typeof createRsvpCheckoutService>[0], 'settlements'> &
  Omit<Parameters<typeof createRsvpSettlementService>[0], 'waitlist'> &
  Parameters<typeof createRsvpReturns>[0] &
  Parameters<typeof createCertificateService>[0] &
  Omit<Parameters<typeof createRsvpConsoleService>[0], 'waitlist'> &
  Omit<Parameters<typeof createRsvpMoneyService>[0], 'waitlist'> &
  Omit<Parameters<typeof createRsvpLetters>[0], 'certificates'>
type FromContent = 'events' | 'letterLimit' | 'limits'

/** What belongs to events people come to, put together. */
export function createRsvpFeatures(
  shared: Omit<Needed, FromContent> & { cache: Pick<ContentCache, 'content'>; config: Pick<Config, 'officersEmail'> },
): {
  routes(server: Server): void
  letters: ReturnType<typeof createRsvpLetters>
  effects: RsvpReturns['effects']
  jobs: Job[]
  /** What the webhook and the reconciler ask about payments for seats. */
  settlements: RsvpSettlementService
  returns: RsvpReturns
} {
  const { cache, config } = shared
  const tools: Needed = {
    ...shared,
    events: () => cache.content().events,
    limits: () => cache.content().settings.rateLimits,
    letterLimit: () => cache.content().settings.rateLimits.rsvpLettersPerEmail,
  }
  const certificates = createCertificateService(tools)
  const waitlist = createWaitlist(tools)
  const settlements = createRsvpSettlementService({ ...tools, waitlist })
  const checkouts = createRsvpCheckoutService({ ...tools, settlements })
  const returns = createRsvpReturns(tools)
  const reading = createRsvpReading(tools)
  const requests = createRsvpRequests({ ...tools, reading, waitlist })
  const strangers = createStrangerLimits(tools)
  const rsvps = createRsvpService({ ...tools, reading, requests, strangers, waitlist, checkouts, settlements })
  const console = createRsvpConsoleService({ ...tools, waitlist })
  const door = createDoorService({ ...tools, waitlist, console })
  const money = createRsvpMoneyService({ ...tools, waitlist })
  const endings = createCallOffService({ ...tools, console, settlements })
  return {
    routes(server) {
      rsvpRoutes(server, { reading, rsvps, requests, settlements, certificates })
      rsvpConsoleRoutes(server, { console, door, money, endings })
    },
    letters: {
      ...createRsvpLetters({ ...tools, certificates }),
      ...createRsvpMoneyLetters({ ...tools, officersEmail: config.officersEmail }),
    },
    effects: returns.effects,
    jobs: [rsvpReminders(tools), settlements.job],
    settlements,
    returns,
  }
}
