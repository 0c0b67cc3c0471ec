import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Association } from '#contract/association.ts'
import type { NewsletterBlock } from '#contract/console-newsletter.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Server } from '#server/http/serve.ts'
import type { OutgoingLetter } from '#server/mail/letter.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Job } from '#server/platform/job-runner.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { ContentCache } from '../association/content-cache.ts'
import { inboxRoutes } from '../contact/inbox.routes.ts'
import { createInboxService } from '../contact/inbox.service.ts'
import { createTemplateService } from '../contact/template.service.ts'
import type { PictureUser } from '../media/media-console.service.ts'
import type { PicturesService } from '../media/pictures.service.ts'
import { picturesNamed } from '../media/present-pictures.ts'
import { wordsOfMarkdown } from '../newsletter/campaign-words.ts'
import { previewRoutes } from '../newsletter/campaign-view.routes.ts'
import { composingRoutes, readerUploads } from '../newsletter/composing.routes.ts'
import { createComposingService } from '../newsletter/composing.service.ts'
import { createSendingService } from '../newsletter/sending.service.ts'
import type { MailingService } from '../newsletter/mailing.service.ts'
import { markdownOf } from '../newsletter/newsletter-blocks.rules.ts'
import { createNewsletterPictures, letterPictures } from '../newsletter/newsletter-pictures.ts'
import type { NewsletterService } from '../newsletter/newsletter.service.ts'
import { eventChoices } from '../newsletter/event-choices.rules.ts'
import { readPreviewToken } from '../newsletter/preview-link.ts'
import { createReadersService } from '../newsletter/readers.service.ts'
import { createPromisesService } from '../sponsors/promises.service.ts'
import { createRunOfShowService } from '../sponsors/run-of-show.service.ts'
import { sponsorsConsoleRoutes } from '../sponsors/sponsors-console.routes.ts'
import type { HeldWork } from './held-work.ts'
import type { OfficerService } from './officer.service.ts'

interface Correspondence {
  routes(server: Server): void
  /** Of endpoints whose body is a file. */
  uploadRoutes(server: Server): void
  otherRoutes(app: FastifyInstance): void
  /** Newsletters, as what names pictures. */
  pictureUser: PictureUser
  jobs: Job[]
  letters: Record<string, (payload: Record<string, unknown>) => Promise<OutgoingLetter | null>>
}

/** What officers do with people outside: messages, sponsors and the newsletter, put together. */
export function createCorrespondence(tools: {
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
  const promises = createPromisesService(tools)
  const runs = createRunOfShowService({
    ...tools,
    comingEvents: () =>
      [...cache.content().events.values()]
        .filter(({ startsOn }) => startsOn !== null && startsOn >= cache.today())
        .map(({ startsOn, title }) => ({ day: startsOn ?? '', title })),
  })
  const sources = {
    event: (id: string) => cache.content().events.get(id) ?? null,
    news: (id: string) => cache.content().news.get(id) ?? null,
  }
  async function print(blocks: readonly NewsletterBlock[]) {
    const named = await picturesNamed(pictures, JSON.stringify(blocks))
    const shown = letterPictures(named.flat())
    return wordsOfMarkdown(markdownOf(blocks, { ...sources, picture: (address) => shown.get(address) ?? null }))
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
  const readers = createReadersService(tools)
  return {
    otherRoutes: (app) =>
      previewRoutes(app, {
        readToken: (token) => readPreviewToken(secrets, token, clock.now()),
        letterOf: composing.letterOf,
        siteUrl,
      }),
    pictureUser: createNewsletterPictures({ ...tools, print }),
    jobs: [sending.job],
    routes(server) {
      composingRoutes(server, { composing, sending, readers })
      inboxRoutes(server, { inbox, templates })
      sponsorsConsoleRoutes(server, { promises, runs })
    },
    uploadRoutes: (server) => readerUploads(server, readers),
    letters: { ...inbox.letters, ...composing.letters },
  }
}
