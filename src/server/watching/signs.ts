import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dayOf } from '#contract/dates.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { compareSchema } from '../db/migrate.ts'
import { isUnmanaged } from '../features/console/role-permissions.ts'
import { lastStripeEventAt } from '../features/billing/stripe-event.repository.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AlarmKind } from '../platform/alarms.ts'
import type { BotCheck } from '../platform/bot-check.ts'
import type { Clock } from '../platform/clock.ts'
import type { Job } from '../platform/job-runner.ts'
import { outboxHealth } from '../platform/outbox.repository.ts'
import { remembered } from '../platform/remembered.ts'
import { readClockOffset } from './clock-offset.ts'
import { judgeClock, judgeDisk, judgeJobs, judgeNotices, judgeOutbox, NOTICE_PATIENCE_MS } from './signs.rules.ts'
import { lastNoticeDue, listJobs } from './watching.repository.ts'

/** One thing to watch: what `/readyz` says of it, and the alarm it rings. */
export interface Sign {
  name: string
  /** Without it this process cannot serve, and visitors are better sent to another (decision record 13). */
  isNeeded: boolean
  /** What is wrong and what to do, in a sentence; null when all is well. */
  check(): Promise<string | null>
  /** Said when `check` fails or takes too long. */
  whenSilent: string
  /** Rung by the job `watch`. */
  alarm?: AlarmKind
}

export interface SignTools {
  config: Config
  database: Database
  clock: Clock
  botCheck: BotCheck
  mailer: Mailer
  /** null where pictures lie on the disk. */
  storage: { isAway(): Promise<boolean> } | null
  jobs: readonly Job[]
  /** This process was asked to stop. */
  isLeaving(): boolean
  /** Ids of events whose date nobody can read. */
  unreadableEvents(): string[]
}

/** Outside services are asked at most so often, whoever asks us. */
const ASK_STORAGE_EVERY_MS = 3_000
const ASK_CLOCK_EVERY_MS = 300_000
const DAY_MS = 86_400_000
/** Older notices have been forgotten: nothing can be said about what they were to tell. */
const NOTICES_WITHIN_MS = 30 * DAY_MS
const UNKNOWN = 'It could not be looked at.'
export const NOBODY_MANAGES =
  'Nobody can manage the officers: the term or the account of every president has ended. Run "npm run admin -- officers appoint NAME".'

export function createSigns(tools: SignTools): Sign[] {
  return [...neededSigns(tools), ...workSigns(tools), ...machineSigns(tools), ...outsideSigns(tools)]
}

function neededSigns({ database: { db }, isLeaving }: SignTools): Sign[] {
  return [
    {
      name: 'stopping',
      isNeeded: true,
      whenSilent: UNKNOWN,
      async check() {
        return isLeaving() ? 'This instance was asked to stop: send visitors to another.' : null
      },
    },
    {
      name: 'database',
      isNeeded: true,
      whenSilent:
        'It cannot be reached: start it, or correct DATABASE_URL. Pages go on from memory until it is back, and nothing need be restarted then.',
      async check() {
        await db.selectFrom('content_version').select('version').executeTakeFirst()
        return null
      },
    },
    {
      name: 'migrations',
      isNeeded: true,
      whenSilent: 'The list of migrations cannot be read: run "npm run admin -- migrate" with this release.',
      async check() {
        if ((await compareSchema(db)) !== 'older') return null
        return 'The schema is older than this release: run "npm run admin -- migrate" with it, or start it anew.'
      },
    },
    {
      name: 'release',
      isNeeded: false,
      whenSilent: UNKNOWN,
      async check() {
        if ((await compareSchema(db)) !== 'newer') return null
        return 'The database was brought up to date by a newer release: start that one here too.'
      },
    },
  ]
}

function workSigns({ config, database: { db }, clock, jobs, unreadableEvents }: SignTools): Sign[] {
  return [
    {
      name: 'outbox',
      isNeeded: false,
      alarm: 'letters-wait',
      whenSilent: UNKNOWN,
      check: async () => judgeOutbox((await outboxHealth(db, clock.now())).waitingMs),
    },
    {
      name: 'webhook',
      isNeeded: false,
      alarm: 'webhook-silent',
      whenSilent: UNKNOWN,
      async check() {
        const now = clock.now()
        const span = { since: now - NOTICES_WITHIN_MS, until: now - NOTICE_PATIENCE_MS }
        const [dueAt, lastAt] = await Promise.all([lastNoticeDue(db, span), lastStripeEventAt(db)])
        return judgeNotices({ dueAt, lastAt, now })
      },
    },
    {
      name: 'jobs',
      isNeeded: false,
      alarm: 'job-failing',
      whenSilent: UNKNOWN,
      async check() {
        const states = await listJobs(db)
        const known = jobs.flatMap(({ name, everyMs }) => {
          const state = states.find((candidate) => candidate.name === name)
          return state ? [{ ...state, everyMs }] : []
        })
        return judgeJobs(known, clock.now())
      },
    },
    {
      name: 'officers',
      isNeeded: false,
      whenSilent: UNKNOWN,
      check: async () => ((await isUnmanaged(db, dayOf(clock.now(), config.timeZone))) ? NOBODY_MANAGES : null),
    },
    {
      name: 'events',
      isNeeded: false,
      alarm: 'event-dates',
      whenSilent: UNKNOWN,
      async check() {
        const ids = unreadableEvents()
        if (ids.length === 0) return null
        return `Dates that cannot be read, so these events are shown as past: ${ids.join(', ')}. Write them like "December 12-14, 2026".`
      },
    },
  ]
}

function machineSigns({ config }: SignTools): Sign[] {
  const file = /^sqlite:(.+)$/.exec(config.databaseUrl)?.[1]
  const folders = new Set([config.dataDirectory, ...(file && file !== ':memory:' ? [dirname(file)] : [])])
  const clockOffset = remembered(ASK_CLOCK_EVERY_MS, () => readClockOffset(config.stripe.apiUrl))
  return [
    {
      name: 'disk',
      isNeeded: false,
      alarm: 'disk-low',
      whenSilent: 'The folder of the data (DATA_DIR) cannot be read.',
      async check() {
        for (const folder of folders) {
          const { bavail, blocks, bsize } = await statfs(folder)
          const reason = judgeDisk({ free: bavail * bsize, size: blocks * bsize })
          if (reason) return reason
        }
        return null
      },
    },
    {
      name: 'clock',
      isNeeded: false,
      alarm: 'clock-off',
      whenSilent: UNKNOWN,
      check: async () => judgeClock(await clockOffset()),
    },
  ]
}

function outsideSigns({ botCheck, mailer, storage }: SignTools): Sign[] {
  const isStorageAway = storage && remembered(ASK_STORAGE_EVERY_MS, () => storage.isAway())
  return [
    {
      name: 'bot-check',
      isNeeded: false,
      whenSilent: UNKNOWN,
      async check() {
        const trouble = await botCheck.trouble()
        if (trouble === 'misconfigured') {
          return 'The provider refuses our key: correct RECAPTCHA_SECRET_KEY. Until then nobody can register.'
        }
        if (trouble === null) return null
        return 'The provider does not answer: log-in and password reset go on without it, registrations wait. Look at its status page.'
      },
    },
    {
      name: 'mail',
      isNeeded: false,
      whenSilent: 'The mail server does not answer: letters wait and go out when it is back.',
      async check() {
        const trouble = await mailer.trouble()
        if (trouble === null) return null
        return `The mail server does not take letters (${trouble}): they wait and go out when it does. Run "npm run admin -- mail test".`
      },
    },
    ...(isStorageAway
      ? [
          {
            name: 'storage',
            isNeeded: false,
            alarm: 'storage-away' as const,
            whenSilent: 'The object storage does not answer: pages show the pictures they had, or their own.',
            check: async () =>
              (await isStorageAway())
                ? 'The object storage does not answer or refuses our keys: pages show the pictures they had, or their own. Check S3_ENDPOINT and its keys.'
                : null,
          },
        ]
      : []),
  ]
}
