import { expect, test } from 'vitest'
import type { PriceEffect } from '#contract/console-dues.ts'
import { differenceWords, effectSentences } from './effect-words.rules.ts'

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

test('everybody it concerns is told of in a sentence', () => {
  expect(effectSentences(effect)).toEqual([
    'From January 1, 2027 on whoever joins pays $125 instead of $100.',
    '3 members pay $125 from the next renewal on, the first on March 2, 2027, the last on November 30, 2027.',
    'Nothing is charged now; the letters before each renewal say the new amount.',
    'One member pays the old price once more: the next renewal comes before the new price begins, or its amount was already announced by letter.',
    'One member renews by hand, with a check or anew by card: for what the level costs on that day.',
    'One member stopped the renewal and is charged nothing more.',
    'One member holds it for life and never pays again.',
    '2 checkouts are open right now: they may still be paid at the price they show.',
  ])
})

test.each<[Partial<PriceEffect>, string]>([
  [{ isToday: true }, 'From now on whoever joins pays $125 instead of $100.'],
  [{ amountAfter: 10_000 }, 'Whoever joins pays $100, as today.'],
  [{ holders: 0 }, 'Nobody holds this level yet.'],
  [{ keepPrice: 1_200 }, '1,200 members go on paying what each pays today, at every renewal.'],
  [{ movesAtNext: 1, lastAt: effect.firstAt }, 'One member pays $125 from the next renewal on, on March 2, 2027.'],
  [{ openCheckouts: 1 }, 'One checkout is open right now: it may still be paid at the price it shows.'],
])('%o', (over, sentence) => {
  expect(effectSentences({ ...effect, ...over })).toContain(sentence)
})

test.each<[number | null, string | null]>([
  [62_500, '$125 more than today'],
  [40_050, '$99.50 less than today'],
  [50_000, 'as much as today'],
  [null, null],
])('a year of dues afterwards: %o', (yearAfter, words) => {
  expect(differenceWords({ ...effect, yearAfter })).toBe(words)
})
