import type { MergeSource } from '#contract/console/merge.ts'
import {
  hasLiveSubscription,
  hasRights,
  membershipStatus,
  type MembershipSnapshot,
} from '#server/features/memberships/membership.rules.ts'

/** The properties of an account that matter for a merge. */
export interface Mergeable {
  name: string
  email: string
  /** null: open. */
  closed: 'merged' | 'disabled' | 'deceased' | 'left' | null
  holdsRole: boolean
  hasOpenOrder: boolean
  isBeingDeleted: boolean
  membership: MembershipSnapshot | null
}

interface Pair {
  kept: Mergeable
  merged: Mergeable
}

/** Why two accounts cannot be merged now, each with what to do first; empty when they can. */
export function mergeObstacles({ kept, merged }: Pair, now: number, graceMs: number): string[] {
  const found: string[] = []
  for (const one of [kept, merged]) {
    const who = `${one.name} (${one.email})`
    if (one.closed === 'merged')
      found.push(`The account of ${who} was already merged. Merge the account it was merged into.`)
    if (one.closed === 'deceased') found.push(`The death of ${who} is recorded. Undo it first, if it is wrong.`)
    if (one.closed === 'disabled') found.push(`The account of ${who} is disabled. Enable it first, if appropriate.`)
    if (one.closed === 'left') found.push(`${who} has deleted this account. Its payments stay with it.`)
    if (one.isBeingDeleted) found.push(`${who} is deleting this account. Wait until that has finished.`)
    if (one.hasOpenOrder) {
      found.push(`${who} has started a payment. Wait until it is completed or expires, within a day.`)
    }
  }
  if (merged.holdsRole) {
    found.push(
      `${merged.name} (${merged.email}) has an officer role. Keep that account, or end the role under Officers first.`,
    )
  }
  found.push(...subscriptionObstacles({ kept, merged }, now, graceMs))
  return found
}

function subscriptionObstacles({ kept, merged }: Pair, now: number, graceMs: number): string[] {
  const isLive = ({ membership }: Mergeable) => membership !== null && hasLiveSubscription(membership)
  const isForLife = ({ membership }: Mergeable) =>
    membership?.kind === 'ONE_TIME' && hasRights(membershipStatus(membership, now, graceMs))
  if (isLive(kept) && isLive(merged)) {
    return [
      'Both accounts have a subscription at the card provider, and both would still be charged. Stop one of them and wait until it has ended.',
    ]
  }
  if (isLive(merged) && isForLife(kept)) return [CHARGED_FOR_LIFE]
  if (isLive(kept) && isForLife(merged)) return [CHARGED_FOR_LIFE]
  if (isLive(merged)) {
    return [
      `The card provider charges for the account of ${merged.name} (${merged.email}). Keep that one: open its page and merge this one into it.`,
    ]
  }
  return []
}

const CHARGED_FOR_LIFE =
  'One is a member for life and the other still has a subscription at the card provider. Stop the subscription and wait until it has ended.'

/** Which membership stays current: one with a live subscription, then an active one, then the one that ends last. null when there is none. */
export function survivingMembership(
  { kept, merged }: { kept: MembershipSnapshot | null; merged: MembershipSnapshot | null },
  now: number,
  graceMs: number,
): MergeSource | null {
  if (kept === null) return merged === null ? null : 'merged'
  if (merged === null) return 'kept'
  const [ours, theirs] = [kept, merged].map((snapshot) => worth(snapshot, now, graceMs))
  if (!ours || !theirs) return 'kept'
  const at = ours.findIndex((value, index) => value !== theirs[index])
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0) ? 'merged' : 'kept'
}

function worth(snapshot: MembershipSnapshot, now: number, graceMs: number): number[] {
  const isHeld = hasRights(membershipStatus(snapshot, now, graceMs))
  return [
    hasLiveSubscription(snapshot) ? 1 : 0,
    isHeld ? 1 : 0,
    snapshot.endedAt === null ? 1 : 0,
    snapshot.endsAt ?? Infinity,
  ]
}

/** What happens to the other address's newsletter subscription: a merge never resubscribes an address and never leaves two subscriptions. */
export function newsletterOutcome(
  { winner, loser }: { winner: string | null; loser: string | null },
  isSuppressed: boolean,
): 'moves' | 'ends' | 'stays' {
  if (loser !== 'subscribed') return 'stays'
  if (winner === 'subscribed') return 'ends'
  return winner === null && !isSuppressed ? 'moves' : 'stays'
}

const LABELS: Record<string, [one: string, many: string]> = {
  membership: ['1 membership', 'memberships'],
  payment: ['1 payment, with its receipt', 'payments, with their receipts'],
  membership_reminder: ['1 membership reminder', 'membership reminders'],
  credential: ['1 set of credentials', 'sets of credentials'],
  consent: ['1 consent', 'consents'],
  member_note: ['1 note by an officer', 'notes by officers'],
  record_value: ['1 value of the member record', 'values of the member record'],
  rsvp: ['1 RSVP', 'RSVPs'],
  sponsorship: ['1 sponsorship', 'sponsorships'],
  subscriber: ['The newsletter subscription', 'newsletter subscriptions'],
}

/** Row counts by table as text for officers: '3 payments, with their receipts'. */
export function describeMovedRows(counts: Readonly<Partial<Record<string, number>>>): string[] {
  return Object.entries(LABELS).flatMap(([table, [one, many]]) => {
    const count = counts[table] ?? 0
    return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]
  })
}
