import type { Db } from '#server/db/database.ts'
import type { Clock } from '#server/lib/clock.ts'
import { findLevel, type Level } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from './membership.queries.ts'
import { membershipStatus, termStartsAt } from './membership.rules.ts'
import {
  allocateCredit,
  calculatePrice,
  creditablePayments,
  type CreditAllocation,
  type CurrentTerm,
  type MembershipPrice,
} from './membership-price.rules.ts'
import { listPayments } from './payments/payment.queries.ts'

export interface MembershipPriceService {
  /** The price of a level for an account today; without an account, the catalog price. */
  priceFor(accountId: string | null, level: Level): Promise<CreditedPrice>
}

/** A price with the payments its credit comes from. */
export interface CreditedPrice extends MembershipPrice {
  creditFrom: readonly CreditAllocation[]
}

export function createMembershipPriceService({
  db,
  clock,
  graceMs,
}: {
  db: Db
  clock: Clock
  graceMs(): number
}): MembershipPriceService {
  async function heldBy(accountId: string): Promise<{ term: CurrentTerm; paid: CreditAllocation[] } | null> {
    const membership = await findCurrentMembership(db, accountId)
    if (!membership) return null
    const level = await findLevel(db, membership.levelKey)
    const paid = creditablePayments(membership, await listPayments(db, accountId))
    const term = {
      ...membership,
      status: membershipStatus(membership, clock.now(), graceMs()),
      termStartsAt: termStartsAt(membership, level),
      paidForTerm: paid.reduce((sum, { amount }) => sum + amount, 0),
    }
    return { term, paid }
  }

  return {
    async priceFor(accountId, level) {
      const held = accountId === null ? null : await heldBy(accountId)
      const price = calculatePrice(level, held && held.term, clock.now())
      return { ...price, creditFrom: allocateCredit(price.credit, held?.paid ?? []) }
    },
  }
}
