import { describe, expect, test } from 'vitest'
import {
  costOf,
  failedRefunds,
  isRefundable,
  paidGuests,
  payBy,
  pricesFor,
  refundPlan,
  seatLines,
  seatPaid,
} from './rsvp-price.rules.ts'

const NEW_YORK = 'America/New_York'
const HOUR_MS = 3_600_000

describe('what a party pays', () => {
  test.each([
    ['nobody pays', { price: null, memberPrice: null }, true, 2, 0],
    ['everybody the same', { price: 5_000, memberPrice: null }, true, 2, 15_000],
    ['a member free, guests not', { price: 5_000, memberPrice: 0 }, true, 1, 5_000],
    ['a member alone, free', { price: 5_000, memberPrice: 0 }, true, 0, 0],
    ['a member less', { price: 5_000, memberPrice: 2_500 }, true, 2, 12_500],
    ['somebody else', { price: 5_000, memberPrice: 0 }, false, 1, 10_000],
  ])('%s', (_name, offer, isMember, guests, cents) => {
    const prices = pricesFor(offer, isMember)
    expect(costOf(prices, guests)).toBe(cents)
    const lines = seatLines(prices, { guests, from: null })
    if (cents > 0) expect(lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0)).toBe(cents)
    expect(lines.every(({ quantity }) => quantity > 0)).toBe(true)
  })

  test('a line for each kind of seat; guests who join later alone', () => {
    const prices = { own: 2_500, guest: 5_000 }
    expect(seatLines(prices, { guests: 2, from: null })).toEqual([
      { name: 'Member’s seat', amount: 2_500, quantity: 1 },
      { name: 'Guest’s seat', amount: 5_000, quantity: 2 },
    ])
    expect(seatLines(prices, { guests: 3, from: 1 })).toEqual([{ name: 'Guest’s seat', amount: 5_000, quantity: 2 }])
    const same = { own: 5_000, guest: 5_000 }
    expect(seatLines(same, { guests: 1, from: null })).toEqual([{ name: 'Seat', amount: 5_000, quantity: 2 }])
    expect(seatLines(same, { guests: 1, from: 0 })).toEqual([{ name: 'Guest’s seat', amount: 5_000, quantity: 1 }])
  })
})

test.each([
  ['as many as come', 2, 12_500, 2],
  ['one was left at home', 1, 12_500, 2],
  ['money went back', 2, 0, 2],
  ['one of those left, after money went back', 1, 0, 1],
])('guests that are paid for: %s', (_name, guests, left, wanted) => {
  expect(paidGuests({ own: 2_500, guest: 5_000 }, { guests, left })).toBe(wanted)
})

test.each([
  ['nothing was made', 0, 0, null, 0],
  ['it arrived', 5_000, 5_000, null, 0],
  ['it failed', 5_000, 0, null, 5_000],
  ['one of two failed', 10_000, 5_000, null, 5_000],
  ['more went back at the provider’s own pages', 5_000, 10_000, null, 0],
  ['it failed during a dispute', 5_000, 0, 'open', 5_000],
  ['the bank of the guest took it', 5_000, 0, 'lost', 0],
] as const)('refunds that failed: %s', (_name, made, amountRefunded, dispute, wanted) => {
  expect(failedRefunds({ made, amountRefunded, dispute })).toBe(wanted)
})

test.each([
  [null, '2026-12-01T12:00:00Z', false],
  ['2026-12-10', '2026-12-11T04:59:59Z', true],
  ['2026-12-10', '2026-12-11T05:00:00Z', false],
])('refundable until %s, at %s: %s', (until, at, wanted) => {
  expect(isRefundable(until, Date.parse(at), NEW_YORK)).toBe(wanted)
})

test.each([
  ['two days', 100, 48],
  ['to the end of the day before', 30, 30],
  ['two hours', 2, 2],
  ['no time any more', 1.9, null],
  ['the day has begun', -5, null],
])('whoever comes off the waitlist has time to pay: %s', (_name, hoursToDay, hours) => {
  expect(payBy(hoursToDay * HOUR_MS, 0)).toBe(hours === null ? null : hours * HOUR_MS)
})

test('an event that nobody can date gives no time to pay', () => {
  expect(payBy(null, 0)).toBeNull()
})

describe('what a payment becomes', () => {
  const first = { rsvpId: null, guests: 1, seats: 2, isHolding: true }
  const more = { rsvpId: 'r', guests: 3, seats: 2, isHolding: true }
  const waited = { rsvpId: 'r', guests: 1, seats: 0, isHolding: true }
  const full = { capacity: 10, taken: 10 }
  const late = { isHolding: false }
  test.each([
    ['seats that were kept', first, null, full, 'seated'],
    ['the address waits elsewhere in line', first, { place: 'waiting', guests: 0 }, full, 'seated'],
    ['it gave up before', first, { place: 'cancelled', guests: 0 }, full, 'seated'],
    ['it has seats', first, { place: 'coming', guests: 0 }, full, 'twice'],
    ['late, room left', { ...first, ...late }, null, { capacity: 10, taken: 8 }, 'seated'],
    ['late, one seat short', { ...first, ...late }, null, { capacity: 10, taken: 9 }, 'no-seat'],
    ['late, as many as like', { ...first, ...late }, null, { capacity: null, taken: 900 }, 'seated'],
    ['late, its own kept seats are enough', { ...first, ...late }, { place: 'paying', guests: 1 }, full, 'seated'],
    ['more guests', more, { place: 'coming', guests: 1 }, full, 'seated'],
    ['more guests, changed meanwhile', more, { place: 'coming', guests: 0 }, full, 'no-seat'],
    ['more guests, late', { ...more, ...late }, { place: 'coming', guests: 1 }, { capacity: 10, taken: 9 }, 'no-seat'],
    ['more guests, cancelled meanwhile', more, { place: 'cancelled', guests: 1 }, full, 'no-seat'],
    ['more guests, forgotten', more, null, full, 'no-seat'],
    ['off the waitlist', waited, { place: 'paying', guests: 1 }, full, 'seated'],
    ['off the waitlist, another party meanwhile', waited, { place: 'paying', guests: 0 }, full, 'no-seat'],
    ['off the waitlist, paid before', waited, { place: 'coming', guests: 1 }, full, 'twice'],
    ['off the waitlist, too late', { ...waited, ...late }, { place: 'cancelled', guests: 1 }, full, 'no-seat'],
  ] as const)('%s', (_name, order, rsvp, seats, wanted) => {
    expect(seatPaid(order, rsvp, { ...seats, isCalledOff: false })).toBe(wanted)
  })

  test.each([
    ['late', { ...first, ...late }, null],
    ['seats that were kept', first, null],
    ['the address has seats again', first, { place: 'coming', guests: 0 }],
  ] as const)('of an event that was called off, it goes back: %s', (_name, order, rsvp) => {
    expect(seatPaid(order, rsvp, { capacity: null, taken: 0, isCalledOff: true })).toBe('called-off')
  })
})

test.each([
  ['part of the newest', 3_000, [{ id: 'b', amount: 3_000 }]],
  [
    'over two',
    7_000,
    [
      { id: 'b', amount: 5_000 },
      { id: 'a', amount: 2_000 },
    ],
  ],
  [
    'never more than is left',
    Infinity,
    [
      { id: 'b', amount: 5_000 },
      { id: 'a', amount: 4_000 },
    ],
  ],
  ['nothing', 0, []],
])('money goes back of the newest payment first: %s', (_name, amount, wanted) => {
  const payments = [
    { id: 'a', left: 4_000, paidAt: 1 },
    { id: 'b', left: 5_000, paidAt: 2 },
    { id: 'c', left: 0, paidAt: 3 },
  ]
  expect(refundPlan(payments, amount)).toEqual(wanted)
})
