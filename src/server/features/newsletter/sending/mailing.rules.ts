import type { Verdict } from '#server/mail/bulk-mailer.ts'
import type { DeliveryOutcome } from './delivery.repository.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const GIVE_UP_AFTER_MS = 48 * HOUR_MS
/** So many refusals of a whole batch are about us, not about the recipients. */
const WHOLE_BATCH = 4

/** What a batch means for the mailing as a whole. */
export type BatchMeaning =
  | { kind: 'going-on' }
  /** The mail server is away or asks for patience: try again later. */
  | { kind: 'wait'; reason: string }
  /** It refuses everybody: somebody has to look. */
  | { kind: 'stop'; reason: string }

/** Judges a batch; `verdicts` as the mail server gave them. */
export function meaningOf(verdicts: readonly Verdict[]): BatchMeaning {
  const unsent = verdicts.find(({ kind }) => kind === 'unsent')
  if (unsent) return { kind: 'wait', reason: unsent.reason }
  if (verdicts.length < WHOLE_BATCH) return { kind: 'going-on' }
  const [first] = verdicts
  if (verdicts.every(({ kind }) => kind === 'deferred')) return { kind: 'wait', reason: first?.reason ?? '' }
  if (verdicts.every(({ kind }) => kind === 'bounced' || kind === 'refused')) {
    return { kind: 'stop', reason: first?.reason ?? '' }
  }
  return { kind: 'going-on' }
}

/** What becomes of one copy. While the server refuses everybody, nobody is blamed: copies wait, behind those not tried yet. */
export function outcomeOf(
  { id, attempts }: { id: string; attempts: number },
  { kind, reason }: Verdict,
  { meaning, startedAt, now }: { meaning: BatchMeaning; startedAt: number; now: number },
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

/** A recipient who cannot take it now: after 15 minutes, then twice as long each time, up to 4 hours. */
function recipientDelayMs(attempts: number): number {
  return Math.min(15 * MINUTE_MS * 2 ** (attempts - 1), 4 * HOUR_MS)
}

/** A mail server that fails: after 15 seconds, then twice as long each time, up to half an hour. */
export function serverDelayMs(failuresInARow: number): number {
  return Math.min(15_000 * 2 ** failuresInARow, 30 * MINUTE_MS)
}
