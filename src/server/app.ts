import { isOff, type Part } from '#contract/parts.ts'
import type { FastifyInstance } from 'fastify'
import { paletteOf, type Palette } from '#contract/brand/palette.ts'
import { backupJob } from './backup/backup.job.ts'
import type { Config } from './config/config.ts'
import { resolveInstanceName } from './config/instance.ts'
import type { Database } from './db/database.ts'
import { createPublicListing } from '#server/features/directory/public-listing.service.ts'
import { withPublicDirectory, withSecondAddress } from '#server/features/content/public-directory-paths.rules.ts'
import { createPictureFetcher, type FetchPicture } from './features/content-import/fetch-picture.service.ts'
import { createPageServices } from './features/content/page-content.service.ts'
import { findRedirect } from './features/content-store/redirects.rules.ts'
import { effectHandlers, jobsOf } from './composition/background.ts'
import { createContext } from './composition/create-context.ts'
import { apiRoutes, documentFinder, otherRoutes, rawRoutes, uploadRoutes } from './composition/routes.ts'
import { createServices, type Services } from './composition/services.ts'
import { DOCUMENTS_PATH } from './features/documents/document-paths.rules.ts'
import { createPicturesService } from './features/media/pictures.service.ts'
import { startMailingWorker, type MailingWorker } from './features/newsletter/sending/mailing.worker.ts'
import { readRelease } from './monitoring/process-stats.ts'
import { findNewerRelease } from './releases/stored-release.ts'
import { createOpening } from './features/setup/opening.service.ts'
import { waitsForOpening } from './features/setup/closed-endpoints.rules.ts'
import { createTodayService } from './features/today/today.service.ts'
import { createBulkMailer } from './emails/bulk-mailer.ts'
import { createHousekeepingJob } from './composition/housekeeping.ts'
import { createCookieJar } from './http/cookies.ts'
import { createHttp } from './http/create-http.ts'
import { openApiRoutes } from './http/openapi.routes.ts'
import { apiHeaders } from './http/security-headers.ts'
import { serveEndpoints } from './http/serve-endpoints.ts'
import { EFFECTS, EMAILS } from './composition/effects.ts'
import { emailEffects } from './emails/email-effects.ts'
import { findWording } from './features/email-wordings/email-wordings.service.ts'
import { mayEmail } from './features/my-account/deletion/ended-accounts.service.ts'
import { checkPayloads } from './jobs/define-effect.ts'
import { createMailer } from './emails/mailer.ts'
import {
  createMediaArchive,
  createMediaStore,
  mediaDirectory,
  uploadDirectory,
} from './media-store/create-media-store.ts'
import { mediaFileRoutes } from './media-store/media-files.ts'
import { createPictureQueue } from './media-store/pictures/picture-queue.ts'
import type { FindBrandFile } from './pages/brand-responses.ts'
import { createClosedSite } from './http/closed-site.ts'
import type { FindDocument } from './pages/documents.ts'
import { createClosedPages } from './pages/failure-page.ts'
import type { PageServices } from './pages/page-services.ts'
import type { CompletedRequest, FindRedirect, Pages } from './pages/page-server.ts'
import type { Clock } from './lib/clock.ts'
import { createLeaseOwner } from './lib/lease-owner.ts'
import { startJobRunner, type JobRunner } from './jobs/job-runner.ts'
import { startOutbox, type OutboxWorker } from './jobs/outbox-worker.ts'
import { startHeartbeat } from './jobs/heartbeat.ts'
import { startMonitoring } from './monitoring/monitoring.ts'

export interface App {
  http: FastifyInstance
  outbox: OutboxWorker
  jobs: JobRunner
  mailings: MailingWorker
  services: Services
  /** Finds calendars and feeds. */
  findDocument: FindDocument
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
        partsOff: () => readonly Part[]
        movedPaths: () => ReadonlyMap<string, string>
        findRedirect: FindRedirect
        findDocument: FindDocument
        findBrandFile: FindBrandFile
        palette: () => Palette
        onCompleted: (completed: CompletedRequest) => void
        log: FastifyInstance['log']
      }) => Promise<Pages>)
    | null
  /** Whether the outbox, jobs and content poll for work. */
  polling: boolean
  logStream?: { write(line: string): void }
  /** Fetches pictures of a former website; a test's own websites are in a private network. */
  fetchPicture?: FetchPicture
  /** Stops this process, so that what supervises it starts it with new settings. */
  restart?: () => void
}

/** The response about new settings is sent before. */
const RESTART_AFTER_MS = 500
/** In-flight requests get this long after close; provider timeouts are shorter. */
const CUT_AFTER_MS = 10_000

/** Creates the application. The database must be migrated and contain content. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, clock, polling } = options
  const { db } = database
  let pages: Pages | null = null
  let closedSite: ReturnType<typeof createClosedSite> | null = null
  let isDraining = false
  const monitoring = startMonitoring({ ...options, isLeaving: () => isDraining })
  const http = createHttp(config, {
    headers: apiHeaders(config.siteUrl),
    // Cached pages and files are served before routing.
    answerFirst: (request, response) =>
      (closedSite?.answer(request, response) ?? false) || (pages?.handle(request, response) ?? false),
    // Without pages, unknown addresses get the API's 404.
    ...(options.makePages && {
      answerUnknown: (request, response) => pages?.sendNotFound(request, response),
    }),
    onAnswered: monitoring.onCallResponse,
    ...(options.logStream && { logStream: options.logStream }),
    isLeaving: () => isDraining,
  })
  const log = http.log
  // The outbox starts last; effects queued before wait for it.
  let outbox: OutboxWorker | null = null
  const ctx = await createContext({ ...options, log, wakeOutbox: () => outbox?.wake() })
  const { alerts, botCheck, cache, limiter, secrets, settings } = ctx
  const cookies = createCookieJar(secrets, config.siteUrl)
  const opening = await createOpening(ctx, { polling })
  closedSite = createClosedSite({
    opening,
    cookies,
    clock,
    closedPage: createClosedPages(config.siteUrl, () => paletteOf(settings().association.brand)),
    sendNotFound: (request, response) => pages?.sendNotFound(request, response),
  })
  const { mayLook } = closedSite
  const mailer = createMailer(config.mail)
  const media = createMediaStore(config)
  const workshop = createPictureQueue({ directory: uploadDirectory(config.dataDirectory), log })
  const pictures = createPicturesService({ store: media, clock, log })
  const isDocument = (path: string) =>
    path.startsWith(DOCUMENTS_PATH) && cache.content().documents.has(path.slice(DOCUMENTS_PATH.length))
  const isShown = (path: string) => !isOff(path, cache.content().partsOff)
  const isKnownPath = (path: string) => isShown(path) && ((pages?.knows(path) ?? false) || isDocument(path))
  const mediaArchive = createMediaArchive(config)
  const services = createServices(
    ctx,
    { pictures, store: media, workshop },
    {
      opening,
      startedAt: clock.now(),
      restart: () => setTimeout(() => options.restart?.(), RESTART_AFTER_MS).unref(),
      isKnownPath,
      fetchPicture: options.fetchPicture ?? createPictureFetcher(),
    },
  )

  const { backup } = config
  const backups = backup ? [backupJob({ config, backup, database, clock, log, alerts })] : []
  const findDocument = documentFinder(ctx)
  const recurringJobs = [...jobsOf(services), createHousekeepingJob(db, clock), ...backups]
  const monitor = monitoring.createMonitor({ log, cache, botCheck, mailer, media, alerts, jobs: recurringJobs })
  const today = createTodayService(ctx, {
    countCredentialsToReview: services.credentialReviews.countToReview,
    countCredentialRechecks: services.credentialReviews.countDueForRecheck,
    rollOverTask: services.rollOver.task,
    approvals: services.approvals,
    siteWarnings: monitor.warnings,
    setupLeft: services.setup.siteSetup.findLeft,
    newerRelease: () => findNewerRelease(config.dataDirectory, readRelease(null).version),
  })

  await serveEndpoints(http, {
    clock,
    limiter,
    cookies,
    isClosedTo: (endpoint, { raw }) => !opening.isOpen() && waitsForOpening(endpoint) && !mayLook(raw),
    requireServed: services.demo.requireServed,
    rateLimitFactor: config.rateLimitFactor,
    limitOf: (name) => (settings().rateLimits as Record<string, { limit: number; windowSeconds: number }>)[name],
    authenticate: services.sessions.authenticate,
    views: services.views,
    admitOfficer: services.officers.authorize,
    routes: (server) => apiRoutes(server, ctx, { ...services, today }),
    rawRoutes: (server) => rawRoutes(server, services),
    uploadRoutes: (server) => uploadRoutes(server, services),
  })
  if (!config.storage) mediaFileRoutes(http, { ...config, directory: mediaDirectory(config.dataDirectory) })
  await otherRoutes(http, ctx, { ...services, mediaArchive })
  openApiRoutes(http, config.siteUrl)
  monitor.routes(http)
  const publicListing = await createPublicListing(ctx, { directory: services.directory, polling })
  pages =
    (await options.makePages?.({
      services: createPageServices(
        config,
        cache,
        (path) => isShown(path) && ((pages?.knows(path) ?? true) || isDocument(path)),
        pictures,
        services.directory.publicPage,
      ),
      contentVersion: () => `${cache.version()} ${pictures.version()} ${publicListing.isAnyoneListed()}`,
      today: cache.today,
      contentPaths: () => withPublicDirectory(cache.content().paths, publicListing.isAnyoneListed()),
      partsOff: () => cache.content().partsOff,
      movedPaths: () => withSecondAddress(cache.content().movedPaths, settings().publicDirectory),
      findRedirect: (target, options) => findRedirect(cache.content().redirects, target, { isKnownPath, ...options }),
      findDocument,
      findBrandFile: services.brandFiles.find,
      palette: () => paletteOf(settings().association.brand),
      onCompleted: monitor.onPageResponse,
      log,
    })) ?? null

  // Last: a failing start must not interrupt work in progress.
  const handlers = {
    ...checkPayloads(EFFECTS, effectHandlers(services)),
    ...emailEffects(
      EMAILS,
      { ...ctx, ...services },
      {
        mailer,
        mayEmail: (address, purpose) => mayEmail(db, address, purpose),
        findWording: (kind) => findWording(db, kind),
      },
    ),
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
  const mailings = startMailingWorker(ctx, {
    lists: services.mailingLists,
    mailer: createBulkMailer(config.mail),
    connections: settings().newsletter.connections,
    polling,
  })
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
    services,
    findDocument,
    async refreshContent() {
      await opening.refresh()
      await cache.refresh()
      await publicListing.refresh()
    },
    drain: leave,
    async close() {
      leave()
      // Slow or half-open connections must not block shutdown; cut them after `CUT_AFTER_MS`.
      const cut = setTimeout(() => http.server.closeAllConnections(), CUT_AFTER_MS)
      publicListing.stop()
      opening.stop()
      workshop.close()
      // Stop in parallel: behind a slow request or a long job such as a backup we might be killed before in-flight emails are recorded.
      await Promise.all([http.close(), jobs.stop(), mailings.stop(), outbox.stop()])
      clearTimeout(cut)
      cache.stop()
      pictures.close()
      mediaArchive.close()
      heartbeat.stop()
      mailer.close()
      monitoring.stop()
    },
  }
}
