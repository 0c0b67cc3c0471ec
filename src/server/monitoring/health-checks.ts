import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dayOf } from '#contract/dates/dates.ts'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import { compareSchema } from '#server/db/migrate.ts'
import { hasLostManagers } from '#server/features/officers/role-permissions.queries.ts'
import { findLastStripeEventTime } from '#server/features/orders/stripe-event.repository.ts'
import type { Mailer } from '#server/emails/mailer.ts'
import type { AlertKind } from '#server/alerts/alert-limits.rules.ts'
import type { BotCheck } from '#server/limits/bot-check.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Job } from '#server/jobs/job-runner.ts'
import { outboxHealth } from '#server/jobs/outbox-records.repository.ts'
import { readPassCertificate } from '#server/lib/pass-certificate.ts'
import { cacheFor } from '#server/lib/cache-for.ts'
import {
  checkClockOffset,
  checkDiskSpace,
  checkFailingJobs,
  checkWebhookSilence,
  checkOutboxDelay,
  checkPassCertificate,
  MAX_WEBHOOK_DELAY_MS,
} from './health-checks.rules.ts'
import { findLastExpectedEvent, listJobs } from './monitoring.repository.ts'

const STRIPE_API_URL = 'https://api.stripe.com'
const TIMEOUT_MS = 2_500
/** A Date header has whole seconds: on average it is half a second behind. */
const HALF_A_SECOND_MS = 500

/** A health check: its result for `/readyz`, and the alert it raises. */
export interface HealthCheck {
  name: string
  /** If it fails, this process cannot serve, and visitors should be routed to another (decision record 13). */
  isRequired: boolean
  /** Returns the problem and what to do; null when all is well. */
  check(): Promise<string | null>
  /** The message when `check` throws or takes too long. */
  failureMessage: string
  /** Raised by the job `watch`. */
  alert?: AlertKind
}

export interface HealthCheckTools {
  config: Config
  database: Database
  clock: Clock
  botCheck: BotCheck
  mailer: Mailer
  /** null when pictures are stored on disk. */
  storage: { isAway(): Promise<boolean> } | null
  jobs: readonly Job[]
  /** The process is shutting down. */
  isDraining(): boolean
  /** Ids of events whose date cannot be parsed. */
  listUnparseableEvents(): string[]
}

/** External services are queried at most this often, however often /readyz is called. */
const STORAGE_CACHE_MS = 3_000
const CLOCK_CACHE_MS = 300_000
const DAY_MS = 86_400_000
/** Older webhook events have been deleted, so nothing older can be checked. */
const EVENT_RETENTION_MS = 30 * DAY_MS
const UNKNOWN = 'This could not be checked.'
export const NO_OFFICER_MANAGER_MESSAGE =
  'No one can manage the officers: the term or the account of every president has ended. Run "npm run admin -- officers appoint NAME".'

export function createHealthChecks(tools: HealthCheckTools): HealthCheck[] {
  return [...requiredChecks(tools), ...workChecks(tools), ...machineChecks(tools), ...externalChecks(tools)]
}

function requiredChecks({ database: { db }, isDraining: isLeaving }: HealthCheckTools): HealthCheck[] {
  return [
    {
      name: 'stopping',
      isRequired: true,
      failureMessage: UNKNOWN,
      async check() {
        return isLeaving() ? 'This instance is shutting down. Route visitors to another one.' : null
      },
    },
    {
      name: 'database',
      isRequired: true,
      failureMessage:
        'The database cannot be reached. Start it, or correct DATABASE_URL. Until then, pages are served from the cache. The site does not need a restart afterward.',
      async check() {
        await db.selectFrom('contentVersion').select('version').executeTakeFirst()
        return null
      },
    },
    {
      name: 'migrations',
      isRequired: true,
      failureMessage: 'The list of migrations cannot be read. Run "npm run admin -- migrate" with this release.',
      async check() {
        if ((await compareSchema(db)) !== 'older') return null
        return 'The schema is older than this release. Run "npm run admin -- migrate" with it, or restart the site.'
      },
    },
    {
      name: 'release',
      isRequired: false,
      failureMessage: UNKNOWN,
      async check() {
        if ((await compareSchema(db)) !== 'newer') return null
        return 'The database was migrated by a newer release. Start that release here too.'
      },
    },
  ]
}

function workChecks({
  database: { db },
  clock,
  jobs,
  listUnparseableEvents: unreadableEvents,
}: HealthCheckTools): HealthCheck[] {
  return [
    {
      name: 'outbox',
      isRequired: false,
      alert: 'letters-wait',
      failureMessage: UNKNOWN,
      check: async () => checkOutboxDelay((await outboxHealth(db, clock.now())).waitingMs),
    },
    {
      name: 'webhook',
      isRequired: false,
      alert: 'webhook-silent',
      failureMessage: UNKNOWN,
      async check() {
        const now = clock.now()
        const span = { since: now - EVENT_RETENTION_MS, until: now - MAX_WEBHOOK_DELAY_MS }
        const [dueAt, lastAt] = await Promise.all([findLastExpectedEvent(db, span), findLastStripeEventTime(db)])
        return checkWebhookSilence({ dueAt, lastAt, now })
      },
    },
    {
      name: 'jobs',
      isRequired: false,
      alert: 'job-failing',
      failureMessage: UNKNOWN,
      async check() {
        const states = await listJobs(db)
        const known = jobs.flatMap(({ name, everyMs }) => {
          const state = states.find((candidate) => candidate.name === name)
          return state ? [{ ...state, everyMs }] : []
        })
        return checkFailingJobs(known, clock.now())
      },
    },
    {
      name: 'officers',
      isRequired: false,
      failureMessage: UNKNOWN,
      check: async () => ((await hasLostManagers(db, dayOf(clock.now()))) ? NO_OFFICER_MANAGER_MESSAGE : null),
    },
    {
      name: 'events',
      isRequired: false,
      alert: 'event-dates',
      failureMessage: UNKNOWN,
      async check() {
        const ids = unreadableEvents()
        if (ids.length === 0) return null
        return `Dates that cannot be read, so these events are shown as past: ${ids.join(', ')}. Write dates like "December 12-14, 2026".`
      },
    },
  ]
}

function machineChecks({ config }: HealthCheckTools): HealthCheck[] {
  const file = /^sqlite:(.+)$/.exec(config.databaseUrl)?.[1]
  const folders = new Set([config.dataDirectory, ...(file && file !== ':memory:' ? [dirname(file)] : [])])
  const clockOffset = cacheFor(CLOCK_CACHE_MS, () => readClockOffset(config.stripe.apiUrl))
  return [
    {
      name: 'disk',
      isRequired: false,
      alert: 'disk-low',
      failureMessage: 'The data directory (DATA_DIR) cannot be read.',
      async check() {
        for (const folder of folders) {
          const { bavail, blocks, bsize } = await statfs(folder)
          const reason = checkDiskSpace({ free: bavail * bsize, size: blocks * bsize })
          if (reason) return reason
        }
        return null
      },
    },
    {
      name: 'clock',
      isRequired: false,
      alert: 'clock-off',
      failureMessage: UNKNOWN,
      check: async () => checkClockOffset(await clockOffset()),
    },
  ]
}

function externalChecks({ config, clock, botCheck, mailer, storage }: HealthCheckTools): HealthCheck[] {
  const { appleWallet } = config
  const isStorageAway = storage && cacheFor(STORAGE_CACHE_MS, () => storage.isAway())
  return [
    {
      name: 'bot-check',
      isRequired: false,
      failureMessage: UNKNOWN,
      async check() {
        const trouble = await botCheck.findProblem()
        if (trouble === 'misconfigured') {
          return 'The provider refuses our key. Correct RECAPTCHA_SECRET_KEY. Until then, no one can register.'
        }
        if (trouble === null) return null
        return 'The provider does not respond. Log-in and password reset work without it; registration does not. Check its status page.'
      },
    },
    {
      name: 'mail',
      isRequired: false,
      failureMessage: 'The mail server does not respond. Emails are queued until it is back.',
      async check() {
        const trouble = await mailer.lastFailure()
        if (trouble === null) return null
        return `The mail server does not accept emails (${trouble}). They are queued until it does. Run "npm run admin -- mail test".`
      },
    },
    ...(appleWallet
      ? [
          {
            name: 'apple-wallet',
            isRequired: false,
            failureMessage: UNKNOWN,
            async check() {
              const endsAt = readPassCertificate(appleWallet.certificate)?.expiresAt ?? null
              return checkPassCertificate(endsAt, clock.now())
            },
          },
        ]
      : []),
    ...(isStorageAway
      ? [
          {
            name: 'storage',
            isRequired: false,
            alert: 'storage-away' as const,
            failureMessage: 'The object storage does not respond. Pages show cached or built-in pictures.',
            check: async () =>
              (await isStorageAway())
                ? 'The object storage does not respond or refuses our keys. Pages show cached or built-in pictures. Check S3_ENDPOINT and its keys.'
                : null,
          },
        ]
      : []),
  ]
}

/**
 * How far this machine's clock is ahead of the card provider's, in milliseconds, from the Date header of a response; null when the provider is unreachable.
 * Measures the system time, not the clock that stand-ins may have advanced.
 */
async function readClockOffset(apiUrl: string | null): Promise<number | null> {
  const startedAt = Date.now()
  try {
    const response = await fetch(apiUrl ?? STRIPE_API_URL, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    const remoteTime = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(remoteTime) ? null : (startedAt + Date.now()) / 2 - (remoteTime + HALF_A_SECOND_MS)
  } catch {
    return null
  }
}
