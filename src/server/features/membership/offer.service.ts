import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { findLevel, type Level } from './level.repository.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { membershipStatus, termStartsAt } from './membership.rules.ts'
import { offerOf, paidForTerm, type HeldTerm, type Offer } from './offer.rules.ts'
import { listPayments } from './payment.repository.ts'

export interface OfferService {
  /** What a level costs an account today; a person without an account pays the catalogue's price. */
  offerFor(accountId: string | null, level: Level): Promise<Offer>
}

export function createOfferService({ db, clock, graceMs }: { db: Db; clock: Clock; graceMs(): number }): OfferService {
  async function heldBy(accountId: string): Promise<HeldTerm | null> {
    const membership = await findCurrentMembership(db, accountId)
    if (!membership) return null
    const level = await findLevel(db, membership.levelKey)
    return {
      ...membership,
      status: membershipStatus(membership, clock.now(), graceMs()),
      termStartsAt: termStartsAt(membership, level),
      paidForTerm: paidForTerm(membership, await listPayments(db, accountId)),
    }
  }

  return {
    async offerFor(accountId, level) {
      return offerOf(level, accountId === null ? null : await heldBy(accountId), clock.now())
    },
  }
}
