import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'
import { addToOutbox, listDedupeKeys } from './outbox.repository.ts'

export type AlarmKind =
  | 'bot-check-unavailable'
  | 'bot-check-misconfigured'
  | 'double-payment'
  | 'payment-mismatch'
  | 'effect-given-up'
  | 'webhook-refused'
  | 'card-testing'
  | 'payment-disputed'
  | 'credit-owed'
  | 'credit-gone'
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

/** Each is about a payment of its own, which an officer may have to act on (decision record 26). */
const TOLD_SINGLY = new Set<string>([
  'credit-owed',
  'credit-gone',
  'payment-disputed',
  'unknown-payment',
  'double-payment',
  'payment-mismatch',
  'stray-subscription',
] satisfies AlarmKind[])

/** Letters of one kind in a day that name one payment each; beyond, they come as rarely as those of any other kind. */
export const SINGLE_LETTERS_A_DAY = 20

/** Whether each has a letter of its own: once a day, however often it rings. */
export function isToldSingly(kind: string): boolean {
  return TOLD_SINGLY.has(kind)
}

/** One letter to the officers in so many milliseconds for each kind, however often it rings: a quarter of an hour (docs/product-rules.md#bot-check), unless it lasts, or each is told singly. */
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
      const singleKey = isToldSingly(kind) ? await findSingleKey(db, { kind, details, now }) : null
      const payload = { kind, details, isOfMany: isToldSingly(kind) && singleKey === null }
      const dedupeKey = singleKey ?? `alarm:${kind}:${Math.floor(now / alarmWindowMs(kind))}`
      await addToOutbox(db, { kind: 'letter.alarm', payload, dedupeKey }, now)
    },
  }
}

/** The key of a letter about just this; null when there were enough of them today. */
async function findSingleKey(
  db: Db,
  { kind, details, now }: { kind: AlarmKind; details: Record<string, string | number>; now: number },
): Promise<string | null> {
  const day = Math.floor(now / DAY_MS)
  // What it names may be longer than an index takes.
  const about = createHash('sha256').update(JSON.stringify(details)).digest('base64url')
  const key = `alarm:${kind}:${about}:${day}`
  const told = await listDedupeKeys(db, `alarm:${kind}:%:${day}`)
  return told.length < SINGLE_LETTERS_A_DAY || told.includes(key) ? key : null
}
