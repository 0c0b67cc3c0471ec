import type { AppContext } from '#server/app-context.ts'
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

/** A price with the payments its credit comes from. */
export interface CreditedPrice extends MembershipPrice {
  creditFrom: readonly CreditAllocation[]
}

export function createMembershipPriceService({ db, clock, graceMs }: AppContext) {
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
    /** The price of a level for an account today; without an account, the catalog price. */
    async priceFor(accountId: string | null, level: Level): Promise<CreditedPrice> {
      const held = accountId === null ? null : await heldBy(accountId)
      const price = calculatePrice(level, held && held.term, clock.now())
      return { ...price, creditFrom: allocateCredit(price.credit, held?.paid ?? []) }
    },
  }
}

export type MembershipPriceService = ReturnType<typeof createMembershipPriceService>
