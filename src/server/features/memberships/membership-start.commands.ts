import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import { newId } from '#server/platform/ids.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import type { Level } from './level.repository.ts'
import {
  extendMembership,
  insertCurrentMembership,
  retireMembership,
  type Membership,
} from './membership.repository.ts'
import { addInterval } from './membership.rules.ts'

/** The end of a term of a level that begins at an instant; null for lifetime. */
export function termEnd(from: number, level: Pick<Level, 'interval' | 'intervalCount'>): number | null {
  return level.interval ? addInterval(from, level.interval, level.intervalCount ?? 1) : null
}

/** Moves a term that is renewed by hand on to an instant, in a transaction that holds the account's lock. */
export async function extendTerm(
  tx: Tx,
  current: Membership,
  { endsAt, actor, now, reason }: { endsAt: number; actor: string; now: number; reason?: string },
): Promise<void> {
  await extendMembership(tx, current.id, { endsAt, now })
  const details = { level: current.levelKey, endsAt, before: current.endsAt, ...(reason && { reason }) }
  await writeAudit(tx, { actor, action: 'membership.renewed', subjectId: current.accountId, details }, now)
}

/** Begins a membership in place of the present one, whose subscription ends, in a transaction that holds the account's lock. Answers its id. */
export async function startMembership(
  tx: Tx,
  wanted: {
    accountId: string
    level: Level
    /** What is held now, or was last; null for nothing. */
    current: Membership | null
    endsAt: number | null
    subscriptionId: string | null
    actor: string
    now: number
    reason?: string
  },
): Promise<string> {
  const { accountId, level, current, endsAt, subscriptionId, actor, now, reason } = wanted
  if (current) {
    await retireMembership(tx, current.id, now)
    if (current.stripeSubscriptionId && current.endedAt === null) {
      await addToOutbox(
        tx,
        {
          kind: 'payment.end_subscription',
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
      stripeSubscriptionId: subscriptionId,
      stripeStatus: subscriptionId ? 'active' : null,
      cancelAtPeriodEnd: false,
      pastDueSince: null,
      nextAttemptAt: null,
      gaveUpAt: null,
      endedAt: null,
    },
    now,
  )
  const details = { level: level.key, ...(reason && { reason, endsAt, before: current && current.levelKey }) }
  await writeAudit(tx, { actor, action: 'membership.started', subjectId: accountId, details }, now)
  await addToOutbox(
    tx,
    { kind: 'letter.welcome', payload: { accountId, membershipId }, dedupeKey: `welcome:${membershipId}` },
    now,
  )
  return membershipId
}
