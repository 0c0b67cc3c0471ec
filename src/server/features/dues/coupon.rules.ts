import type { CouponState } from '#contract/console/coupons.ts'
import { formatMoney } from '#contract/money.ts'
import type { Coupon, CountedCoupon } from './coupon.repository.ts'

/** The card provider's minimum charge, in cents. */
const SMALLEST_CHARGE = 50

/** The state of a coupon as officers see it. */
export function couponState({ state, validUntil, mostUses, uses }: CountedCoupon, now: number): CouponState {
  if (state !== 'active') return state
  if (validUntil !== null && validUntil <= now) return 'expired'
  return mostUses !== null && uses >= mostUses ? 'used-up' : 'active'
}

/** Whether the checkout page for a level accepts codes. Officers cannot use codes while one that they created is active. */
export function acceptsCodes(
  coupons: readonly CountedCoupon[],
  { levelKey, personId }: { levelKey: string; personId: string },
  now: number,
): boolean {
  const active = coupons.filter(
    (coupon) => coupon.levelKeys.includes(levelKey) && couponState(coupon, now) === 'active',
  )
  return active.length > 0 && active.every(({ createdBy }) => createdBy !== personId)
}

/** Parses '20' or '15.50'; null if it is neither a whole percentage nor an amount in dollars and cents. */
export function parseDiscount(kind: 'percent' | 'amount', typed: string, currency: string): Coupon['off'] | null {
  const text = kind === 'percent' ? typed.trim().replace(/%$/, '').trimEnd() : typed.trim().replace(/^\$/, '')
  if (kind === 'percent') {
    const percent = /^\d{1,3}$/.test(text) ? Number(text) : 0
    return percent >= 1 && percent <= 100 ? { percent } : null
  }
  const amount = /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0
  return amount > 0 ? { amount, currency } : null
}

/** The price of a level after the discount; null if the rest is not zero but below the provider's minimum charge. */
export function discountedPrice(unitAmount: number, off: Coupon['off']): number | null {
  const discount = 'percent' in off ? Math.round((unitAmount * off.percent) / 100) : Math.min(unitAmount, off.amount)
  const price = unitAmount - discount
  return price > 0 && price < SMALLEST_CHARGE ? null : price
}

/** '20% off', '$15 off'. */
export function formatDiscount(off: Coupon['off']): string {
  return 'percent' in off ? `${off.percent}% off` : `${formatMoney(off.amount, off.currency)} off`
}
