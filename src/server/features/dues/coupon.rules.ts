import type { CouponState } from '#contract/console-coupons.ts'
import { formatMoney } from '#contract/money.ts'
import type { Coupon, CountedCoupon } from './coupon.repository.ts'

/** The card provider charges nothing smaller. */
const SMALLEST_CHARGE = 50

/** What is to be said of a coupon now. */
export function couponState({ state, validUntil, mostUses, uses }: CountedCoupon, now: number): CouponState {
  if (state !== 'active') return state
  if (validUntil !== null && validUntil <= now) return 'expired'
  return mostUses !== null && uses >= mostUses ? 'used-up' : 'active'
}

/** Whether the provider's page should have a field for a code when somebody pays for a level. Nobody uses a code on a page while one of their own is out. */
export function takesCodes(
  coupons: readonly CountedCoupon[],
  { levelKey, personId }: { levelKey: string; personId: string },
  now: number,
): boolean {
  const out = coupons.filter((coupon) => coupon.levelKeys.includes(levelKey) && couponState(coupon, now) === 'active')
  return out.length > 0 && out.every(({ createdBy }) => createdBy !== personId)
}

/** What was typed as '20' or '15.50'; null when it is not what its kind takes: whole percents, or dollars and cents. */
export function readOff(kind: 'percent' | 'amount', typed: string, currency: string): Coupon['off'] | null {
  const text = kind === 'percent' ? typed.trim().replace(/%$/, '').trimEnd() : typed.trim().replace(/^\$/, '')
  if (kind === 'percent') {
    const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0
    return percent >= 1 && percent <= 100 ? { percent } : null
  }
  const amount = /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0
  return amount > 0 ? { amount, currency } : null
}

/** What is left to pay for a level; null where that is too little for the provider to charge, and not nothing. */
export function priceAfter(unitAmount: number, off: Coupon['off']): number | null {
  const taken = 'percent' in off ? Math.round((unitAmount * off.percent) / 100) : Math.min(unitAmount, off.amount)
  const left = unitAmount - taken
  return left > 0 && left < SMALLEST_CHARGE ? null : left
}

/** '20% off', '$15 off'. */
export function offWords(off: Coupon['off']): string {
  return 'percent' in off ? `${off.percent}% off` : `${formatMoney(off.amount, off.currency)} off`
}
