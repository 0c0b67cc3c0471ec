import type { FastifyInstance } from 'fastify'
import { login } from '#contract/auth.ts'
import { stripeWebhook } from '#contract/billing.ts'
import { lastBackupAt } from '../backup/backup.job.ts'
import type { Config } from '../config/config.ts'
import type { Database, Db } from '../db/database.ts'
import type { ContentCache } from '../features/association/content-cache.ts'
import { lastStripeEventAt } from '../features/billing/stripe-event.repository.ts'
import { healthRoutes, look, type Finding } from '../http/health.routes.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { MediaStore } from '../media/media-store.ts'
import type { AnsweredRequest, AnswerSource } from '../pages/page-server.ts'
import type { Alarms } from '../platform/alarms.ts'
import type { BotCheck } from '../platform/bot-check.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import type { Log } from '../platform/logger.ts'
import { outboxHealth } from '../platform/outbox.repository.ts'
import { readRelease } from '../platform/release.ts'
import { Traffic, type RequestKind } from '../platform/traffic.ts'
import { detailsReader } from './details-reader.ts'
import { createMetrics } from './metrics.ts'
import { metricsRoutes } from './metrics.routes.ts'
import { watchProcess } from './process-facts.ts'
import { createSigns } from './signs.ts'
import { watchJob } from './watch.job.ts'

const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 1_000
const KIND_OF: Record<AnswerSource, RequestKind> = {
  memory: 'page',
  made: 'page',
  file: 'file',
  document: 'document',
  none: 'other',
}

/** What an application is watched with: counting begins at once, the rest when its parts are there. */
export function startWatching({
  config,
  database,
  clock,
  isLeaving,
  polling,
}: {
  config: Config
  database: Database
  clock: Clock
  /** This process was asked to stop and takes no new visitors. */
  isLeaving(): boolean
  /** Off where a test moves everything itself: `/readyz` then looks each time. */
  polling: boolean
}) {
  const traffic = new Traffic({ login: login.path, notices: stripeWebhook.path })
  const facts = watchProcess()
  const { db } = database

  return {
    onCallAnswered: (route: string | undefined, status: number, ms: number) => traffic.answeredCall(route, status, ms),

    watch(parts: {
      log: Log
      cache: ContentCache
      botCheck: BotCheck
      mailer: Mailer
      media: MediaStore
      alarms: Alarms
      jobs: readonly Job[]
    }) {
      const { cache, media, log } = parts
      const signs = createSigns({
        ...parts,
        config,
        database,
        clock,
        isLeaving,
        storage: config.storage && {
          isAway: () =>
            media.list('home', 'hero').then(
              () => false,
              () => true,
            ),
        },
        unreadableEvents: () =>
          [...cache.content().events.values()].filter(({ startsOn }) => startsOn === null).map(({ id }) => id),
      })
      return {
        job: watchJob(signs, parts.alarms),
        /** What somebody should look at, as `/readyz` warns. */
        warnings: (): Promise<Finding[]> => look(signs),
        onPageAnswered(answered: AnsweredRequest): void {
          const { source, status, ms } = answered
          traffic.answered(KIND_OF[source], status, ms)
          if (source === 'memory') traffic.pagesFromMemory++
          else if (source === 'made') traffic.pagesMade++
          // What somebody typed is no page of ours and may be anything.
          log.debug(status === 404 ? { ...answered, path: 'unknown' } : answered, 'page answered')
        },
        routes(app: FastifyInstance): void {
          healthRoutes(app, {
            checks: signs,
            facts: () => readinessFacts(db, clock, config.backup),
            mayReadDetails: detailsReader(config),
            isLeaving,
            lookEveryMs: polling ? LOOK_EVERY_MS : 0,
          })
          metricsRoutes(app, {
            token: config.metricsToken,
            // The site speaks no TLS itself: a real one has a proxy in front.
            isBehindProxy: config.production || config.trustProxy !== false,
            metrics: createMetrics({
              database,
              clock,
              traffic,
              process: facts,
              graceMs: () => cache.content().settings.membership.graceDays * DAY_MS,
              release: readRelease(config.buildDirectory),
            }),
          })
        },
      }
    },

    stop: facts.stop,
  }
}

/** How long the outbox waits, what it gave up, when the card provider was heard of last, and when the last backup was made. */
async function readinessFacts(
  db: Db,
  clock: Clock,
  backup: Config['backup'],
): Promise<Record<string, string | number | null>> {
  const [{ waitingMs, dead }, lastNotice, lastBackup] = await Promise.all([
    outboxHealth(db, clock.now()),
    lastStripeEventAt(db),
    backup && lastBackupAt(backup.directory),
  ])
  return {
    outboxWaitingSeconds: Math.round(waitingMs / 1_000),
    outboxGivenUp: dead,
    lastWebhookAt: lastNotice === null ? null : new Date(lastNotice).toISOString(),
    ...(backup && { lastBackupAt: lastBackup === null ? null : new Date(lastBackup).toISOString() }),
  }
}
