import type { MemberEmailTopic, Reach, ReachReason, ReachWay } from '#contract/console/emails/member-emails.ts'

/** What decides how a person on the list is reached. */
export interface ReachFacts {
  ended: 'deleted' | 'disabled' | 'deceased' | null
  /** Why nothing may be sent to the address, or that there is none. */
  blocked: 'no-email' | 'bounced' | 'complained' | null
  /** Whether the person wants emails about the topic; always true for a notice. */
  isWanted: boolean
  hasPostalAddress: boolean
}

export interface ReachResult {
  way: ReachWay
  /** null for an email. */
  reason: ReachReason | null
}

/**
 * How a person is reached (docs/product-rules.md#emails-to-members). A notice goes to everyone who has an account: by post to those whom no email reaches.
 * Other emails go to those who want them.
 */
export function reachOf(
  topic: MemberEmailTopic,
  { ended, blocked, isWanted, hasPostalAddress }: ReachFacts,
): ReachResult {
  if (ended !== null) return { way: 'left-out', reason: ended }
  if (topic === 'notice') {
    if (blocked === null) return { way: 'email', reason: null }
    return { way: hasPostalAddress ? 'post' : 'left-out', reason: blocked }
  }
  if (blocked === 'no-email') return { way: 'left-out', reason: blocked }
  if (blocked !== null) return { way: 'barred', reason: blocked }
  return isWanted ? { way: 'email', reason: null } : { way: 'barred', reason: 'not-wanted' }
}

/** The four ways add up to everyone on the list. @param results each of one person, or with the number of people who have it */
export function countReach(results: Iterable<ReachResult & { people?: number }>): Reach {
  const counts = { email: 0, post: 0, barred: 0, 'left-out': 0 }
  const reasons = new Map<string, Reach['reasons'][number]>()
  let total = 0
  for (const { way, reason, people = 1 } of results) {
    total += people
    counts[way] += people
    if (reason === null) continue
    const key = `${way} ${reason}`
    reasons.set(key, { way, reason, count: (reasons.get(key)?.count ?? 0) + people })
  }
  const { 'left-out': leftOut, ...others } = counts
  return { total, ...others, leftOut, reasons: [...reasons.entries()].sort(byCount).map(([, reason]) => reason) }
}

/** The most frequent first; those as frequent always in the same order. */
function byCount(
  [one, { count }]: [string, { count: number }],
  [other, { count: another }]: [string, { count: number }],
) {
  return another - count || one.localeCompare(other)
}
