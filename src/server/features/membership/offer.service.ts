import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/platform/clock.ts'
import { findLevel, type Level } from './level.repository.ts'
import { findCurrentMembership } from './membership.repository.ts'
import { membershipStatus, termStartsAt } from './membership.rules.ts'
import { creditParts, offerOf, paidForTerm, type CreditPart, type HeldTerm, type Offer } from './offer.rules.ts'
import { listPayments } from './payment.repository.ts'

export interface OfferService {
  /** What a level costs an account today; a person without an account pays the catalogue's price. */
  offerFor(accountId: string | null, level: Level): Promise<CreditedOffer>
}

/** An offer with the payments its credit comes from. */
export interface CreditedOffer extends Offer {
  creditFrom: readonly CreditPart[]
}

export function createOfferService({ db, clock, graceMs }: { db: Db; clock: Clock; graceMs(): number }): OfferService {
  async function heldBy(accountId: string): Promise<{ term: HeldTerm; paid: CreditPart[] } | null> {
    const membership = await findCurrentMembership(db, accountId)
    if (!membership) return null
    const level = await findLevel(db, membership.levelKey)
    const paid = paidForTerm(membership, await listPayments(db, accountId))
    const term = {
      ...membership,
      status: membershipStatus(membership, clock.now(), graceMs()),
      termStartsAt: termStartsAt(membership, level),
      paidForTerm: paid.reduce((sum, { amount }) => sum + amount, 0),
    }
    return { term, paid }
  }

  return {
    async offerFor(accountId, level) {
      const held = accountId === null ? null : await heldBy(accountId)
      const offer = offerOf(level, held && held.term, clock.now())
      return { ...offer, creditFrom: creditParts(offer.credit, held?.paid ?? []) }
    },
  }
}
