import type { FastifyInstance } from 'fastify'
import { login } from '#contract/public/auth.ts'
import { stripeWebhook } from '#contract/public/billing.ts'
import { lastBackupAt } from '#server/backup/backup.job.ts'
import type { Config } from '#server/config/config.ts'
import type { Database, Db } from '#server/db/database.ts'
import type { ContentCache } from '#server/features/content/content-cache.service.ts'
import { findLastStripeEventTime } from '#server/features/orders/stripe-event.repository.ts'
import { healthRoutes, runHealthChecks, type Finding } from '#server/http/health.routes.ts'
import type { Mailer } from '#server/emails/mailer.ts'
import type { MediaStore } from '#server/media-store/media-store.ts'
import type { CompletedRequest, ResponseSource } from '#server/pages/page-server.ts'
import type { Alerts } from '#server/alerts/alerts.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import type { Log } from '#server/lib/logger.ts'
import { outboxHealth } from '#server/jobs/outbox-records.repository.ts'
import { readRelease } from './process-stats.ts'
import { Traffic, type RequestKind } from '#server/lib/traffic.ts'
import { createDetailsAccess } from './details-access.ts'
import { createMetrics } from './metrics.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { measureProcess } from './process-stats.ts'
import { createHealthChecks } from './health-checks.ts'
import { monitoringJob } from './monitoring.job.ts'

const DAY_MS = 86_400_000
const CHECK_INTERVAL_MS = 1_000
const KIND_BY_SOURCE: Record<ResponseSource, RequestKind> = {
  memory: 'page',
  made: 'page',
  file: 'file',
  document: 'document',
  none: 'other',
}

/** Sets up the monitoring of an application: request counting starts immediately, the rest once its parts exist. */
export function startMonitoring({
  config,
  database,
  clock,
  isLeaving: isDraining,
  polling,
}: {
  config: Config
  database: Database
  clock: Clock
  /** Whether this process is shutting down and takes no new visitors. */
  isLeaving(): boolean
  /** Off where a test controls time: `/readyz` then runs its checks on every request. */
  polling: boolean
}) {
  const traffic = new Traffic({ login: login.path, webhook: stripeWebhook.path })
  const processStats = measureProcess()
  const { db } = database

  return {
    onCallResponse: (route: string | undefined, status: number, ms: number) => traffic.recordCall(route, status, ms),

    createMonitor(parts: {
      log: Log
      cache: ContentCache
      botCheck: BotCheck
      mailer: Mailer
      media: MediaStore
      alerts: Alerts
      jobs: readonly Job[]
    }) {
      const { cache, media, log } = parts
      const checks = createHealthChecks({
        ...parts,
        config,
        database,
        clock,
        isDraining,
        storage: config.storage && {
          isAway: () =>
            media.list('home', 'hero').then(
              () => false,
              () => true,
            ),
        },
        listUnparseableEvents: () =>
          [...cache.content().events.values()].filter(({ startsOn }) => startsOn === null).map(({ id }) => id),
      })
      return {
        job: monitoringJob(checks, parts.alerts),
        /** Current problems, as the warnings of `/readyz`. */
        warnings: (): Promise<Finding[]> => runHealthChecks(checks),
        onPageResponse(request: CompletedRequest): void {
          const { source, status, ms } = request
          traffic.recordResponse(KIND_BY_SOURCE[source], status, ms)
          if (source === 'memory') traffic.cachedPages++
          else if (source === 'made') traffic.renderedPages++
          // Unknown paths are not logged: visitors may type anything.
          log.debug(status === 404 ? { ...request, path: 'unknown' } : request, 'page answered')
        },
        routes(app: FastifyInstance): void {
          healthRoutes(app, {
            checks,
            readDetails: () => readinessDetails(db, clock, config.backup),
            mayReadDetails: createDetailsAccess(config),
            isDraining,
            cacheMs: polling ? CHECK_INTERVAL_MS : 0,
          })
          metricsRoutes(app, {
            token: config.metricsToken,
            // The site does not terminate TLS: in production there is a proxy in front.
            isBehindProxy: config.production || config.trustProxy !== false,
            metrics: createMetrics({
              database,
              clock,
              traffic,
              process: processStats,
              graceMs: () => cache.content().settings.membership.graceDays * DAY_MS,
              release: readRelease(config.buildDirectory),
            }),
          })
        },
      }
    },

    stop: processStats.stop,
  }
}

/** How long the outbox is overdue, its dead letters, the last webhook event and the last backup. */
async function readinessDetails(
  db: Db,
  clock: Clock,
  backup: Config['backup'],
): Promise<Record<string, string | number | null>> {
  const [{ waitingMs, dead }, lastEventAt, lastBackup] = await Promise.all([
    outboxHealth(db, clock.now()),
    findLastStripeEventTime(db),
    backup && lastBackupAt(backup.directory),
  ])
  return {
    outboxWaitingSeconds: Math.round(waitingMs / 1_000),
    outboxGivenUp: dead,
    lastWebhookAt: lastEventAt === null ? null : new Date(lastEventAt).toISOString(),
    ...(backup && { lastBackupAt: lastBackup === null ? null : new Date(lastBackup).toISOString() }),
  }
}
