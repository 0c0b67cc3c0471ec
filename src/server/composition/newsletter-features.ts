import type { FastifyInstance } from 'fastify'
import type { Server } from '#server/http/serve.ts'
import { createBulkMailer } from '#server/emails/bulk-mailer.ts'
import type { FindDocument } from '#server/pages/documents.ts'
import type { Config } from '#server/config/config.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { createArchiveService } from '#server/features/newsletter/archive.service.ts'
import { createBouncesService } from '#server/features/newsletter/subscribers/bounces.service.ts'
import { campaignViewRoutes } from '#server/features/newsletter/campaign-view.routes.ts'
import { createMailingService, type MailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { startMailingWorker, type MailingWorker } from '#server/features/newsletter/sending/mailing.worker.ts'
import { newsletterDocuments } from '#server/features/newsletter/newsletter.documents.ts'
import { bounceRoutes, newsletterRoutes } from '#server/features/newsletter/subscribers/newsletter.routes.ts'
import {
  createNewsletterService,
  type NewsletterService,
} from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { oneClickRoutes } from '#server/features/newsletter/subscribers/one-click.routes.ts'

type Needed = Parameters<typeof createNewsletterService>[0] &
  Parameters<typeof createBouncesService>[0] &
  Parameters<typeof createMailingService>[0] &
  Parameters<typeof createArchiveService>[0] &
  Omit<Parameters<typeof startMailingWorker>[0], 'bounces' | 'mailer' | 'connections' | 'polling'>
type FromSettings = 'emailLimit' | 'bounceLimits' | 'archiveAfter' | 'officersEmail'

/** Wires the newsletter services: subscriptions, the archive, sending and bounces. */
export function createNewsletterFeatures(
  shared: Omit<Needed, FromSettings> & { cache: ContentCache; config: Config; siteUrl: string; timeZone: string },
): {
  mailings: MailingService
  newsletter: NewsletterService
  routes(server: Server): void
  rawRoutes(server: Server): void
  otherRoutes(app: FastifyInstance): Promise<void>
  effects: NewsletterService['effects']
  findDocument: FindDocument
  /** Starts the mailing worker; without polling it sends only when drained. */
  startMailings(polling: boolean): MailingWorker
} {
  const { cache, config, siteUrl, timeZone } = shared
  const settings = () => cache.content().settings
  const newsletter = createNewsletterService({
    ...shared,
    emailLimit: () => settings().rateLimits.newsletterLettersPerEmail,
  })
  const bounces = createBouncesService({ ...shared, bounceLimits: () => settings().newsletter })
  const mailings = createMailingService(shared)
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
