import type { MembershipLevel } from '#contract/membership.ts'
import { priceAmount, pricePeriod } from '#contract/money.ts'

export interface LevelPrice {
  /** '$100', or 'Free'. */
  amount: string
  /** 'a year', 'every 2 years', 'once', 'for one year'. */
  period: string
  /** Charged again until cancelled; free levels renew without a card and say nothing. */
  renews: boolean
}

/** The words of a price as plan cards show it (docs/product-rules.md#prices-on-plan-cards). */
export function levelPrice(level: MembershipLevel): LevelPrice {
  return {
    amount: priceAmount(level),
    period: pricePeriod(level),
    renews: level.isRecurring && level.unitAmount > 0,
  }
}
