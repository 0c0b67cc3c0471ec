import { formatDollars } from '#contract/public/sponsors.ts'
import { addInterval } from '#server/features/memberships/membership.rules.ts'
import type { Tier } from '#server/features/content-store/kinds/support.kinds.ts'

/** The price and benefits of a sponsorship. */
export interface PricedSponsorship {
  /** As stored and printed on the receipt. */
  tierName: string
  /** Cents. */
  amount: number
  /** null: no remarks. */
  remarksMinutes: number | null
  reservedTable: boolean
  hasLogo: boolean
}

const CUSTOM = 'Custom Amount'
/** Custom amounts from here on include a reserved table. */
const TABLE_FROM_CENTS = 100_000

/**
 * The server owns the tiers (docs/product-rules.md#price-is-the-servers): a named tier has its fixed price, and a custom amount may be any other that
 * the contract allows. Its remarks are those of the highest tier whose price it reaches.
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
      tierName: `${CUSTOM} - $${formatDollars(amount)}`,
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

/** The last day on which a sponsor's logo is shown: the same day some months later, or the last of that month. `YYYY-MM-DD`. */
export function logoUntil(paidOn: string, months: number | null): string | null {
  if (months === null) return null
  return new Date(addInterval(Date.parse(`${paidOn}T00:00:00Z`), 'month', months)).toISOString().slice(0, 10)
}
