export type AlertKind =
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
export const DAY_MS = 86_400_000

/** Windows of kinds that persist until someone fixes the cause: one email a day, or a week. */
const PERSISTENT_WINDOW_MS: Partial<Record<string, number>> = {
  'letters-wait': DAY_MS,
  'webhook-silent': DAY_MS,
  'disk-low': DAY_MS,
  'clock-off': DAY_MS,
  'job-failing': DAY_MS,
  'storage-away': DAY_MS,
  'event-dates': 7 * DAY_MS,
} satisfies Partial<Record<AlertKind, number>>

/** Each concerns one payment that an officer may have to act on (decision record 26). */
const INDIVIDUAL_KINDS = new Set<string>([
  'credit-owed',
  'credit-gone',
  'payment-disputed',
  'unknown-payment',
  'double-payment',
  'payment-mismatch',
  'stray-subscription',
] satisfies AlertKind[])

/** Limit of individual emails per kind and day; beyond it, the kind is throttled like any other. */
export const MAX_INDIVIDUAL_EMAILS_PER_DAY = 20

/** Whether each case gets an individual email: at most one a day per case. */
export function hasIndividualEmail(kind: string): boolean {
  return INDIVIDUAL_KINDS.has(kind)
}

/** Throttle window per alert kind: 15 minutes (docs/product-rules.md#bot-check), longer for persistent conditions. */
export function alertWindowMs(kind: string): number {
  return PERSISTENT_WINDOW_MS[kind] ?? QUARTER_MS
}
