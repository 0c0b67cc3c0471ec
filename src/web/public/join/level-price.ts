import { isChargedAutomatically } from '#contract/level-terms.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'

export interface LevelPrice {
  /** '$100', or 'Free'. */
  amount: string
  /** 'a year', 'every 2 years', 'once', 'for one year'. */
  period: string
  /** Charged automatically until canceled. Free levels renew without a card and do not mention it. */
  renews: boolean
}

/** A level's price as plan cards show it (docs/product-rules.md#prices-on-plan-cards). */
export function levelPrice(level: MembershipLevel): LevelPrice {
  return {
    amount: priceAmount(level),
    period: pricePeriod(level),
    renews: isChargedAutomatically(level),
  }
}
