import type { CardStatus } from '#contract/public/my-account/membership-card.ts'
import type { Db } from '#server/db/database.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { membershipStatus, runsUntil } from '#server/features/memberships/membership.rules.ts'
import { cardStatus } from './card-status.rules.ts'

interface CardMembership {
  level: string | null
  status: CardStatus
  /** ISO 8601. */
  until: string | null
}

/** What a card says about an account's membership now. */
export async function findCardMembership(
  db: Db,
  accountId: string,
  { now, graceMs }: { now: number; graceMs: number },
): Promise<CardMembership> {
  const membership = await findCurrentMembership(db, accountId)
  if (!membership) return { level: null, status: 'lapsed', until: null }
  const level = await findLevel(db, membership.levelKey)
  const until = runsUntil(membership, graceMs)
  return {
    level: level?.name ?? null,
    status: cardStatus(membershipStatus(membership, now, graceMs)),
    until: until === null ? null : new Date(until).toISOString(),
  }
}
