import { describe, expect, test } from 'vitest'
import { checkRsvpSettings, toRsvpSettings, toFormValues } from './rsvp-settings-form.rules.ts'

const EMPTY = toFormValues({
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
  kinds: [],
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
    expect(toRsvpSettings({ ...EMPTY, memberPrice: typed }, 0).memberPrice).toBe(cents)
  })

  test.each([['12.505'], ['fifty'], ['0.5'], ['0'], ['20000'], ['-5'], ['1e9']])('%s is refused', (typed) => {
    expect(checkRsvpSettings({ ...EMPTY, price: typed })).toEqual({
      price: 'Please enter an amount from 1 to 10,000, or leave this empty',
    })
  })

  test('and shown in dollars again', () => {
    const saved = { ...EMPTY, price: '12.50', memberPrice: '0', refundUntil: '2026-12-12' }
    const offered = toRsvpSettings(saved, 3)
    expect(toFormValues({ ...offered, kinds: [], words: offered.words || null })).toEqual(saved)
  })
})
