import { describe, expect, test } from 'vitest'
import { addInterval } from '../membership.rules.ts'
import { effectOfRefund, type RefundableTerm, type RefundablePayment } from './refund.rules.ts'

const DAY = 86_400_000
const YEAR = { interval: 'year', intervalCount: 1 } as const
const NOW = Date.UTC(2026, 10, 25)
const STARTED = Date.UTC(2026, 0, 5)
/** The last instant of a calendar year. */
const end = (year: number) => Date.UTC(year, 11, 31, 17)

const byHand: RefundableTerm = {
  startedAt: STARTED,
  endsAt: end(2027),
  stripeStatus: null,
  pastDueSince: null,
  isGranted: false,
}
const byCard: RefundableTerm = { ...byHand, stripeStatus: 'active', endsAt: addInterval(STARTED, 'year', 1) }
const forLife: RefundableTerm = { ...byHand, endsAt: null }

const kept = {
  id: '',
  purpose: 'renewal' as const,
  amount: 10_000,
  amountRefunded: 0,
  dispute: null,
  recordedAt: NOW - 5 * DAY,
  activatedAt: null,
  periodEndsAt: end(2027),
  checkoutId: 'order',
  paymentIntentId: 'pi',
}
type Given = Partial<RefundablePayment>
const returned: Given = { amountRefunded: 10_000 }
const cheque = (given: Given = {}): RefundablePayment => ({
  ...kept,
  purpose: 'start',
  recordedAt: STARTED,
  periodEndsAt: end(2026),
  checkoutId: null,
  paymentIntentId: null,
  ...given,
})
/** A manual renewal, paid by card. */
const renewal = (given: Given = {}): RefundablePayment => ({ ...kept, ...given })
const invoice = (given: Given = {}): RefundablePayment => ({ ...kept, checkoutId: null, ...given })
/** The checkout that started the membership. */
const start = (given: Given = {}): RefundablePayment => ({
  ...kept,
  purpose: 'start',
  recordedAt: STARTED,
  periodEndsAt: addInterval(STARTED, 'year', 1),
  ...given,
})

/** The effect on a term when the first payment is refunded. */
function outcome(term: RefundableTerm, ...payments: RefundablePayment[]) {
  const named = payments.map((payment, index) => ({ ...payment, id: String(index) }))
  const newestFirst = named.toSorted((a, b) => b.recordedAt - a.recordedAt)
  return effectOfRefund(term, { returned: '0', payments: newestFirst, level: YEAR, now: NOW })
}

describe('refunds for a manual term', () => {
  const twice = { ...byHand, endsAt: end(2028) }
  test.each<[string, RefundableTerm, RefundablePayment[], unknown]>([
    [
      'renewed twice, the second goes back: the first stays',
      twice,
      [renewal({ ...returned, periodEndsAt: end(2028) }), renewal({ recordedAt: NOW - 9 * DAY }), cheque()],
      { endsAt: end(2027) },
    ],
    [
      'renewed twice, both go back, the older first',
      twice,
      [
        renewal({ ...returned, periodEndsAt: end(2028) }),
        renewal({ ...returned, recordedAt: NOW - 9 * DAY }),
        cheque(),
      ],
      { endsAt: end(2026) },
    ],
    [
      'renewed twice, the older goes back: the newer pays for the end',
      twice,
      [renewal({ ...returned, recordedAt: NOW - 9 * DAY }), renewal({ periodEndsAt: end(2028) }), cheque()],
      'untouched',
    ],
    ['renewed once by card, and that goes back', byHand, [renewal(returned), cheque()], { endsAt: end(2026) }],
    ['a dispute about it is lost', byHand, [renewal({ dispute: 'lost' }), cheque()], { endsAt: end(2026) }],
    [
      'what is left is over already',
      { ...byHand, endsAt: end(2026) },
      [renewal({ ...returned, periodEndsAt: end(2026) })],
      'over',
    ],
    ['paid before it began', byHand, [renewal({ ...returned, recordedAt: STARTED - 1 })], 'untouched'],
    [
      'of another term: merged from another account',
      byHand,
      [renewal({ ...returned, periodEndsAt: end(2029) })],
      'untouched',
    ],
    ['the same end is paid for by another payment', byHand, [renewal(returned), renewal(), cheque()], 'untouched'],
    ['the end was granted', { ...byHand, isGranted: true }, [renewal(returned), cheque()], 'untouched'],
    [
      'an officer moved the end on meanwhile',
      { ...byHand, endsAt: end(2030) },
      [renewal(returned), cheque()],
      'untouched',
    ],
    ['a change of level', byHand, [renewal({ ...returned, purpose: 'change' }), cheque()], 'untouched'],
    ['the invoice of a subscription before it', byHand, [invoice(returned), cheque()], 'untouched'],
    ['the year of a subscription that it replaced', byHand, [start(returned), renewal()], 'untouched'],
  ])('%s', (_name, term, payments, expected) => {
    expect(outcome(term, ...payments)).toEqual(expected)
  })
})

describe('refunds for a subscription', () => {
  const second = { ...byCard, endsAt: addInterval(STARTED, 'year', 2) }
  const renewed = (given: Given = {}) => invoice({ periodEndsAt: addInterval(STARTED, 'year', 2), ...given })
  const owes = { ...second, stripeStatus: 'past_due', pastDueSince: NOW - DAY }
  test.each<[string, RefundableTerm, RefundablePayment[], unknown]>([
    ['in its first year', byCard, [start(returned)], 'over'],
    ['the renewal that it runs on', second, [renewed(returned), start()], 'over'],
    ['the year before', second, [start(returned), renewed()], 'untouched'],
    ['the year before, while the next is owed', owes, [start(returned)], 'over'],
    [
      'heard of three days late',
      byCard,
      [start({ ...returned, periodEndsAt: (byCard.endsAt ?? 0) + 3 * DAY })],
      'over',
    ],
    ['a change of level in between', byCard, [renewal({ ...returned, purpose: 'change' }), start()], 'untouched'],
    ['merged: a renewal by hand of the other account', byCard, [renewal(returned), start()], 'untouched'],
    [
      'merged: the other subscription, begun the same day',
      byCard,
      [start({ ...returned, recordedAt: STARTED + 1 }), start()],
      'untouched',
    ],
    ['merged: a renewal by hand, while this one owes', owes, [renewal(returned), start()], 'untouched'],
  ])('%s', (_name, term, payments, expected) => {
    expect(outcome(term, ...payments)).toEqual(expected)
  })
})

describe('refunds for a lifetime membership', () => {
  const once = { periodEndsAt: null }
  test.each<[string, RefundableTerm, RefundablePayment[], unknown]>([
    ['what it was bought with', forLife, [start({ ...returned, ...once })], 'over'],
    ['what was paid for the years before', forLife, [renewal({ ...returned, recordedAt: STARTED - 1 })], 'untouched'],
    [
      'merged: another one for life',
      forLife,
      [start({ ...returned, ...once, recordedAt: STARTED + DAY })],
      'untouched',
    ],
    ['it was granted', { ...forLife, isGranted: true }, [start({ ...returned, ...once })], 'untouched'],
  ])('%s', (_name, term, payments, expected) => {
    expect(outcome(term, ...payments)).toEqual(expected)
  })
})
