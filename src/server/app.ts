import type { FastifyInstance } from 'fastify'
import { backupJob } from './backup/backup.job.ts'
import type { Config } from './config/config.ts'
import { resolveInstanceName } from './config/instance.ts'
import type { Database } from './db/database.ts'
import { createContentCache } from './features/content/content-cache.service.ts'
import { createPageServices } from './features/content/page-content.service.ts'
import { createFeatures, type Features } from './composition/features.ts'
import { createPicturesService } from './features/media/pictures.service.ts'
import type { MailingWorker } from './features/newsletter/sending/mailing.worker.ts'
import { createHousekeepingJob } from './composition/housekeeping.ts'
import { createHttp } from './http/create-http.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import { apiHeaders } from './http/security-headers.ts'
import { serveEndpoints } from './http/serve-endpoints.ts'
import { EFFECTS, EMAILS } from './composition/effects.ts'
import { emailEffects } from './emails/email-effects.ts'
import { mayEmail } from './features/my-account/deletion/ended-accounts.service.ts'
import { checkPayloads } from './jobs/define-effect.ts'
import { createMailer } from './emails/mailer.ts'
import { createMediaStore, mediaDirectory, uploadDirectory } from './media-store/create-media-store.ts'
import { mediaFileRoutes } from './media-store/media-files.ts'
import { createPictureQueue } from './media-store/pictures/picture-queue.ts'
import type { FindDocument } from './pages/documents.ts'
import type { PageServices } from './pages/page-services.ts'
import type { CompletedRequest, Pages } from './pages/page-server.ts'
import { createStripeGateway } from './stripe/stripe-gateway.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createBotCheck } from './limits/bot-check.ts'
import type { Clock } from './lib/clock.ts'
import { createLeaseOwner } from './lib/lease-owner.ts'
import { startJobRunner, type JobRunner } from './jobs/job-runner.ts'
import { startOutbox, type OutboxWorker } from './jobs/outbox-worker.ts'
import { startHeartbeat } from './jobs/heartbeat.ts'
import { createRateLimiter } from './limits/rate-limiter.ts'
import { createSecrets } from './lib/secrets.ts'
import { startMonitoring } from './monitoring/monitoring.ts'

export interface App {
  http: FastifyInstance
  outbox: OutboxWorker
  jobs: JobRunner
  mailings: MailingWorker
  features: Features
  /** Reloads content now; polling instances do so within a second. */
  refreshContent(): Promise<void>
  /** Starts draining: `/readyz` fails, responses carry `Connection: close`; requests are still served. */
  drain(): void
  /** Starts no new work and finishes what is in flight: requests, jobs, newsletter copies and effects. The caller closes the database. */
  close(): Promise<void>
}

export interface AppOptions {
  config: Config
  sessionSecret: string
  database: Database
  clock: Clock
  /** Creates the site's pages from the services they read; null for an application without pages. */
  makePages:
    | ((tools: {
        services: PageServices
        contentVersion: () => string
        today: () => string
        contentPaths: () => ReadonlySet<string>
        findDocument: FindDocument
        onAnswered: (answered: CompletedRequest) => void
        log: FastifyInstance['log']
      }) => Promise<Pages>)
    | null
  /** Whether the outbox, jobs and content poll for work. */
  polling: boolean
  logStream?: { write(line: string): void }
}

/** In-flight requests get this long after close; provider timeouts are shorter. */
const CUT_AFTER_MS = 10_000

/** Creates the application. The database must be migrated and contain content. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, clock, polling } = options
  const { db } = database
  let pages: Pages | null = null
  let isDraining = false
  const monitoring = startMonitoring({ ...options, isLeaving: () => isDraining })
  const http = createHttp(config, {
    headers: apiHeaders(config.siteUrl),
    // Cached pages and files are served before routing.
    answerFirst: (request, response) => pages?.handle(request, response) ?? false,
    // Without pages, unknown addresses get the API's 404.
    ...(options.makePages && {
      answerUnknown: (request, response) => pages?.sendNotFound(request, response),
    }),
    onAnswered: monitoring.onCallResponse,
    ...(options.logStream && { logStream: options.logStream }),
    isLeaving: () => isDraining,
  })
  const log = http.log
  const cache = await createContentCache({ ...config, db, clock, log, polling })
  const secrets = createSecrets(options.sessionSecret)
  const alerts = createAlerts(db, clock, log)
  const mailer = createMailer(config.mail)
  const botCheck = createBotCheck(config.recaptcha, alerts)
  const limiter = createRateLimiter(db, clock, secrets, config.rateLimitFactor)
  const gateway = createStripeGateway(config.stripe)
  const media = createMediaStore(config)
  const workshop = createPictureQueue({ directory: uploadDirectory(config.dataDirectory), log })
  const pictures = createPicturesService({ store: media, clock, log })
  const association = async () => cache.content().settings.association

  let outbox: OutboxWorker | null = null
  const features = createFeatures({
    config,
    db,
    clock,
    log,
    secrets,
    alerts,
    botCheck,
    limiter,
    gateway,
    cache,
    pictures,
    store: media,
    workshop,
    association,
    wakeOutbox: () => outbox?.wake(),
    siteWarnings: () => monitor.warnings(),
  })

  const { backup } = config
  const backups = backup ? [backupJob({ config, backup, database, clock, log, alerts })] : []
  const recurringJobs = [...features.jobs, createHousekeepingJob(db, clock), ...backups]
  const monitor = monitoring.createMonitor({ log, cache, botCheck, mailer, media, alerts, jobs: recurringJobs })

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
  monitor.routes(http)
  pages =
    (await options.makePages?.({
      services: createPageServices(config, cache, (path) => pages?.knows(path) ?? true, pictures),
      contentVersion: () => `${cache.version()} ${pictures.version()}`,
      today: cache.today,
      contentPaths: () => cache.content().paths,
      findDocument: features.findDocument,
      onAnswered: monitor.onPageResponse,
      log,
    })) ?? null

  // Last: a failing start must not interrupt work in progress.
  const handlers = {
    ...checkPayloads(EFFECTS, features.effects),
    ...emailEffects(EMAILS, features.emailTools, {
      mailer,
      mayEmail: (address, purpose) => mayEmail(db, address, purpose),
    }),
  }
  outbox = startOutbox({
    db,
    clock,
    log,
    handlers,
    owner: createLeaseOwner(polling ? resolveInstanceName(config) : null),
    polling,
    async onDead({ kind }, refused, tx) {
      // A permanently refused email usually means a mistyped address: nothing the officers could fix.
      const isEmail = kind.startsWith('email.')
      if (!(isEmail && refused) && kind !== 'email.alert') await alerts.raise('effect-given-up', { kind }, tx)
    },
  })
  const jobs = await startJobRunner({ db, clock, log, polling, jobs: [...recurringJobs, monitor.job] })
  const mailings = features.startMailings(polling)
  const heartbeat = startHeartbeat({ db, clock, polling })

  function leave(): void {
    isDraining = true
    pages?.stop()
  }

  return {
    http,
    outbox,
    jobs,
    mailings,
    features,
    refreshContent: cache.refresh,
    drain: leave,
    async close() {
      leave()
      // Slow or half-open connections must not block shutdown; cut them after `CUT_AFTER_MS`.
      const cut = setTimeout(() => http.server.closeAllConnections(), CUT_AFTER_MS)
      workshop.close()
      // Stop in parallel: behind a slow request or a long job such as a backup we might be killed before in-flight emails are recorded.
      await Promise.all([http.close(), jobs.stop(), mailings.stop(), outbox.stop()])
      clearTimeout(cut)
      cache.stop()
      pictures.close()
      heartbeat.stop()
      mailer.close()
      monitoring.stop()
    },
  }
}
