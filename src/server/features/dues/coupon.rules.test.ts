import { expect, test } from 'vitest'
import type { CountedCoupon } from './coupon.repository.ts'
import { couponState, offWords, priceAfter, readOff, takesCodes } from './coupon.rules.ts'

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
  ['taken', {}, 'active'],
  ['not at the provider yet', { state: 'waiting' }, 'waiting'],
  ['its last day is over', { validUntil: NOW }, 'expired'],
  ['used as often as it may be', { uses: 3 }, 'used-up'],
  ['without ends', { validUntil: null, mostUses: null, uses: 900 }, 'active'],
  ['ended, and over too', { state: 'ended', validUntil: NOW }, 'ended'],
  ['not made', { state: 'refused' }, 'refused'],
])('what is said of a coupon: %s', (_name, over, state) => {
  const found = { ...coupon, ...over }
  expect(couponState(found, NOW)).toBe(state)
  expect(takesCodes([found], { levelKey: 'annual_member', personId: 'p' }, NOW)).toBe(state === 'active')
  expect(takesCodes([found], { levelKey: 'life_member', personId: 'p' }, NOW)).toBe(false)
  const own = { levelKey: 'annual_member', personId: found.createdBy }
  expect(takesCodes([found], own, NOW)).toBe(false)
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
  expect(readOff(kind, typed, 'usd')).toEqual(off)
})

test.each<[price: number, off: { percent: number } | { amount: number; currency: string }, left: number | null]>([
  [10_000, { percent: 20 }, 8_000],
  [10_000, { percent: 100 }, 0],
  [2_500, { amount: 5_000, currency: 'usd' }, 0],
  [2_500, { amount: 2_460, currency: 'usd' }, null],
  [2_500, { amount: 2_450, currency: 'usd' }, 50],
  [999, { percent: 99 }, null],
])('of %i with %o is left %s', (price, off, left) => {
  expect(priceAfter(price, off)).toBe(left)
})

test('how much it is, in words', () => {
  expect(offWords({ percent: 20 })).toBe('20% off')
  expect(offWords({ amount: 1_550, currency: 'usd' })).toBe('$15.50 off')
})
