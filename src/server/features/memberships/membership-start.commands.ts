import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { setMembershipEnd } from './membership.repository.ts'
import { insertCurrentMembership, retireMembership } from './membership.commands.ts'
import { type Membership } from './membership.queries.ts'
import { addTerms } from '#contract/level-terms.ts'
import { endSubscription } from './membership.effects.ts'
import { sendWelcome } from './membership.emails.ts'
import { BY_HAND } from './membership.rules.ts'

/** When a term that starts at `from` ends; null for a lifetime level. */
export function termEnd(from: number, level: Pick<Level, 'interval' | 'intervalCount'>): number | null {
  return addTerms(from, level)
}

/** Extends a manually renewed term. Call in a transaction that holds the account's lock. */
export async function extendTerm(
  tx: Tx,
  current: Membership,
  { endsAt, actor, now, reason }: { endsAt: number; actor: string; now: number; reason?: string },
): Promise<void> {
  await setMembershipEnd(tx, current.id, { endsAt, now })
  const details = { level: current.levelKey, endsAt, before: current.endsAt, ...(reason && { reason }) }
  await writeAudit(tx, { actor, action: 'membership.renewed', subjectId: current.accountId, details }, now)
}

/** Starts a membership that replaces the current one and ends its subscription; one that renews the same level is a renewal to its member. Call in a transaction that holds the account's lock. Returns the id. */
export async function startMembership(
  tx: Tx,
  wanted: {
    accountId: string
    level: Level
    /** The current or last membership; null for none. */
    current: Membership | null
    endsAt: number | null
    subscriptionId: string | null
    actor: string
    now: number
    reason?: string
    isRenewal?: boolean
  },
): Promise<string> {
  const { accountId, level, current, endsAt, subscriptionId, actor, now, reason, isRenewal = false } = wanted
  if (current) {
    await retireMembership(tx, current.id, now)
    if (current.stripeSubscriptionId && current.endedAt === null) {
      await addToOutbox(
        tx,
        {
          effect: endSubscription,
          payload: { subscriptionId: current.stripeSubscriptionId },
          dedupeKey: `end:${current.stripeSubscriptionId}`,
        },
        now,
      )
    }
  }
  const membershipId = newId(now)
  await insertCurrentMembership(
    tx,
    {
      id: membershipId,
      accountId,
      levelKey: level.key,
      kind: level.isRecurring ? 'RECURRING' : 'ONE_TIME',
      startedAt: now,
      endsAt,
      ...BY_HAND,
      stripeSubscriptionId: subscriptionId,
      stripeStatus: subscriptionId ? 'active' : null,
    },
    now,
  )
  if (isRenewal) {
    const details = { level: level.key, endsAt, before: current && current.endsAt }
    await writeAudit(tx, { actor, action: 'membership.renewed', subjectId: accountId, details }, now)
    return membershipId
  }
  const details = { level: level.key, ...(reason && { reason, endsAt, before: current && current.levelKey }) }
  await writeAudit(tx, { actor, action: 'membership.started', subjectId: accountId, details }, now)
  await addToOutbox(
    tx,
    { effect: sendWelcome, payload: { accountId, membershipId }, dedupeKey: `welcome:${membershipId}` },
    now,
  )
  return membershipId
}
