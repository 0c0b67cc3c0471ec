import type { MembershipTable } from '#server/db/schema/membership-schema.ts'
import { pastDueEndsAt } from '#server/features/memberships/membership.rules.ts'

export type MembershipSpan = Pick<
  MembershipTable,
  | 'kind'
  | 'startedAt'
  | 'endsAt'
  | 'endedAt'
  | 'stripeStatus'
  | 'cancelAtPeriodEnd'
  | 'pastDueSince'
  | 'nextAttemptAt'
  | 'gaveUpAt'
>

const NEVER_BEGAN = new Set(['incomplete', 'incomplete_expired'])
const RUNNING = new Set(['active', 'trialing'])

/**
 * When the rights of a membership ended or end, as far as is known: whichever is first of its end, of the time after a failed renewal, and of its last
 * term; null while it goes on. A membership is one unbroken span, since a member who comes back gets another one: so this also tells of days long past.
 */
export function spanEndsAt(span: MembershipSpan, graceMs: number): number | null {
  const { kind, startedAt, endsAt, endedAt, stripeStatus, cancelAtPeriodEnd, pastDueSince } = span
  if (stripeStatus !== null && NEVER_BEGAN.has(stripeStatus)) return startedAt
  const isAwaited = stripeStatus !== null && RUNNING.has(stripeStatus) && cancelAtPeriodEnd === 0 && endedAt === null
  const last = pastDueSince === null ? (kind === 'ONE_TIME' || isAwaited ? null : endsAt) : pastDueEndsAt(span, graceMs)
  const ends = [endedAt, last].filter((end) => end !== null)
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Whether a membership gave rights at an instant, or had ended less than `extraMs` before. */
export function gaveRights(
  span: MembershipSpan,
  at: number,
  { graceMs, extraMs }: { graceMs: number; extraMs: number },
): boolean {
  if (span.startedAt > at) return false
  const end = spanEndsAt(span, graceMs)
  // One that never began has no time after its end.
  return end === null || (end > span.startedAt && at < end + extraMs)
}

export interface AccountEvent {
  at: number
  action: string
}

/** Actions in the audit log that close an account, and that open it again. */
export const CLOSING = [
  'account.deleted',
  'account.ended',
  'account.disabled',
  'account.merged_into',
  'person.deceased',
]
export const OPENING = ['account.enabled', 'account.merge_undone', 'person.state_undone']

/** Whether an account was open at an instant, by what the audit log says, oldest first. @param isOpenNow counts if it says nothing */
export function wasOpen(events: readonly AccountEvent[], at: number, isOpenNow: boolean): boolean {
  const before = events.findLast((event) => event.at <= at)
  if (before) return OPENING.includes(before.action)
  const after = events.find((event) => event.at > at)
  // What closed it later found it open.
  return after ? CLOSING.includes(after.action) : isOpenNow
}
