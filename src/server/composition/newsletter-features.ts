import type { FastifyInstance } from 'fastify'
import type { Server } from '#server/http/serve.ts'
import { createBulkMailer } from '#server/mail/bulk-mailer.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import type { Config } from '#server/config/config.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { createArchiveService } from './archive.service.ts'
import { createBouncesService } from './bounces.service.ts'
import { campaignViewRoutes } from './campaign-view.routes.ts'
import { createMailingService, type MailingService } from './mailing.service.ts'
import { startMailingWorker, type MailingWorker } from './mailing.worker.ts'
import { newsletterDocuments } from './newsletter-documents.ts'
import { bounceRoutes, newsletterRoutes } from './newsletter.routes.ts'
import { createNewsletterService, type NewsletterService } from './newsletter.service.ts'
import { oneClickRoutes } from './one-click.routes.ts'

type Needed = Parameters<typeof createNewsletterService>[0] &
  Parameters<typeof createBouncesService>[0] &
  Parameters<typeof createMailingService>[0] &
  Parameters<typeof createArchiveService>[0] &
  Omit<Parameters<typeof startMailingWorker>[0], 'bounces' | 'mailer' | 'connections' | 'polling'>
type FromSettings = 'letterLimit' | 'bounceLimits' | 'archiveAfter' | 'officersEmail'

/** The newsletter: subscribing and leaving, the archive, sending, and what comes back; put together. */
export function createNewsletterFeatures(
  shared: Omit<Needed, FromSettings> & { cache: ContentCache; config: Config; siteUrl: string; timeZone: string },
): {
  mailings: MailingService
  newsletter: NewsletterService
  routes(server: Server): void
  rawRoutes(server: Server): void
  otherRoutes(app: FastifyInstance): Promise<void>
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
  effects: Record<string, EffectHandler>
  findDocument: FindDocument
  /** Sends newsletters, from now on by itself when it polls. */
  startMailings(polling: boolean): MailingWorker
} {
  const { cache, config, siteUrl, timeZone } = shared
  const settings = () => cache.content().settings
  const newsletter = createNewsletterService({
    ...shared,
    letterLimit: () => settings().rateLimits.newsletterLettersPerEmail,
  })
  const bounces = createBouncesService({ ...shared, bounceLimits: () => settings().newsletter })
  const mailings = createMailingService({ ...shared, officersEmail: config.officersEmail })
  const archive = createArchiveService({ ...shared, archiveAfter: () => settings().newsletter.archiveAfter })
  return {
    mailings,
    newsletter,
    routes: (server) => newsletterRoutes(server, newsletter, archive, cache.version),
    rawRoutes: (server) => bounceRoutes(server, bounces),
    async otherRoutes(app) {
      campaignViewRoutes(app, archive, siteUrl)
      await oneClickRoutes(app, newsletter)
    },
    letters: { ...newsletter.letters, ...mailings.letters },
    effects: newsletter.effects,
    findDocument: newsletterDocuments({
      siteUrl,
      timeZone,
      name: () => settings().association.name,
      campaigns: () => cache.content().archive.firstPage.campaigns,
    }),
    startMailings: (polling) =>
      startMailingWorker({
        ...shared,
        bounces,
        mailer: createBulkMailer(config.mail),
        connections: settings().newsletter.connections,
        polling,
      }),
  }
}
