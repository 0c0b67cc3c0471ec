import { BY_HAND } from '#server/features/memberships/membership.rules.ts'
import { expect, test } from 'vitest'
import {
  chargedAmounts,
  priceChangeEffect,
  movesAtNextRenewal,
  currentPriceChange,
  type PricedMember,
} from './dues.rules.ts'

const DAY = 86_400_000
const NOW = Date.parse('2030-03-01T12:00:00Z')
const yearly = {
  unitAmount: 10_000,
  currency: 'usd',
  interval: 'year' as const,
  intervalCount: 1,
}

function member(over: Partial<PricedMember> = {}): PricedMember {
  return {
    kind: 'RECURRING',
    endsAt: NOW + 100 * DAY,
    ...BY_HAND,
    stripeStatus: 'active',
    renewalAmount: 10_000,
    isReminded: false,
    ...over,
  }
}
const byHand = member({ stripeStatus: null, renewalAmount: null })
const canceled = member({ cancelAtPeriodEnd: true })
const forLife = member({ kind: 'ONE_TIME', endsAt: null, stripeStatus: null, renewalAmount: null })

test.each<[name: string, who: PricedMember, scope: 'joining' | 'everybody', startsIn: number, moves: boolean]>([
  ['charged by card in 100 days', member(), 'everybody', 0, true],
  ['the same, when the price is only for new members', member(), 'joining', 0, false],
  ['already reminded of the renewal price', member({ isReminded: true }), 'everybody', 0, false],
  ['renewing before the new price begins', member(), 'everybody', 120, false],
  ['renewing after a planned price begins', member(), 'everybody', 60, true],
  ['being charged right now', member({ endsAt: NOW - 1 }), 'everybody', 0, false],
  ['renewal canceled', canceled, 'everybody', 0, false],
  ['paying by check', byHand, 'everybody', 0, false],
  ['lifetime', forLife, 'everybody', 0, false],
  [
    'payment failed and being retried',
    member({ stripeStatus: 'past_due', pastDueSince: NOW - DAY }),
    'everybody',
    0,
    true,
  ],
])('whether a member moves at the next renewal: %s', (_name, who, scope, startsIn, moves) => {
  const price = { amountAfter: 12_000, scope, startsAt: NOW + startsIn * DAY }
  expect(movesAtNextRenewal(who, price, NOW)).toBe(moves)
})

const everyone = [
  member(),
  member({ endsAt: NOW + 300 * DAY, renewalAmount: 9_000 }),
  member({ isReminded: true, endsAt: NOW + 20 * DAY, renewalAmount: null }),
  byHand,
  canceled,
  forLife,
]

test('effect of a price change for everyone', () => {
  const price = { amountAfter: 12_000, scope: 'everybody' as const, startsAt: NOW }
  expect(priceChangeEffect(yearly, everyone, { price, now: NOW })).toEqual({
    amountBefore: 10_000,
    amountAfter: 12_000,
    currency: 'usd',
    holders: 6,
    byCard: 3,
    byHand: 1,
    ending: 1,
    forLife: 1,
    keepPrice: 0,
    movesAtNext: 2,
    firstAt: new Date(NOW + 100 * DAY).toISOString(),
    lastAt: new Date(NOW + 300 * DAY).toISOString(),
    paysOnceMore: 1,
    yearBefore: 10_000 + 9_000 + 10_000 + 10_000,
    yearAfter: 3 * 12_000 + 12_000,
  })
})

test('effect of a price change for new members', () => {
  const price = { amountAfter: 12_000, scope: 'joining' as const, startsAt: NOW }
  const effect = priceChangeEffect(yearly, everyone, { price, now: NOW })
  expect(effect).toMatchObject({ keepPrice: 3, movesAtNext: 0, paysOnceMore: 0, firstAt: null, lastAt: null })
  expect([effect.yearBefore, effect.yearAfter]).toEqual([39_000, 29_000 + 12_000])
})

test('yearly dues of a level paid monthly, every two years, or once', () => {
  const price = { amountAfter: 2_000, scope: 'everybody' as const, startsAt: NOW }
  const year = (level: Partial<typeof yearly> | { interval: 'month' | null }) =>
    priceChangeEffect({ ...yearly, ...level }, [member()], { price, now: NOW }).yearAfter
  expect(year({ interval: 'month' })).toBe(24_000)
  expect(year({ intervalCount: 2 })).toBe(1_000)
  expect(year({ interval: null })).toBeNull()
})

test('charged amounts are sorted by number of members; who has no other amount is charged the price', () => {
  const holders = [
    { isByCard: true, amount: 9_000, count: 1 },
    { isByCard: true, amount: null, count: 2 },
    { isByCard: true, amount: 10_000, count: 3 },
    { isByCard: false, amount: 8_000, count: 7 },
  ]
  expect(chargedAmounts(yearly, holders)).toEqual([
    { amount: 10_000, members: 5 },
    { amount: 9_000, members: 1 },
  ])
})

interface RequestedChange {
  amountAfter: number
  scope: 'joining' | 'everybody'
  startsAt: number
  state: 'planned' | 'begun'
}
const requested = (amountAfter: number, scope: RequestedChange['scope'], startsIn: number): RequestedChange => ({
  amountAfter,
  scope,
  startsAt: NOW + startsIn * DAY,
  state: startsIn > 0 ? 'planned' : 'begun',
})

test.each<[name: string, changes: RequestedChange[], costs: number, moving: number | null, begunBefore: number | null]>(
  [
    ['no change', [], 100, null, null],
    ['for everyone', [requested(120, 'everybody', -9)], 120, 120, null],
    ['for new members', [requested(120, 'joining', -9)], 120, null, null],
    ['twice for everyone', [requested(120, 'everybody', -9), requested(130, 'everybody', -3)], 130, 130, null],
    ['everyone, then new members', [requested(120, 'everybody', -9), requested(130, 'joining', -3)], 130, 120, -3],
    ['planned far ahead', [requested(120, 'everybody', 90)], 100, null, null],
    ['planned soon', [requested(120, 'everybody', 50)], 100, 120, null],
    ['planned soon for new members', [requested(120, 'everybody', -9), requested(130, 'joining', 9)], 120, 120, null],
    ['set by an import since', [requested(120, 'everybody', -9)], 110, null, null],
  ],
)('the change that members are moved to: %s', (_name, changes, unitAmount, moving, begunBefore) => {
  const found = currentPriceChange(changes, { unitAmount }, NOW)
  expect(found?.change.amountAfter ?? null).toBe(moving)
  expect(found?.begunBefore ?? null).toBe(begunBefore === null ? null : NOW + begunBefore * DAY)
})
