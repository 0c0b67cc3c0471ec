import { dollarsOf } from '#contract/sponsors.ts'
import type { Tier } from './sponsor.repository.ts'

/** What is ordered, and what is promised for it. */
export interface PricedSponsorship {
  /** As written into the record and on the receipt. */
  tierName: string
  /** Cents. */
  amount: number
  /** null: none promised. */
  remarksMinutes: number | null
  reservedTable: boolean
  hasLogo: boolean
}

const CUSTOM = 'Custom Amount'
/** A custom amount from here on comes with a reserved table. */
const TABLE_FROM_CENTS = 100_000

/**
 * The server owns the tiers (docs/product-rules.md#price-is-the-servers): a named one costs its price, and an amount of one's own is any other the contract lets through. Its
 * remarks are those of the highest tier whose price it reaches.
 */
export function priceSponsorship(
  { tierName, amount }: { tierName: string; amount: number },
  tiers: readonly Tier[],
): PricedSponsorship | 'unknown-tier' | 'other-price' {
  if (tierName.startsWith(CUSTOM)) {
    const reached = tiers
      .filter(({ unitAmount }) => unitAmount !== null && unitAmount <= amount)
      .sort((a, b) => (b.unitAmount ?? 0) - (a.unitAmount ?? 0))[0]
    return {
      tierName: `${CUSTOM} - $${dollarsOf(amount)}`,
      amount,
      remarksMinutes: reached?.remarksMinutes ?? null,
      reservedTable: amount >= TABLE_FROM_CENTS,
      hasLogo: false,
    }
  }
  const tier = tiers.find(({ name, unitAmount }) => name === tierName && unitAmount !== null)
  if (!tier) return 'unknown-tier'
  if (tier.unitAmount !== amount) return 'other-price'
  const { remarksMinutes, reservedTable } = tier
  return { tierName, amount, remarksMinutes, reservedTable, hasLogo: true }
}
