import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'
import { addToOutbox } from './outbox.repository.ts'

export type AlarmKind =
  | 'bot-check-unavailable'
  | 'bot-check-misconfigured'
  | 'double-payment'
  | 'payment-mismatch'
  | 'effect-given-up'
  | 'webhook-refused'
  | 'card-testing'
  | 'payment-disputed'
  | 'reconciled'
  | 'stray-subscription'
  | 'mailing-refused'
  | 'mailing-waits'
  | 'letters-wait'
  | 'webhook-silent'
  | 'disk-low'
  | 'clock-off'
  | 'job-failing'
  | 'storage-away'
  | 'event-dates'
  | 'backup-failed'
  | 'backup-overdue'
  | 'unknown-payment'
  | 'passkey-copied'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000

/** What lasts until somebody does something is told once a day, or once a week. */
const LASTING: Partial<Record<string, number>> = {
  'letters-wait': DAY_MS,
  'webhook-silent': DAY_MS,
  'disk-low': DAY_MS,
  'clock-off': DAY_MS,
  'job-failing': DAY_MS,
  'storage-away': DAY_MS,
  'event-dates': 7 * DAY_MS,
} satisfies Partial<Record<AlarmKind, number>>

/** One letter to the officers in so many milliseconds for each kind, however often it rings: a quarter of an hour (decision B14), unless it lasts. */
export function alarmWindowMs(kind: string): number {
  return LASTING[kind] ?? QUARTER_MS
}

export interface Alarms {
  /** Logs a line marked `alarm` and writes to the officers. `details` hold ids and codes, no personal data. */
  raise(kind: AlarmKind, details: Record<string, string | number>, db?: Db): Promise<void>
}

export function createAlarms(database: Db, clock: Clock, log: Log): Alarms {
  return {
    async raise(kind, details, db = database) {
      const now = clock.now()
      log.error({ alarm: kind, ...details }, 'alarm')
      const window = Math.floor(now / alarmWindowMs(kind))
      await addToOutbox(
        db,
        { kind: 'letter.alarm', payload: { kind, details }, dedupeKey: `alarm:${kind}:${window}` },
        now,
      )
    },
  }
}
