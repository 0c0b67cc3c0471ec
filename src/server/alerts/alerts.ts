import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Log } from '#server/lib/logger.ts'
import { addToOutbox, listDedupeKeys } from '#server/jobs/outbox.repository.ts'
import { sendAlert } from './alert.emails.ts'
import {
  alertWindowMs,
  DAY_MS,
  hasIndividualEmail,
  MAX_INDIVIDUAL_EMAILS_PER_DAY,
  type AlertKind,
} from './alert-limits.rules.ts'

export interface Alerts {
  /** Logs a line marked `alarm` and emails the officers. `details` holds ids and codes, no personal data. */
  raise(kind: AlertKind, details: Record<string, string | number>, db?: Db): Promise<void>
}

export function createAlerts(database: Db, clock: Clock, log: Log): Alerts {
  return {
    async raise(kind, details, db = database) {
      const now = clock.now()
      log.error({ alarm: kind, ...details }, 'alarm')
      const individualKey = hasIndividualEmail(kind) ? await findIndividualKey(db, { kind, details, now }) : null
      const payload = { kind, details, isOfMany: hasIndividualEmail(kind) && individualKey === null }
      const dedupeKey = individualKey ?? `alarm:${kind}:${Math.floor(now / alertWindowMs(kind))}`
      await addToOutbox(db, { effect: sendAlert, payload, dedupeKey }, now)
    },
  }
}

/** Returns the dedupe key of an individual email; null once today's limit is reached. */
async function findIndividualKey(
  db: Db,
  { kind, details, now }: { kind: AlertKind; details: Record<string, string | number>; now: number },
): Promise<string | null> {
  const day = Math.floor(now / DAY_MS)
  // Hashed: the details may exceed the maximum length of an index key.
  const detailsHash = createHash('sha256').update(JSON.stringify(details)).digest('base64url')
  const key = `alarm:${kind}:${detailsHash}:${day}`
  const queuedKeys = await listDedupeKeys(db, `alarm:${kind}:%:${day}`)
  return queuedKeys.length < MAX_INDIVIDUAL_EMAILS_PER_DAY || queuedKeys.includes(key) ? key : null
}
