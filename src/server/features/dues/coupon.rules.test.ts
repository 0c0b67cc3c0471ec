import { expect, test } from 'vitest'
import type { CountedCoupon } from './coupon.repository.ts'
import { couponState, formatDiscount, discountedPrice, parseDiscount, acceptsCodes } from './coupon.rules.ts'

const NOW = Date.parse('2030-03-01T12:00:00Z')
const coupon: CountedCoupon = {
  id: 'c',
  code: 'WELCOME',
  off: { percent: 20 },
  levelKeys: ['annual_member'],
  validUntil: NOW + 1,
  mostUses: 3,
  note: null,
  state: 'active',
  stripePromotionId: 'promo',
  createdBy: 'o',
  createdAt: NOW - 1,
  uses: 2,
}

test.each<[string, Partial<CountedCoupon>, string]>([
  ['valid', {}, 'active'],
  ['not created at the provider yet', { state: 'waiting' }, 'waiting'],
  ['past its last day', { validUntil: NOW }, 'expired'],
  ['fully used', { uses: 3 }, 'used-up'],
  ['without limits', { validUntil: null, mostUses: null, uses: 900 }, 'active'],
  ['ended, and past its last day', { state: 'ended', validUntil: NOW }, 'ended'],
  ['rejected by the provider', { state: 'refused' }, 'refused'],
])('coupon state: %s', (_name, over, state) => {
  const found = { ...coupon, ...over }
  expect(couponState(found, NOW)).toBe(state)
  expect(acceptsCodes([found], { levelKey: 'annual_member', personId: 'p' }, NOW)).toBe(state === 'active')
  expect(acceptsCodes([found], { levelKey: 'life_member', personId: 'p' }, NOW)).toBe(false)
  const own = { levelKey: 'annual_member', personId: found.createdBy }
  expect(acceptsCodes([found], own, NOW)).toBe(false)
})

test.each<[kind: 'percent' | 'amount', typed: string, off: object | null]>([
  ['percent', '20', { percent: 20 }],
  ['percent', ' 100 % ', { percent: 100 }],
  ['percent', '0', null],
  ['percent', '101', null],
  ['percent', '12.5', null],
  ['amount', '15', { amount: 1_500, currency: 'usd' }],
  ['amount', '$15.50', { amount: 1_550, currency: 'usd' }],
  ['amount', '0', null],
  ['amount', '-5', null],
  ['amount', '1e3', null],
])('%s typed as "%s"', (kind, typed, off) => {
  expect(parseDiscount(kind, typed, 'usd')).toEqual(off)
})

test.each<[price: number, off: { percent: number } | { amount: number; currency: string }, left: number | null]>([
  [10_000, { percent: 20 }, 8_000],
  [10_000, { percent: 100 }, 0],
  [2_500, { amount: 5_000, currency: 'usd' }, 0],
  [2_500, { amount: 2_460, currency: 'usd' }, null],
  [2_500, { amount: 2_450, currency: 'usd' }, 50],
  [999, { percent: 99 }, null],
])('a price of %i with discount %o becomes %s', (price, off, left) => {
  expect(discountedPrice(price, off)).toBe(left)
})

test('formats discounts', () => {
  expect(formatDiscount({ percent: 20 })).toBe('20% off')
  expect(formatDiscount({ amount: 1_550, currency: 'usd' })).toBe('$15.50 off')
})
