import type { Whose } from '#contract/console-merge.ts'
import { hasLiveSubscription, hasRights, membershipStatus, type MembershipFacts } from './membership.rules.ts'

/** One of two accounts, as far as it matters for making them one. */
export interface Mergeable {
  name: string
  email: string
  /** null: open. */
  closed: 'merged' | 'disabled' | 'left' | null
  holdsRole: boolean
  hasOpenOrder: boolean
  isBeingDeleted: boolean
  membership: MembershipFacts | null
}

interface Pair {
  kept: Mergeable
  merged: Mergeable
}

/** Why two accounts cannot be made one as they are, each with what to do first; none when they can. */
export function mergeObstacles({ kept, merged }: Pair, now: number, graceMs: number): string[] {
  const found: string[] = []
  for (const one of [kept, merged]) {
    const who = `${one.name} (${one.email})`
    if (one.closed === 'merged') found.push(`The account of ${who} was merged already. Merge the one it went into.`)
    if (one.closed === 'disabled') found.push(`The account of ${who} is disabled. Enable it first, if that is over.`)
    if (one.closed === 'left') found.push(`${who} has deleted this account. What was paid stays with it.`)
    if (one.isBeingDeleted) found.push(`${who} is deleting this account just now. Wait until that is over.`)
    if (one.hasOpenOrder) {
      found.push(`${who} has begun a payment. Wait until it is made or has lapsed, which takes a day at most.`)
    }
  }
  if (merged.holdsRole) {
    found.push(
      `${merged.name} (${merged.email}) holds a role in this console. Keep that account, or end the role on the page of the officers first.`,
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
      'Both accounts have a subscription at the card provider, and both would go on being charged. Stop one of them and wait until it has ended.',
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

/** Whose membership is the present one afterwards: what is charged, then what never ends, then what ends last. null: nobody has one. */
export function survivingMembership(
  { kept, merged }: { kept: MembershipFacts | null; merged: MembershipFacts | null },
  now: number,
  graceMs: number,
): Whose | null {
  if (kept === null) return merged === null ? null : 'merged'
  if (merged === null) return 'kept'
  const [ours, theirs] = [kept, merged].map((facts) => worth(facts, now, graceMs))
  if (!ours || !theirs) return 'kept'
  const at = ours.findIndex((value, index) => value !== theirs[index])
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0) ? 'merged' : 'kept'
}

function worth(facts: MembershipFacts, now: number, graceMs: number): number[] {
  const isHeld = hasRights(membershipStatus(facts, now, graceMs))
  return [hasLiveSubscription(facts) ? 1 : 0, isHeld ? 1 : 0, facts.endedAt === null ? 1 : 0, facts.endsAt ?? Infinity]
}

/** Nobody may subscribe an address anew, and nobody gets two copies: what becomes of the other address's subscription. */
export function subscriptionAfter(
  { winner, loser }: { winner: string | null; loser: string | null },
  isSuppressed: boolean,
): 'moves' | 'ends' | 'stays' {
  if (loser !== 'subscribed') return 'stays'
  if (winner === 'subscribed') return 'ends'
  return winner === null && !isSuppressed ? 'moves' : 'stays'
}

const WORDS: Record<string, [one: string, many: string]> = {
  membership: ['1 membership', 'memberships'],
  payment: ['1 payment, with its receipt', 'payments, with their receipts'],
  membership_notice: ['1 letter about the membership', 'letters about the membership'],
  credential: ['1 set of credentials', 'sets of credentials'],
  consent: ['1 consent', 'consents'],
  rsvp: ['1 RSVP', 'RSVPs'],
  sponsorship: ['1 sponsorship', 'sponsorships'],
  subscriber: ['The newsletter subscription', 'newsletter subscriptions'],
}

/** Rows by table, as officers read them: '3 payments, with their receipts'. */
export function moveWords(counts: Readonly<Partial<Record<string, number>>>): string[] {
  return Object.entries(WORDS).flatMap(([table, [one, many]]) => {
    const count = counts[table] ?? 0
    return count === 0 ? [] : [count === 1 ? one : `${count} ${many}`]
  })
}
