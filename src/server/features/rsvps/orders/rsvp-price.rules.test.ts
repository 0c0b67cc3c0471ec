import { describe, expect, test } from 'vitest'
import {
  partyCost,
  failedRefunds,
  isRefundable,
  paidGuests,
  paymentDeadline,
  pricesFor,
  refundPlan,
  seatLines,
  paymentOutcome,
  costOf,
  partyLines,
  ticketChange,
} from './rsvp-price.rules.ts'

const NEW_YORK = 'America/New_York'
const HOUR_MS = 3_600_000

describe('the cost of a party', () => {
  test.each([
    ['a free event', { price: null, memberPrice: null }, true, 2, 0],
    ['one price for everyone', { price: 5_000, memberPrice: null }, true, 2, 15_000],
    ['a member free, guests not', { price: 5_000, memberPrice: 0 }, true, 1, 5_000],
    ['a member alone, free of charge', { price: 5_000, memberPrice: 0 }, true, 0, 0],
    ['a lower member price', { price: 5_000, memberPrice: 2_500 }, true, 2, 12_500],
    ['not a member', { price: 5_000, memberPrice: 0 }, false, 1, 10_000],
  ])('%s', (_name, settings, isMember, guests, cents) => {
    const prices = pricesFor(settings, isMember)
    expect(partyCost(prices, guests)).toBe(cents)
    const lines = seatLines(prices, { guests, from: null })
    if (cents > 0) expect(lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0)).toBe(cents)
    expect(lines.every(({ quantity }) => quantity > 0)).toBe(true)
  })

  test('one line per kind of seat; only the added guests when a party grows', () => {
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
  ['all current guests', 2, 12_500, 2],
  ['one was removed without a refund', 1, 12_500, 2],
  ['refunded', 2, 0, 2],
  ['one remains after a refund', 1, 0, 1],
])('guests paid for: %s', (_name, guests, left, wanted) => {
  expect(paidGuests({ own: 2_500, guest: 5_000 }, { guests, left })).toBe(wanted)
})

test.each([
  ['no refund made', 0, 0, null, 0],
  ['refund arrived', 5_000, 5_000, null, 0],
  ['refund failed', 5_000, 0, null, 5_000],
  ['one of two failed', 10_000, 5_000, null, 5_000],
  ['more refunded in the provider’s dashboard', 5_000, 10_000, null, 0],
  ['refund failed during a dispute', 5_000, 0, 'open', 5_000],
  ['dispute lost', 5_000, 0, 'lost', 0],
] as const)('failed refunds: %s', (_name, made, amountRefunded, dispute, wanted) => {
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
  ['too little time left', 1.9, null],
  ['the event’s day has started', -5, null],
])('payment deadline for a party from the waitlist: %s', (_name, hoursToDay, hours) => {
  expect(paymentDeadline(hoursToDay * HOUR_MS, 0)).toBe(hours === null ? null : hours * HOUR_MS)
})

test('an event without a readable date has no payment deadline', () => {
  expect(paymentDeadline(null, 0)).toBeNull()
})

describe('the result of a payment', () => {
  const first = { rsvpId: null, guests: 1, seats: 2, isHolding: true }
  const more = { rsvpId: 'r', guests: 3, seats: 2, isHolding: true }
  const waited = { rsvpId: 'r', guests: 1, seats: 0, isHolding: true }
  const full = { capacity: 10, taken: 10 }
  const late = { isHolding: false }
  const none = { tickets: [], baseTickets: [] }
  const outcomeOf = (
    order: Omit<Parameters<typeof paymentOutcome>[0], keyof typeof none>,
    rsvp: Omit<NonNullable<Parameters<typeof paymentOutcome>[1]>, 'tickets'> | null,
    event: { capacity: number | null; taken: number; isCalledOff: boolean },
  ) => paymentOutcome({ ...order, ...none }, rsvp && { ...rsvp, tickets: [] }, { ...event, hasTickets: true })
  test.each([
    ['held seats', first, null, full, 'seated'],
    ['the address is on the waitlist', first, { status: 'waiting', guests: 0 }, full, 'seated'],
    ['the address had canceled before', first, { status: 'cancelled', guests: 0 }, full, 'seated'],
    ['the address already has seats', first, { status: 'coming', guests: 0 }, full, 'twice'],
    ['late, room left', { ...first, ...late }, null, { capacity: 10, taken: 8 }, 'seated'],
    ['late, one seat short', { ...first, ...late }, null, { capacity: 10, taken: 9 }, 'no-seat'],
    ['late, unlimited seats', { ...first, ...late }, null, { capacity: null, taken: 900 }, 'seated'],
    ['late, but its own held seats suffice', { ...first, ...late }, { status: 'paying', guests: 1 }, full, 'seated'],
    ['more guests', more, { status: 'coming', guests: 1 }, full, 'seated'],
    ['more guests, changed meanwhile', more, { status: 'coming', guests: 0 }, full, 'no-seat'],
    ['more guests, late', { ...more, ...late }, { status: 'coming', guests: 1 }, { capacity: 10, taken: 9 }, 'no-seat'],
    ['more guests, canceled meanwhile', more, { status: 'cancelled', guests: 1 }, full, 'no-seat'],
    ['more guests, RSVP deleted', more, null, full, 'no-seat'],
    ['from the waitlist', waited, { status: 'paying', guests: 1 }, full, 'seated'],
    ['from the waitlist, party changed meanwhile', waited, { status: 'paying', guests: 0 }, full, 'no-seat'],
    ['from the waitlist, already paid', waited, { status: 'coming', guests: 1 }, full, 'twice'],
    ['from the waitlist, too late', { ...waited, ...late }, { status: 'cancelled', guests: 1 }, full, 'no-seat'],
  ] as const)('%s', (_name, order, rsvp, seats, wanted) => {
    expect(outcomeOf(order, rsvp, { ...seats, isCalledOff: false })).toBe(wanted)
  })

  test.each([
    ['late', { ...first, ...late }, null],
    ['held seats', first, null],
    ['the address has seats again', first, { status: 'coming', guests: 0 }],
  ] as const)('a payment for a canceled event is refunded: %s', (_name, order, rsvp) => {
    expect(outcomeOf(order, rsvp, { capacity: null, taken: 0, isCalledOff: true })).toBe('called-off')
  })
})

describe('tickets', () => {
  const ticket = (kind: string, price: number, count: number, fullPrice = price) => ({
    kind,
    name: kind,
    price,
    fullPrice,
    seats: 1,
    count,
  })
  const two = [ticket('adult', 8_000, 2)]
  const swapped = [ticket('adult', 8_000, 1), ticket('child', 3_000, 1)]
  const three = [ticket('adult', 8_000, 2), ticket('child', 3_000, 1)]
  const paid = { capacity: 10, taken: 10, isCalledOff: false }

  test.each([
    ['its tickets are unchanged', { baseTickets: two, tickets: three, isHolding: true }, two, true, 'seated'],
    ['it has other tickets since', { baseTickets: two, tickets: three, isHolding: true }, swapped, true, 'no-seat'],
    ['it has them already', { baseTickets: two, tickets: three, isHolding: true }, three, true, 'twice'],
    [
      'late, and the kind is sold out',
      { baseTickets: swapped, tickets: two, isHolding: false },
      swapped,
      false,
      'no-seat',
    ],
    [
      'late, for dearer tickets on the same seats',
      { baseTickets: swapped, tickets: two, isHolding: false },
      swapped,
      true,
      'seated',
    ],
  ] as const)('a party pays for other tickets: %s', (_, order, tickets, hasTickets, wanted) => {
    const rsvp = { status: 'coming', guests: 1, tickets } as const
    const seats = order.tickets === three ? 1 : 0
    expect(paymentOutcome({ rsvpId: 'r', guests: 1 + seats, seats, ...order }, rsvp, { ...paid, hasTickets })).toBe(
      wanted,
    )
  })

  test('a new party, late, finds its kind sold out', () => {
    const order = { rsvpId: null, guests: 1, seats: 2, isHolding: false, tickets: two, baseTickets: [] }
    expect(paymentOutcome(order, null, { ...paid, taken: 0, hasTickets: false })).toBe('no-seat')
  })

  test('a party from the waitlist pays for the tickets that it was offered', () => {
    const order = { rsvpId: 'r', guests: 1, seats: 0, isHolding: true, tickets: two, baseTickets: two }
    const outcome = (tickets: typeof two) =>
      paymentOutcome(order, { status: 'paying', guests: 1, tickets }, { ...paid, hasTickets: true })
    expect([outcome(two), outcome(swapped)]).toEqual(['seated', 'no-seat'])
  })

  test.each([
    [
      'a child more',
      two,
      three,
      16_000,
      { due: 3_000, lines: [{ name: 'child', amount: 3_000, quantity: 1 }], less: 0 },
    ],
    ['an adult becomes a child', two, swapped, 16_000, { due: 0, lines: [], less: 5_000 }],
    [
      'a child becomes an adult',
      swapped,
      two,
      11_000,
      { due: 5_000, lines: [{ name: 'Change of tickets', amount: 5_000, quantity: 1 }], less: 0 },
    ],
    [
      'an adult again, whose ticket was not refunded',
      [ticket('adult', 8_000, 1)],
      two,
      16_000,
      { due: 0, lines: [], less: 0 },
    ],
    [
      'tickets that an officer refunded count as paid',
      [ticket('adult', 0, 2, 8_000)],
      [ticket('adult', 0, 1, 8_000)],
      0,
      { due: 0, lines: [], less: 0 },
    ],
    [
      'a difference below what the card provider takes',
      two,
      [ticket('adult', 8_000, 1), ticket('senior', 8_040, 1)],
      16_000,
      { due: 0, lines: [], less: 0 },
    ],
    [
      'back from tickets whose difference was not charged',
      [ticket('senior', 8_040, 1)],
      [ticket('adult', 8_000, 1)],
      8_000,
      { due: 0, lines: [], less: 0 },
    ],
    [
      'an adult less in a party that paid less than its tickets cost',
      two,
      [ticket('adult', 8_000, 1)],
      10_000,
      { due: 0, lines: [], less: 2_000 },
    ],
  ] as const)('%s', (_, before, after, left, wanted) => expect(ticketChange(before, after, left)).toEqual(wanted))

  test('lines name the member price; free tickets have none', () => {
    const party = {
      ownPrice: 0,
      guestPrice: 0,
      guests: 2,
      tickets: [ticket('adult', 6_000, 1, 8_000), ticket('baby', 0, 2)],
    }
    expect(partyLines(party)).toEqual([{ name: 'adult, member', amount: 6_000, quantity: 1 }])
    expect([costOf(party), costOf({ ...party, ownPrice: 100, guestPrice: 200, tickets: [] })]).toEqual([6_000, 500])
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
])('refunds the newest payment first: %s', (_name, amount, wanted) => {
  const payments = [
    { id: 'a', left: 4_000, paidAt: 1 },
    { id: 'b', left: 5_000, paidAt: 2 },
    { id: 'c', left: 0, paidAt: 3 },
  ]
  expect(refundPlan(payments, amount)).toEqual(wanted)
})
