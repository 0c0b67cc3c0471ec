import type { Server } from '#server/http/serve.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { createCertificateService } from './certificate.service.ts'
import { createDoorService } from './door.service.ts'
import { createRsvpConsoleService } from './rsvp-console.service.ts'
import { rsvpConsoleRoutes } from './rsvp-console.routes.ts'
import { createRsvpLetters } from './rsvp.letters.ts'
import { rsvpReminders } from './rsvp-reminders.ts'
import { rsvpRoutes } from './rsvp.routes.ts'
import { createRsvpService } from './rsvp.service.ts'

type Needed = Parameters<typeof createRsvpService>[0] &
  Parameters<typeof createCertificateService>[0] &
  Parameters<typeof createRsvpConsoleService>[0] &
  Omit<Parameters<typeof createRsvpLetters>[0], 'certificates'>
type FromContent = 'events' | 'letterLimit'

/** What belongs to events people come to, put together. */
export function createRsvpFeatures(shared: Omit<Needed, FromContent> & { cache: Pick<ContentCache, 'content'> }): {
  routes(server: Server): void
  letters: ReturnType<typeof createRsvpLetters>
  reminders: Job
} {
  const { cache } = shared
  const tools: Needed = {
    ...shared,
    events: () => cache.content().events,
    letterLimit: () => cache.content().settings.rateLimits.rsvpLettersPerEmail,
  }
  const certificates = createCertificateService(tools)
  const rsvps = createRsvpService(tools)
  const console = createRsvpConsoleService(tools)
  const door = createDoorService({ ...tools, console })
  return {
    routes(server) {
      rsvpRoutes(server, rsvps, certificates)
      rsvpConsoleRoutes(server, console, door)
    },
    letters: createRsvpLetters({ ...tools, certificates }),
    reminders: rsvpReminders(tools),
  }
}
