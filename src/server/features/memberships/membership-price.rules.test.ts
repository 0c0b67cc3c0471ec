import { BY_HAND } from './membership.rules.ts'
import { describe, expect, test } from 'vitest'
import {
  isReplacedByManualTerm,
  canRenewFree,
  calculatePrice,
  allocateCredit,
  creditablePayments,
  unusedCredit,
  type CurrentTerm,
} from './membership-price.rules.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2027, 0, 1, 12)
const annual = { key: 'annual_member', unitAmount: 10_000, isRecurring: true }
const associate = { key: 'associate_member', unitAmount: 5_000, isRecurring: true }
const life = { key: 'life_member', unitAmount: 100_000, isRecurring: false }

const held: CurrentTerm = {
  kind: 'RECURRING',
  levelKey: 'annual_member',
  status: 'ACTIVE',
  termStartsAt: NOW - 165 * DAY,
  endsAt: NOW + 200 * DAY,
  paidForTerm: 10_000,
  ...BY_HAND,
  stripeStatus: 'active',
}

describe('what a level costs today (decision record 10)', () => {
  test.each([
    ['a new member, yearly', annual, null, { amount: 10_000, credit: 0, mode: 'subscription' }],
    ['a new member, for life', life, null, { amount: 100_000, credit: 0, mode: 'payment' }],
    [
      'yearly to lifetime: less what is left of the year',
      life,
      held,
      { amount: 94_521, credit: 5_479, mode: 'payment' },
    ],
    [
      'the same, already cancelled',
      life,
      { ...held, cancelAtPeriodEnd: true },
      { amount: 94_521, credit: 5_479, mode: 'payment' },
    ],
    [
      'a renewal is owed: nothing is left',
      life,
      { ...held, status: 'PAST_DUE', pastDueSince: NOW },
      { amount: 100_000, credit: 0, mode: 'payment' },
    ],
    ['expired: nothing is left', life, { ...held, status: 'EXPIRED' }, { amount: 100_000, credit: 0, mode: 'payment' }],
    ['free to lifetime', life, { ...held, paidForTerm: 0 }, { amount: 100_000, credit: 0, mode: 'payment' }],
    [
      'a lifetime level that costs less than what is left',
      { ...life, unitAmount: 1_000 },
      held,
      { amount: 50, credit: 950, mode: 'payment' },
    ],
    [
      'a fixed term once more: one payment',
      annual,
      { ...held, stripeStatus: null },
      { amount: 10_000, credit: 0, mode: 'payment' },
    ],
    [
      'from a fixed term to another level: a subscription',
      associate,
      { ...held, stripeStatus: null },
      { amount: 5_000, credit: 0, mode: 'subscription' },
    ],
    [
      'a subscription given up within grace: a new one',
      annual,
      { ...held, status: 'PAST_DUE', stripeStatus: 'canceled', pastDueSince: NOW },
      { amount: 10_000, credit: 0, mode: 'subscription' },
    ],
    [
      'after it expired: a subscription',
      annual,
      { ...held, stripeStatus: null, status: 'EXPIRED' },
      { amount: 10_000, credit: 0, mode: 'subscription' },
    ],
  ] as const)('%s', (_name, level, term, price) => expect(calculatePrice(level, term, NOW)).toEqual(price))

  test.each([
    ['on the first day everything but that day', NOW - 1, 365, 9_973],
    ['half way', NOW - 182 * DAY, 364, 5_000],
    ['on the last day nothing', NOW - 364.5 * DAY, 365, 0],
    ['in a leap year', NOW - 183 * DAY, 366, 5_000],
  ])('the credit %s', (_name, termStartsAt, days, credit) => {
    expect(unusedCredit({ ...held, termStartsAt, endsAt: termStartsAt + days * DAY }, NOW)).toBe(credit)
  })

  test('it never exceeds what was paid and is never negative', () => {
    for (let day = -400; day < 400; day++) {
      const credit = unusedCredit(held, NOW + day * DAY)
      expect(credit).toBeGreaterThanOrEqual(0)
      expect(credit).toBeLessThanOrEqual(held.paidForTerm)
    }
  })
})

test('paid for the current term: its own payments, less refunds', () => {
  const payments = [
    paidOnce('whole'),
    paidOnce('part', { amount: 2_500, amountRefunded: 500 }),
    paidOnce('lost', { dispute: 'lost' }),
    paidOnce('disputed', { dispute: 'open' }),
    paidOnce('won', { dispute: 'won' }),
    paidOnce('voided', { voidedAt: NOW }),
    paidOnce('credited before', { credited: 4_000 }),
    paidOnce('on its way back', { refundAsked: 9_000 }),
    paidOnce('credited whole', { credited: 10_000 }),
    paidOnce('another year', { periodEndsAt: NOW - 165 * DAY }),
    paidOnce('for life', { periodEndsAt: null }),
  ]
  expect(creditablePayments(held, payments)).toEqual([
    { paymentId: 'whole', amount: 10_000 },
    { paymentId: 'part', amount: 2_000 },
    { paymentId: 'won', amount: 10_000 },
    { paymentId: 'credited before', amount: 6_000 },
    { paymentId: 'on its way back', amount: 1_000 },
  ])
  expect(creditablePayments({ endsAt: null }, payments)).toEqual([])
})

function paidOnce(id: string, given: object = {}) {
  const payment = { amount: 10_000, amountRefunded: 0, dispute: null, periodEndsAt: held.endsAt }
  return { ...payment, id, refundAsked: 0, credited: 0, voidedAt: null, ...given }
}

test('a credit uses the newest payments first, and never more than the rest of one', () => {
  const paid = [
    { paymentId: 'renewal', amount: 3_000 },
    { paymentId: 'first', amount: 10_000 },
  ]
  expect(allocateCredit(0, paid)).toEqual([])
  expect(allocateCredit(2_500, paid)).toEqual([{ paymentId: 'renewal', amount: 2_500 }])
  expect(allocateCredit(5_479, paid)).toEqual([
    { paymentId: 'renewal', amount: 3_000 },
    { paymentId: 'first', amount: 2_479 },
  ])
})

test.each([
  [46, null, true],
  [47, null, false],
  [10, 'active', false],
])('a free term with %i days left (%s)', (days, stripeStatus, may) => {
  expect(canRenewFree({ endsAt: NOW + days * DAY, stripeStatus }, NOW)).toBe(may)
})

describe('a manual term recorded while a subscription checkout was open (docs/product-rules.md#open-checkouts-are-reused)', () => {
  const byHand = { ...held, stripeStatus: null, startedAt: NOW }
  const opened = { mode: 'subscription', createdAt: NOW - DAY } as const
  test.each([
    ['a check', byHand, annual, opened, true],
    ['of another level too', byHand, associate, opened, true],
    ['a term that ran when the checkout was opened', { ...byHand, startedAt: NOW - 2 * DAY }, annual, opened, false],
    ['a free level', byHand, { unitAmount: 0 }, opened, false],
    ['a level that is no longer known', byHand, null, opened, false],
    ['its rights are over', { ...byHand, status: 'EXPIRED' as const }, annual, opened, false],
    ['a subscription', { ...byHand, stripeStatus: 'active' }, annual, opened, false],
    ['a checkout that adds a term', byHand, annual, { ...opened, mode: 'payment' as const }, false],
  ])('%s', (_name, current, level, checkout, expected) => {
    expect(isReplacedByManualTerm(current, level, checkout)).toBe(expected)
  })
})
