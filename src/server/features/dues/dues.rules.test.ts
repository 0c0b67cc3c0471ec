import { expect, test } from 'vitest'
import { chargedAmounts, effectOf, movesAtNextRenewal, movingChange, type Holder } from './dues.rules.ts'

const DAY = 86_400_000
const NOW = Date.parse('2030-03-01T12:00:00Z')
const yearly = {
  unitAmount: 10_000,
  currency: 'usd',
  isRecurring: true,
  interval: 'year' as const,
  intervalCount: 1,
}

function holder(over: Partial<Holder> = {}): Holder {
  return {
    kind: 'RECURRING',
    endsAt: NOW + 100 * DAY,
    stripeStatus: 'active',
    cancelAtPeriodEnd: false,
    pastDueSince: null,
    nextAttemptAt: null,
    gaveUpAt: null,
    endedAt: null,
    renewalAmount: 10_000,
    isTold: false,
    ...over,
  }
}
const byHand = holder({ stripeStatus: null, renewalAmount: null })
const stopped = holder({ cancelAtPeriodEnd: true })
const forLife = holder({ kind: 'ONE_TIME', endsAt: null, stripeStatus: null, renewalAmount: null })

test.each<[name: string, who: Holder, scope: 'joining' | 'everybody', startsIn: number, moves: boolean]>([
  ['charged by card in 100 days', holder(), 'everybody', 0, true],
  ['the same, when only those who join pay more', holder(), 'joining', 0, false],
  ['told what the renewal costs', holder({ isTold: true }), 'everybody', 0, false],
  ['renewing before the new price begins', holder(), 'everybody', 120, false],
  ['renewing after a planned price begins', holder(), 'everybody', 60, true],
  ['being charged right now', holder({ endsAt: NOW - 1 }), 'everybody', 0, false],
  ['stopped', stopped, 'everybody', 0, false],
  ['paying by check', byHand, 'everybody', 0, false],
  ['for life', forLife, 'everybody', 0, false],
  ['failing, and tried again', holder({ stripeStatus: 'past_due', pastDueSince: NOW - DAY }), 'everybody', 0, true],
])('moved at the next renewal or not: %s', (_name, who, scope, startsIn, moves) => {
  const price = { amountAfter: 12_000, scope, startsAt: NOW + startsIn * DAY }
  expect(movesAtNextRenewal(who, price, NOW)).toBe(moves)
})

const everyone = [
  holder(),
  holder({ endsAt: NOW + 300 * DAY, renewalAmount: 9_000 }),
  holder({ isTold: true, endsAt: NOW + 20 * DAY, renewalAmount: null }),
  byHand,
  stopped,
  forLife,
]

test('who pays what, and what it brings: everybody', () => {
  const price = { amountAfter: 12_000, scope: 'everybody' as const, startsAt: NOW }
  expect(effectOf(yearly, everyone, { price, now: NOW })).toEqual({
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

test('who pays what, and what it brings: whoever joins', () => {
  const price = { amountAfter: 12_000, scope: 'joining' as const, startsAt: NOW }
  const effect = effectOf(yearly, everyone, { price, now: NOW })
  expect(effect).toMatchObject({ keepPrice: 3, movesAtNext: 0, paysOnceMore: 0, firstAt: null, lastAt: null })
  expect([effect.yearBefore, effect.yearAfter]).toEqual([39_000, 29_000 + 12_000])
})

test('a year of a level that is paid monthly, every two years, or once', () => {
  const price = { amountAfter: 2_000, scope: 'everybody' as const, startsAt: NOW }
  const year = (level: Partial<typeof yearly> | { interval: 'month' | null }) =>
    effectOf({ ...yearly, ...level }, [holder()], { price, now: NOW }).yearAfter
  expect(year({ interval: 'month' })).toBe(24_000)
  expect(year({ intervalCount: 2 })).toBe(1_000)
  expect(year({ isRecurring: false })).toBeNull()
})

test('the amounts that members are charged, the most first', () => {
  expect(chargedAmounts(yearly, [...everyone, holder()])).toEqual([
    { amount: 10_000, members: 3 },
    { amount: 9_000, members: 1 },
  ])
})

interface Asked {
  amountAfter: number
  scope: 'joining' | 'everybody'
  startsAt: number
  state: 'planned' | 'begun'
}
const asked = (amountAfter: number, scope: Asked['scope'], startsIn: number): Asked => ({
  amountAfter,
  scope,
  startsAt: NOW + startsIn * DAY,
  state: startsIn > 0 ? 'planned' : 'begun',
})

test.each<[name: string, changes: Asked[], costs: number, moving: number | null, begunBefore: number | null]>([
  ['nothing was changed', [], 100, null, null],
  ['for everybody', [asked(120, 'everybody', -9)], 120, 120, null],
  ['for whoever joins', [asked(120, 'joining', -9)], 120, null, null],
  ['twice for everybody', [asked(120, 'everybody', -9), asked(130, 'everybody', -3)], 130, 130, null],
  ['everybody, then whoever joins', [asked(120, 'everybody', -9), asked(130, 'joining', -3)], 130, 120, -3],
  ['planned far ahead', [asked(120, 'everybody', 90)], 100, null, null],
  ['planned soon', [asked(120, 'everybody', 50)], 100, 120, null],
  ['planned soon for whoever joins', [asked(120, 'everybody', -9), asked(130, 'joining', 9)], 120, 120, null],
  ['set by an import since', [asked(120, 'everybody', -9)], 110, null, null],
])('by which change members are moved: %s', (_name, changes, unitAmount, moving, begunBefore) => {
  const found = movingChange(changes, { unitAmount }, NOW)
  expect(found?.change.amountAfter ?? null).toBe(moving)
  expect(found?.begunBefore ?? null).toBe(begunBefore === null ? null : NOW + begunBefore * DAY)
})
