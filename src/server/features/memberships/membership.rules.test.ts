import { describe, expect, test } from 'vitest'
import {
  BY_HAND,
  addInterval,
  hasLiveSubscription,
  hasRights,
  isPaidAfterEnd,
  canBuy,
  membershipStatus,
  pastDueEndsAt,
  rightsEndAt,
  termStartsAt,
  willRenew,
  type MembershipSnapshot,
} from './membership.rules.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2030, 5, 15)
const GRACE = 14 * DAY

const yearly: MembershipSnapshot = {
  kind: 'RECURRING',
  endsAt: NOW + 100 * DAY,
  ...BY_HAND,
  stripeStatus: 'active',
}
const unsubscribed: MembershipSnapshot = { ...yearly, stripeStatus: null }
const lifetime: MembershipSnapshot = { ...yearly, kind: 'ONE_TIME', endsAt: null, stripeStatus: null }

describe('the status of a membership (docs/product-rules.md#membership-status)', () => {
  test.each<[string, Partial<MembershipSnapshot> & { base?: MembershipSnapshot }, string]>([
    ['paid and running', {}, 'ACTIVE'],
    ['on a trial', { stripeStatus: 'trialing' }, 'ACTIVE'],
    ['renewal due, the provider has not said how it went', { endsAt: NOW - DAY }, 'ACTIVE'],
    ['cancelled, period still running', { cancelAtPeriodEnd: true }, 'ACTIVE'],
    ['cancelled, one millisecond before the end', { cancelAtPeriodEnd: true, endsAt: NOW + 1 }, 'ACTIVE'],
    ['cancelled, period over', { cancelAtPeriodEnd: true, endsAt: NOW }, 'CANCELED'],
    ['ended by the provider', { stripeStatus: 'canceled' }, 'CANCELED'],
    ['ended on a date that has come', { endedAt: NOW }, 'CANCELED'],
    ['ends on a date still to come', { endedAt: NOW + 1 }, 'ACTIVE'],
    ['renewal failed today', { stripeStatus: 'past_due', pastDueSince: NOW }, 'PAST_DUE'],
    [
      'still retried after grace',
      { stripeStatus: 'past_due', pastDueSince: NOW - 15 * DAY, nextAttemptAt: NOW + DAY },
      'PAST_DUE',
    ],
    ['no longer retried, grace over', { stripeStatus: 'past_due', pastDueSince: NOW - GRACE }, 'EXPIRED'],
    ['no longer retried, within grace', { stripeStatus: 'past_due', pastDueSince: NOW - GRACE + 1 }, 'PAST_DUE'],
    [
      'given up after grace, at that moment',
      { stripeStatus: 'canceled', pastDueSince: NOW - 15 * DAY, gaveUpAt: NOW },
      'EXPIRED',
    ],
    [
      'given up after grace, a millisecond before',
      { stripeStatus: 'canceled', pastDueSince: NOW - 15 * DAY, gaveUpAt: NOW + 1 },
      'PAST_DUE',
    ],
    ['unpaid within grace', { stripeStatus: 'unpaid', pastDueSince: NOW - 13 * DAY }, 'PAST_DUE'],
    ['given up within grace', { stripeStatus: 'canceled', pastDueSince: NOW - GRACE + 1 }, 'PAST_DUE'],
    ['given up, grace over to the millisecond', { stripeStatus: 'canceled', pastDueSince: NOW - GRACE }, 'EXPIRED'],
    ['first payment not finished', { stripeStatus: 'incomplete' }, 'INCOMPLETE'],
    ['first payment never finished', { stripeStatus: 'incomplete_expired' }, 'EXPIRED'],
    ['free or by cheque, running', { base: unsubscribed }, 'ACTIVE'],
    ['free or by cheque, over', { base: unsubscribed, endsAt: NOW }, 'EXPIRED'],
    ['free or by cheque, cancelled and over', { base: unsubscribed, endsAt: NOW, cancelAtPeriodEnd: true }, 'CANCELED'],
    ['lifetime', { base: lifetime }, 'ACTIVE'],
    ['lifetime, a hundred years on', { base: lifetime, pastDueSince: NOW - 36_500 * DAY }, 'ACTIVE'],
    ['lifetime, refunded', { base: lifetime, endedAt: NOW - DAY }, 'CANCELED'],
  ])('%s', (_name, { base = yearly, ...changed }, status) => {
    expect(membershipStatus({ ...base, ...changed }, NOW, GRACE)).toBe(status)
  })

  test('only active and past due memberships have rights', () => {
    const granted = (['ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED', 'INCOMPLETE'] as const).filter(hasRights)
    expect(granted).toEqual(['ACTIVE', 'PAST_DUE'])
  })

  test.each<[string, Partial<MembershipSnapshot>, boolean]>([
    ['active', {}, true],
    ['past due', { stripeStatus: 'past_due' }, true],
    ['unpaid', { stripeStatus: 'unpaid' }, true],
    ['cancelled at the end of the period', { cancelAtPeriodEnd: true }, true],
    ['given up', { stripeStatus: 'canceled' }, false],
    ['never finished', { stripeStatus: 'incomplete_expired' }, false],
    ['ended', { endedAt: NOW }, false],
    ['none', { stripeStatus: null }, false],
  ])('a subscription that is %s is still charged: %o', (_name, changed, live) => {
    expect(hasLiveSubscription({ ...yearly, ...changed })).toBe(live)
  })

  test.each<[string, Partial<MembershipSnapshot>, number | null]>([
    ['what renews has no end', {}, null],
    ['lifetime has none', { ...lifetime }, null],
    ['cancelled: the end of the period', { cancelAtPeriodEnd: true }, yearly.endsAt],
    ['a fixed term: its end', { stripeStatus: null }, yearly.endsAt],
    ['owed: the end of grace', { stripeStatus: 'past_due', pastDueSince: NOW, nextAttemptAt: NOW + DAY }, NOW + GRACE],
    [
      'owed, tried once more after grace: that try',
      { pastDueSince: NOW, nextAttemptAt: NOW + 20 * DAY },
      NOW + 20 * DAY,
    ],
    ['given up within grace: the end of grace', { pastDueSince: NOW, gaveUpAt: NOW + DAY }, NOW + GRACE],
    ['given up after grace: that day', { pastDueSince: NOW, gaveUpAt: NOW + 15 * DAY }, NOW + 15 * DAY],
    ['refunded: that moment', { endedAt: NOW - DAY, pastDueSince: NOW - 2 * DAY }, NOW - DAY],
  ])('rights end: %s', (_name, changed, end) => {
    expect(rightsEndAt({ ...yearly, ...changed }, GRACE)).toBe(end)
  })

  test('without an unpaid renewal there is no past due end', () => expect(pastDueEndsAt(yearly, GRACE)).toBeNull())

  test.each<[string, Partial<MembershipSnapshot>, boolean]>([
    ['running', {}, true],
    ['cancelled', { cancelAtPeriodEnd: true }, false],
    ['past due', { stripeStatus: 'past_due', pastDueSince: NOW }, false],
    ['by hand', { stripeStatus: null }, false],
    ['ended', { endedAt: NOW }, false],
    ['lifetime', { ...lifetime }, false],
  ])('renews automatically: %s', (_name, changed, renews) => {
    expect(willRenew({ ...yearly, ...changed })).toBe(renews)
  })
})

describe('which levels a member can buy (docs/product-rules.md#one-time-levels, docs/product-rules.md#open-checkouts-are-reused)', () => {
  const annual = { key: 'annual_member', isRecurring: true, unitAmount: 10_000 }
  const associate = { key: 'associate_member', isRecurring: true, unitAmount: 5_000 }
  const student = { key: 'medical_student', isRecurring: true, unitAmount: 0 }
  const life = { key: 'life_member', isRecurring: false, unitAmount: 100_000 }
  const subscribed = { status: 'ACTIVE', kind: 'RECURRING', levelKey: annual.key, hasSubscription: true } as const
  const free = { ...subscribed, levelKey: student.key, hasSubscription: false } as const
  const cheque = { ...subscribed, hasSubscription: false } as const
  const forLife = { ...subscribed, kind: 'ONE_TIME', levelKey: life.key, hasSubscription: false } as const

  test.each([
    ['someone without a membership, anything', null, annual, 'allowed'],
    ['someone whose membership expired, the same again', { ...subscribed, status: 'EXPIRED' }, annual, 'allowed'],
    ['someone who cancelled, the same again', { ...subscribed, status: 'CANCELED' }, annual, 'allowed'],
    ['someone who never finished paying', { ...subscribed, status: 'INCOMPLETE' }, annual, 'allowed'],
    ['a refunded lifetime member', { ...forLife, status: 'CANCELED' }, life, 'allowed'],
    ['a lifetime member, lifetime', forLife, life, 'lifetime'],
    ['a lifetime member, yearly', forLife, annual, 'lifetime'],
    ['a lifetime member, free', forLife, student, 'lifetime'],
    ['a subscriber, the same', subscribed, annual, 'subscription-exists'],
    ['a subscriber, another yearly level', subscribed, associate, 'subscription-exists'],
    ['a subscriber whose renewal failed', { ...subscribed, status: 'PAST_DUE' }, annual, 'subscription-exists'],
    ['a subscriber, lifetime', subscribed, life, 'allowed'],
    ['a subscriber, free', subscribed, student, 'subscription-exists'],
    ['a student, a paid level', free, annual, 'allowed'],
    ['a student, lifetime', free, life, 'allowed'],
    ['a student, the same', free, student, 'holds-it-already'],
    ['a member by cheque, the same', cheque, annual, 'allowed'],
    ['a member by cheque, free', cheque, student, 'subscription-exists'],
  ] as const)('%s: %#', (_name, held, level, verdict) => {
    expect(canBuy(held, level)).toBe(verdict)
  })
})

describe('adding calendar intervals', () => {
  const iso = (instant: number) => new Date(instant).toISOString()

  test.each([
    ['2026-11-21T05:30:00.123Z', 'year', 1, '2027-11-21T05:30:00.123Z'],
    ['2028-02-29T12:00:00.000Z', 'year', 1, '2029-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 'year', 4, '2032-02-29T12:00:00.000Z'],
    ['2027-02-28T12:00:00.000Z', 'year', 1, '2028-02-28T12:00:00.000Z'],
    ['2026-01-31T23:59:59.999Z', 'month', 1, '2026-02-28T23:59:59.999Z'],
    ['2028-01-31T00:00:00.000Z', 'month', 1, '2028-02-29T00:00:00.000Z'],
    ['2026-03-31T00:00:00.000Z', 'month', 1, '2026-04-30T00:00:00.000Z'],
    ['2026-12-31T00:00:00.000Z', 'month', 2, '2027-02-28T00:00:00.000Z'],
    ['2026-03-31T00:00:00.000Z', 'month', -1, '2026-02-28T00:00:00.000Z'],
    ['2026-01-15T00:00:00.000Z', 'month', -13, '2024-12-15T00:00:00.000Z'],
    ['2100-02-28T00:00:00.000Z', 'year', 4, '2104-02-28T00:00:00.000Z'],
    ['2096-02-29T00:00:00.000Z', 'year', 4, '2100-02-28T00:00:00.000Z'],
  ] as const)('%s plus %s times %i', (from, interval, count, to) => {
    expect(iso(addInterval(Date.parse(from), interval, count))).toBe(to)
  })

  test('over 30 years every day moves to the same day of the next month or its last, never to the month after', () => {
    for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2056, 0, 1); day += DAY) {
      const from = new Date(day)
      for (const [interval, months] of [
        ['month', 1],
        ['year', 12],
      ] as const) {
        const to = new Date(addInterval(day, interval, 1))
        const expected = from.getUTCMonth() + months
        if (to.getUTCFullYear() * 12 + to.getUTCMonth() !== from.getUTCFullYear() * 12 + expected) {
          throw new Error(`${iso(day)} plus a ${interval} became ${to.toISOString()}`)
        }
        const lastOfMonth = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
        expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastOfMonth))
      }
    }
  })
})

test.each([
  ['a year before its end', '2028-02-29', 'year', '2027-02-28'],
  ['a month before its end', '2027-03-31', 'month', '2027-02-28'],
  ['a year before its end, before the membership that took it over', '2020-06-30', 'year', '2019-06-30'],
  ['when the membership began, without an interval', '2027-03-31', null, '2020-01-01'],
] as const)('the current term began %s', (_name, endsAt, interval, start) => {
  const membership = { startedAt: Date.parse('2020-01-01'), endsAt: Date.parse(endsAt) }
  expect(termStartsAt(membership, { interval, intervalCount: 1 })).toBe(Date.parse(start))
})

describe('payments after the end (docs/product-rules.md#open-checkouts-are-reused)', () => {
  const lapsed = { stripeStatus: 'past_due', pastDueSince: NOW - GRACE - 2 * DAY }
  test.each<[string, Partial<MembershipSnapshot>, { paidAt: number; stoppedAt?: number }, boolean]>([
    ['it runs', {}, { paidAt: NOW }, false],
    ['it had been replaced', { endedAt: NOW - DAY }, { paidAt: NOW }, true],
    ['it was replaced after that', { endedAt: NOW - DAY }, { paidAt: NOW - 2 * DAY }, false],
    ['it is owed, within grace', { stripeStatus: 'past_due', pastDueSince: NOW - DAY }, { paidAt: NOW }, false],
    ['it had lapsed', lapsed, { paidAt: NOW }, true],
    ['it lapsed after that', lapsed, { paidAt: NOW - 3 * DAY }, false],
    ['its subscription had ended', { stripeStatus: 'canceled' }, { paidAt: NOW, stoppedAt: NOW - DAY }, true],
    ['its subscription ended after that', { stripeStatus: 'canceled' }, { paidAt: NOW - DAY, stoppedAt: NOW }, false],
  ])('%s', (_name, snapshot, { paidAt, stoppedAt = null }, expected) => {
    const at = { stoppedAt, now: NOW, graceMs: GRACE }
    expect(isPaidAfterEnd(paidAt, { ...yearly, ...snapshot }, at)).toBe(expected)
  })
})
