import type { DeliveryResult } from '#server/emails/bulk-mailer.ts'
import type { DeliveryOutcome } from './delivery.repository.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GIVE_UP_AFTER_MS = 48 * HOUR_MS
/** If a batch of at least this size fails completely, the cause is the sender or the server, not the recipients. */
const MIN_BATCH_TO_JUDGE = 4

/** What a batch's results mean for the whole mailing. */
export type BatchResult =
  | { kind: 'going-on' }
  /** The mail server is unavailable or defers everything: retry later. */
  | { kind: 'wait'; reason: string }
  /** The mail server rejects everything: pause until an officer has looked. */
  | { kind: 'stop'; reason: string }

export function judgeBatch(verdicts: readonly DeliveryResult[]): BatchResult {
  const unsent = verdicts.find(({ kind }) => kind === 'unsent')
  if (unsent) return { kind: 'wait', reason: unsent.reason }
  if (verdicts.length < MIN_BATCH_TO_JUDGE) return { kind: 'going-on' }
  const [first] = verdicts
  if (verdicts.every(({ kind }) => kind === 'deferred')) return { kind: 'wait', reason: first?.reason ?? '' }
  if (verdicts.every(({ kind }) => kind === 'bounced' || kind === 'refused')) {
    return { kind: 'stop', reason: first?.reason ?? '' }
  }
  return { kind: 'going-on' }
}

/** If the whole batch is rejected, treats it as a server fault: requeues the copies behind untried ones and records no bounces. */
export function deliveryOutcome(
  { id, attempts }: { id: string; attempts: number },
  { kind, reason }: DeliveryResult,
  { meaning, startedAt, now }: { meaning: BatchResult; startedAt: number; now: number },
): DeliveryOutcome {
  if (meaning.kind === 'stop') return { id, state: 'waiting', reason, dueAt: now + MINUTE_MS }
  switch (kind) {
    case 'accepted':
      return { id, state: 'accepted', reason: '' }
    case 'bounced':
      return { id, state: 'bounced', reason }
    case 'refused':
      return { id, state: 'failed', reason }
    case 'uncertain':
      return { id, state: 'uncertain', reason }
    case 'unsent':
      return { id, state: 'waiting', reason, dueAt: now }
    case 'deferred':
      return now - startedAt > GIVE_UP_AFTER_MS
        ? { id, state: 'failed', reason }
        : { id, state: 'waiting', reason, dueAt: now + recipientDelayMs(attempts) }
  }
}

/** Backoff for a deferred recipient: 15 minutes, doubled on each attempt, at most 4 hours. */
function recipientDelayMs(attempts: number): number {
  return Math.min(15 * MINUTE_MS * 2 ** (attempts - 1), 4 * HOUR_MS)
}

/** Backoff for a failing mail server: 15 seconds, doubled on each failure, at most 30 minutes. */
export function serverBackoffMs(failuresInARow: number): number {
  return Math.min(15_000 * 2 ** failuresInARow, 30 * MINUTE_MS)
}
