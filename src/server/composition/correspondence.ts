import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/public/association.ts'
import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import type { Schema } from '#server/db/schema/schema.ts'
import type { Server } from '#server/http/serve.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { inboxRoutes } from '#server/features/contact/inbox.routes.ts'
import { createInboxService } from '#server/features/contact/inbox.service.ts'
import { createTemplateService } from '#server/features/contact/template.service.ts'
import type { PictureUser } from '#server/features/media/media-console.service.ts'
import type { PicturesService } from '#server/features/media/pictures.service.ts'
import { listUsedPictures } from '#server/features/media/present-pictures.service.ts'
import { contentFromMarkdown } from '#server/features/newsletter/composing/campaign-text.service.ts'
import { previewRoutes } from '#server/features/newsletter/campaign-view.routes.ts'
import { composingRoutes, subscriberUploadRoutes } from '#server/features/newsletter/composing/composing.routes.ts'
import {
  createComposingService,
  type ComposingService,
} from '#server/features/newsletter/composing/composing.service.ts'
import { createSendingService } from '#server/features/newsletter/sending/sending.service.ts'
import type { MailingService } from '#server/features/newsletter/sending/mailing.service.ts'
import { blocksToMarkdown } from '#server/features/newsletter/composing/newsletter-blocks.rules.ts'
import {
  createNewsletterPictures,
  emailPictures,
} from '#server/features/newsletter/composing/newsletter-pictures.service.ts'
import type { NewsletterService } from '#server/features/newsletter/subscribers/newsletter.service.ts'
import { eventChoices } from '#server/features/newsletter/composing/event-choices.rules.ts'
import { readPreviewToken } from '#server/features/newsletter/composing/preview-token.service.ts'
import { createSubscribersService } from '#server/features/newsletter/subscribers/subscriber-list.service.ts'
import { createBenefitsService } from '#server/features/sponsors/benefits.service.ts'
import { createRunOfShowService } from '#server/features/sponsors/run-of-show.service.ts'
import { sponsorsConsoleRoutes } from '#server/features/sponsors/sponsors-console.routes.ts'
import type { HeldWork } from '#server/features/scheduled-work/scheduled-work.service.ts'
import type { OfficerService } from '#server/features/officers/officer.service.ts'

interface Correspondence {
  routes(server: Server): void
  /** Endpoints whose body is a file. */
  uploadRoutes(server: Server): void
  otherRoutes(app: FastifyInstance): void
  /** Lets the media library find images used in newsletters. */
  pictureUser: PictureUser
  jobs: Job[]
  /** For the emails. */
  composing: ComposingService
}

/** Assembles the console features for messages, sponsors and newsletters. */
export function createOutreachFeatures(tools: {
  db: Kysely<Schema>
  clock: Clock
  cache: ContentCache
  secrets: Secrets
  siteUrl: string
  timeZone: string
  mailings: MailingService
  newsletter: NewsletterService
  officers: OfficerService
  heldWork: HeldWork
  pictures: Pick<PicturesService, 'pictures'>
  association(): Promise<Association>
  wakeOutbox(): void
}): Correspondence {
  const { cache, clock, pictures, secrets, siteUrl } = tools
  const inbox = createInboxService(tools)
  const templates = createTemplateService(tools)
  const promises = createBenefitsService(tools)
  const runs = createRunOfShowService({
    ...tools,
    comingEvents: () =>
      [...cache.content().events.values()]
        .filter(({ startsOn }) => startsOn !== null && startsOn >= cache.today())
        .map(({ startsOn, title }) => ({ day: startsOn ?? '', title })),
  })
  const sources = {
    findEvent: (id: string) => cache.content().events.get(id) ?? null,
    findNews: (id: string) => cache.content().news.get(id) ?? null,
  }
  async function print(blocks: readonly NewsletterBlock[]) {
    const named = await listUsedPictures(pictures, JSON.stringify(blocks))
    const shown = emailPictures(named.flat())
    return contentFromMarkdown(
      blocksToMarkdown(blocks, { ...sources, findPicture: (address) => shown.get(address) ?? null }),
    )
  }
  const composing = createComposingService({
    ...tools,
    print,
    choices: (used) => ({
      events: eventChoices(cache.content().events.values(), { today: cache.today(), used }),
      news: [...cache.content().news.values()].map(({ id, title }) => ({ id, title })),
    }),
  })
  const sending = createSendingService({ ...tools, composing })
  const readers = createSubscribersService(tools)
  return {
    otherRoutes: (app) =>
      previewRoutes(app, {
        readToken: (token) => readPreviewToken(secrets, token, clock.now()),
        emailOf: composing.findPreviewHtml,
        siteUrl,
      }),
    pictureUser: createNewsletterPictures({ ...tools, print }),
    jobs: [sending.job],
    routes(server) {
      composingRoutes(server, { composing, sending, readers })
      inboxRoutes(server, { inbox, templates })
      sponsorsConsoleRoutes(server, { promises, runs })
    },
    uploadRoutes: (server) => subscriberUploadRoutes(server, readers),
    composing,
  }
}
