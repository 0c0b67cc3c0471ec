import type { ReaderVerdict } from '#contract/console/subscribers.ts'
import type { SubscriberState } from '../subscribers/subscriber.queries.ts'
import type { ReaderStatus } from './reader-status.rules.ts'
import type { ImportedSubscriber } from './subscriber-file.rules.ts'

/** What this site knows about an address. */
export interface KnownReader {
  /** null: no subscriber. */
  state: SubscriberState | null
  /** The day on which its owner confirmed here, `YYYY-MM-DD`; null if never. */
  confirmedOn: string | null
  /** Why nothing is sent to it; null if it is not on the suppression list. */
  suppressedFor: string | null
}

/** The reason on the suppression list, and the state of a subscriber, of those who receive nothing. */
export const BLOCKS = {
  unsubscribed: { reason: 'left', state: 'left' },
  bounced: { reason: 'bounce', state: 'bounced' },
  complained: { reason: 'complaint', state: 'complained' },
} as const

/**
 * What an import does with an address. Someone who left, bounced or complained elsewhere is never written to from here, except if the owner confirmed here after that day: an
 * officer's import cannot say otherwise, and a day that the file does not have is no proof.
 */
export function judgeReader({ status, on }: ImportedSubscriber, known: KnownReader): ReaderVerdict {
  if (status === 'none') return 'no-consent'
  if (status === 'subscribed') {
    if (known.suppressedFor !== null) return 'suppressed'
    return known.state === null ? 'added' : 'known'
  }
  const isReader = known.state === 'subscribed' || known.state === 'pending'
  if (isReader) return known.confirmedOn !== null && on !== null && known.confirmedOn > on ? 'newer-consent' : 'ended'
  const isBlocked = known.suppressedFor !== null && (status === 'unsubscribed' || known.suppressedFor !== 'left')
  return isBlocked ? 'suppressed' : 'blocked'
}

/** What an import does with a row, in sentences. Addresses that bounced or complained get no emails to members either (docs/product-rules.md#suppression). */
export function verdictSentence(verdict: ReaderVerdict, status: ReaderStatus): string {
  const blocksMembers = (verdict === 'blocked' || verdict === 'ended') && status !== 'unsubscribed'
  return blocksMembers ? `${SENTENCES[verdict]} ${BY_POST}` : SENTENCES[verdict]
}

const BY_POST = 'Emails to members are not sent to it either; notices reach a member by post.'

const SENTENCES: Record<ReaderVerdict, string> = {
  added: 'Is added.',
  known: 'Is on the list already; nothing changes.',
  suppressed: 'Is on the do-not-email list already; nothing changes, and only the owner can subscribe again.',
  'no-consent': 'Did not agree to the newsletter there; is not added.',
  blocked: 'Unsubscribed or bounced there; is added to the do-not-email list, and only the owner can subscribe again.',
  ended: 'Is a subscriber here, but unsubscribed or bounced there; is unsubscribed here too, without an email.',
  'newer-consent': 'Unsubscribed or bounced there, but confirmed here after that day; stays a subscriber.',
}
