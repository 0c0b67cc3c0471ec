import { describe, expect, test } from 'vitest'
import { checkOffer, offeredIn, valuesOf } from './offer-form.rules.ts'

const EMPTY = valuesOf({
  isOpen: true,
  capacity: null,
  guestsMax: 1,
  meals: [],
  closesOn: null,
  words: null,
  creditHours: null,
  price: null,
  memberPrice: null,
  refundUntil: null,
  version: 0,
})

describe('a price is typed in dollars', () => {
  test.each([
    ['', null],
    ['50', 5_000],
    ['$50', 5_000],
    [' 12.50 ', 1_250],
    ['19.99', 1_999],
    ['0', 0],
  ])('%s', (typed, cents) => {
    expect(offeredIn({ ...EMPTY, memberPrice: typed }, 0).memberPrice).toBe(cents)
  })

  test.each([['12.505'], ['fifty'], ['0.5'], ['0'], ['20000'], ['-5'], ['1e9']])('%s is refused', (typed) => {
    expect(checkOffer({ ...EMPTY, price: typed })).toEqual({
      price: 'Please enter an amount from $1 to $10,000, or leave this empty',
    })
  })

  test('and shown in dollars again', () => {
    const saved = { ...EMPTY, price: '12.50', memberPrice: '0', refundUntil: '2026-12-12' }
    const offered = offeredIn(saved, 3)
    expect(valuesOf({ ...offered, words: offered.words || null })).toEqual(saved)
  })
})
