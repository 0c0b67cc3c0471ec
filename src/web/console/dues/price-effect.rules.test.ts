import { expect, test } from 'vitest'
import type { PriceEffect } from '#contract/console/dues.ts'
import { differenceText, effectSentences } from './price-effect.rules.ts'

const effect: PriceEffect = {
  amountBefore: 10_000,
  amountAfter: 12_500,
  currency: 'usd',
  startsOn: '2027-01-01',
  isToday: false,
  holders: 7,
  byCard: 4,
  byHand: 1,
  ending: 1,
  forLife: 1,
  keepPrice: 0,
  movesAtNext: 3,
  firstAt: '2027-03-02T15:00:00.000Z',
  lastAt: '2027-11-30T15:00:00.000Z',
  paysOnceMore: 1,
  yearBefore: 50_000,
  yearAfter: 62_500,
  openCheckouts: 2,
  version: 'v',
}

test('every affected group has its own sentence', () => {
  expect(effectSentences(effect)).toEqual([
    'From January 1, 2027, new members pay $125 instead of $100.',
    '3 members pay $125 from the next renewal, the first on March 2, 2027, the last on November 30, 2027.',
    'Nothing is charged now. The email before each renewal states the new amount.',
    'One member pays the old price once more: the next renewal is before the new price starts, or its amount was already announced by email.',
    'One member renews manually, by check or card, at the price on that day.',
    'One member stopped the renewal and is not charged again.',
    'One member holds it for life and never pays again.',
    '2 checkouts are open now and may still be paid at the old price.',
  ])
})

test.each<[Partial<PriceEffect>, string]>([
  [{ isToday: true }, 'From now on, new members pay $125 instead of $100.'],
  [{ amountAfter: 10_000 }, 'New members pay $100, as today.'],
  [{ holders: 0 }, 'This level has no members yet.'],
  [{ keepPrice: 1_200 }, '1,200 members keep the current price at every renewal.'],
  [{ movesAtNext: 1, lastAt: effect.firstAt }, 'One member pays $125 from the next renewal, on March 2, 2027.'],
  [{ openCheckouts: 1 }, 'One checkout is open now and may still be paid at the old price.'],
])('%o', (over, sentence) => {
  expect(effectSentences({ ...effect, ...over })).toContain(sentence)
})

test.each<[number | null, string | null]>([
  [62_500, '$125 more than today'],
  [40_050, '$99.50 less than today'],
  [50_000, 'the same as today'],
  [null, null],
])('a year of dues afterwards: %o', (yearAfter, text) => {
  expect(differenceText({ ...effect, yearAfter })).toBe(text)
})
