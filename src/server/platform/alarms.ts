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

/** One letter to the officers a quarter of an hour for each kind, however often it rings (decision B14). */
const ALARM_WINDOW_MS = 15 * 60_000

export interface Alarms {
  /** Logs a line marked `alarm` and writes to the officers. `details` hold ids and codes, no personal data. */
  raise(kind: AlarmKind, details: Record<string, string | number>, db?: Db): Promise<void>
}

export function createAlarms(database: Db, clock: Clock, log: Log): Alarms {
  return {
    async raise(kind, details, db = database) {
      const now = clock.now()
      log.error({ alarm: kind, ...details }, 'alarm')
      const window = Math.floor(now / ALARM_WINDOW_MS)
      await addToOutbox(
        db,
        { kind: 'letter.alarm', payload: { kind, details }, dedupeKey: `alarm:${kind}:${window}` },
        now,
      )
    },
  }
}
