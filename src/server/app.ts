import type { FastifyInstance } from 'fastify'
import { backupJob } from './backup/backup.job.ts'
import type { Config } from './config/config.ts'
import { instanceNameOf } from './config/instance.ts'
import type { Database } from './db/database.ts'
import { createContentCache } from './features/association/content-cache.ts'
import { createPageServices } from './features/association/page-services.ts'
import { createFeatures, type Features } from './features/features.ts'
import { createPicturesService } from './features/media/pictures.service.ts'
import type { MailingWorker } from './features/newsletter/mailing.worker.ts'
import { housekeeping } from './features/housekeeping.ts'
import { createHttp } from './http/create-http.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import { apiHeaders } from './http/security-headers.ts'
import { serveEndpoints } from './http/serve-endpoints.ts'
import { letterEffects } from './mail/letter-effects.ts'
import { createMailer } from './mail/mailer.ts'
import { alarmLetter, type RungAlarm } from './mail/alarm.emails.ts'
import { createMediaStore, mediaDirectory, uploadDirectory } from './media/create-media-store.ts'
import { mediaFileRoutes } from './media/media-files.ts'
import { createPictureWorkshop } from './media/picture-workshop.ts'
import type { FindDocument } from './pages/documents.ts'
import type { PageServices } from './pages/page-services.ts'
import type { AnsweredRequest, Pages } from './pages/page-server.ts'
import { createStripeGateway } from './payments/stripe-gateway.ts'
import { createAlarms } from './platform/alarms.ts'
import { createBotCheck } from './platform/bot-check.ts'
import type { Clock } from './platform/clock.ts'
import { createHolder } from './platform/holder.ts'
import { startJobRunner, type JobRunner } from './platform/job-runner.ts'
import { startOutbox, type OutboxWorker } from './platform/outbox-worker.ts'
import { startPresence } from './platform/presence.ts'
import { createRateLimiter } from './platform/rate-limiter.ts'
import { createSecrets } from './platform/secrets.ts'
import { startWatching } from './watching/watching.ts'
import type { OutgoingLetter } from './mail/letter.ts'

export interface App {
  http: FastifyInstance
  outbox: OutboxWorker
  jobs: JobRunner
  mailings: MailingWorker
  features: Features
  /** Reads content again now; instances do so by themselves within a second. */
  refreshContent(): Promise<void>
  /** Tells proxies to go elsewhere: not ready, and every answer ends its connection. Everything is still answered. */
  leave(): void
  /** Begins nothing new and finishes what is in flight: requests, jobs, copies and effects. The database is the caller's to close. */
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  sessionSecret: string
  database: Database
  clock: Clock
  /** Makes the site's pages once the services they read exist; null for an application without pages. */
  makePages:
    | ((tools: {
        services: PageServices
        contentVersion: () => string
        today: () => string
        contentPaths: () => ReadonlySet<string>
        findDocument: FindDocument
        onAnswered: (answered: AnsweredRequest) => void
        log: FastifyInstance['log']
      }) => Promise<Pages>)
    | null
  /** Whether outbox, jobs and content look for work by themselves. */
  polling: boolean
  logStream?: { write(line: string): void }
}

/** Calls in hand have so long once the application closes; a provider that does not answer is given up before. */
const CUT_AFTER_MS = 10_000

/** Puts the application together. The database must be migrated and hold content. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, clock, polling } = options
  const { db } = database
  let pages: Pages | null = null
  let isLeaving = false
  const watching = startWatching({ ...options, isLeaving: () => isLeaving })
  const http = createHttp(config, {
    headers: apiHeaders(config.siteUrl),
    // Cached pages and files are answered before any routing.
    answerFirst: (request, response) => pages?.handle(request, response) ?? false,
    // Without pages an unknown address is answered as the API answers.
    ...(options.makePages && {
      answerUnknown: (request, response) => pages?.answerNotFound(request, response),
    }),
    onAnswered: watching.onCallAnswered,
    ...(options.logStream && { logStream: options.logStream }),
    isLeaving: () => isLeaving,
  })
  const log = http.log
  const cache = await createContentCache({ ...config, db, clock, log, polling })
  const secrets = createSecrets(options.sessionSecret)
  const alarms = createAlarms(db, clock, log)
  const mailer = createMailer(config.mail)
  const botCheck = createBotCheck(config.recaptcha, alarms)
  const limiter = createRateLimiter(db, clock, secrets, config.rateLimitFactor)
  const gateway = createStripeGateway(config.stripe)
  const media = createMediaStore(config)
  const workshop = createPictureWorkshop({ directory: uploadDirectory(config.dataDirectory), log })
  const pictures = createPicturesService({ store: media, clock, log })
  const association = async () => cache.content().settings.association

  let outbox: OutboxWorker | null = null
  const features = createFeatures({
    config,
    db,
    clock,
    log,
    secrets,
    alarms,
    botCheck,
    limiter,
    gateway,
    cache,
    pictures,
    store: media,
    workshop,
    association,
    wakeOutbox: () => outbox?.wake(),
    siteWarnings: () => watch.warnings(),
  })

  async function alarm(payload: Record<string, unknown>): Promise<OutgoingLetter> {
    return { ...alarmLetter(payload as unknown as RungAlarm, await association()), to: config.officersEmail }
  }
  const { backup } = config
  const backups = backup ? [backupJob({ config, backup, database, clock, log, alarms })] : []
  const regular = [...features.jobs, housekeeping(db, clock), ...backups]
  const watch = watching.watch({ log, cache, botCheck, mailer, media, alarms, jobs: regular })

  await serveEndpoints(http, {
    clock,
    limiter,
    secrets,
    siteUrl: config.siteUrl,
    rateLimitFactor: config.rateLimitFactor,
    limitOf: (name) =>
      (cache.content().settings.rateLimits as Record<string, { limit: number; windowSeconds: number }>)[name],
    authenticate: features.authenticate,
    views: features.views,
    admitOfficer: features.admitOfficer,
    routes: features.routes,
    rawRoutes: features.rawRoutes,
    uploadRoutes: features.uploadRoutes,
  })
  if (!config.storage) mediaFileRoutes(http, { ...config, directory: mediaDirectory(config.dataDirectory) })
  await features.otherRoutes(http)
  openApiRoutes(http, config.siteUrl)
  watch.routes(http)
  pages =
    (await options.makePages?.({
      services: createPageServices(config, cache, (path) => pages?.knows(path) ?? true, pictures),
      contentVersion: () => `${cache.version()} ${pictures.version()}`,
      today: cache.today,
      contentPaths: () => cache.content().paths,
      findDocument: features.findDocument,
      onAnswered: watch.onPageAnswered,
      log,
    })) ?? null

  // Last: what is begun must not be cut off by a start that fails.
  const handlers = {
    ...features.effects,
    ...letterEffects({ ...features.letters, 'letter.alarm': alarm }, mailer),
  }
  outbox = startOutbox({
    db,
    clock,
    log,
    handlers,
    holder: createHolder(polling ? instanceNameOf(config) : null),
    polling,
    async onDead({ kind }, refused, tx) {
      // A letter refused for good is usually an address with a typing error: nothing for the officers to do.
      const isLetter = kind.startsWith('letter.')
      if (!(isLetter && refused) && kind !== 'letter.alarm') await alarms.raise('effect-given-up', { kind }, tx)
    },
  })
  const jobs = await startJobRunner({ db, clock, log, polling, jobs: [...regular, watch.job] })
  const mailings = features.startMailings(polling)
  const presence = startPresence({ db, clock, polling })

  function leave(): void {
    isLeaving = true
    pages?.stop()
  }

  return {
    http,
    outbox,
    jobs,
    mailings,
    features,
    refreshContent: cache.refresh,
    leave,
    async close() {
      leave()
      // Whoever sends half a request, or never reads an answer, must not keep the rest from being put down.
      const cut = setTimeout(() => http.server.closeAllConnections(), CUT_AFTER_MS)
      workshop.close()
      // All at once: behind a slow call, or a long job such as a backup, copies and letters in hand would not be marked before the process is ended.
      await Promise.all([http.close(), jobs.stop(), mailings.stop(), outbox.stop()])
      clearTimeout(cut)
      cache.stop()
      pictures.close()
      presence.stop()
      mailer.close()
      watching.stop()
    },
  }
}
