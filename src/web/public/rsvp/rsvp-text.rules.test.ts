import { describe, expect, test } from 'vitest'
import type { MemberRsvp } from '#contract/public/my-account/account-home.ts'
import { memberPriceStep, openingText, priceText, sentText, type SentPlace } from './rsvp-text.rules.ts'

const TODAY = '2026-11-21'
const always = { state: 'open', closesAt: null, lastDay: null, seatsLeft: null } as const
const closesAt = '2026-12-16T05:00:00.000Z'

test.each([
  [{}, ''],
  [{ closesAt, lastDay: '2026-12-15' }, 'RSVP by Tuesday, December 15.'],
  [{ closesAt, lastDay: '2026-12-15', seatsLeft: 38 }, 'RSVP by Tuesday, December 15. 38 seats left.'],
  [{ closesAt: '2027-01-03T05:00:00.000Z', lastDay: '2027-01-02' }, 'RSVP by Saturday, January 2, 2027.'],
  [{ closesAt: '2026-12-19T23:30:00.000Z' }, 'RSVP before December 19, 2026 at 6:30 PM EST.'],
  [{ seatsLeft: 1 }, '1 seat left.'],
  [{ state: 'full', seatsLeft: 0 } as const, ''],
])('RSVPs with %j begin with %j', (over, text) => {
  expect(openingText({ ...always, ...over }, TODAY)).toBe(text)
})

describe('the price', () => {
  const price = { person: 12_000, member: 9_000, currency: 'usd', refundUntil: null }

  test.each([
    [price, 'log-in', '$120 per person. Members pay $90:'],
    [price, null, '$120 per person. Members pay $90.'],
    [{ ...price, member: 0 }, 'address', '$120 per person. Members pay nothing:'],
    [{ ...price, member: 12_000 }, null, '$120 per person.'],
  ] as const)('%j with the step %j is %j', (given, step, text) => {
    expect(priceText(given, step)).toBe(text)
  })

  const visitor = { isSignedIn: false, hasMembership: false, typedOwnAddress: false }

  test.each([
    ['a visitor', visitor, 'log-in'],
    ['a member with another address', { isSignedIn: true, hasMembership: true, typedOwnAddress: false }, 'address'],
    ['a member with the own address', { isSignedIn: true, hasMembership: true, typedOwnAddress: true }, null],
    ['a former member', { ...visitor, isSignedIn: true }, null],
  ] as const)('%s needs for the member price: %j', (_, given, step) => {
    expect(memberPriceStep(price, given)).toBe(step)
    expect(memberPriceStep({ person: 9_000, member: 9_000 }, given)).toBeNull()
  })
})

const own = (guests: number, money: MemberRsvp['money'] = null) => ({ guests, money }) as MemberRsvp
const due = { currency: 'usd', paid: 0, owed: 24_000, payBy: '2026-12-02T05:00:00.000Z' }

test.each<[SentPlace, MemberRsvp | null, string]>([
  ['coming', own(0), 'You’re coming. One seat. We sent your check-in code to ana@example.com.'],
  ['coming', own(10), 'You’re coming. Eleven seats. We sent your check-in code to ana@example.com.'],
  [
    'waiting',
    own(1),
    'You’re on the waitlist. When seats open up and it’s your turn, we’ll hold them for you and email ana@example.com.',
  ],
  [
    'paying',
    own(1, due),
    'Your seats are held. Pay $240 by December 1, 2026 at 11:59 PM EST, or they go to the next guest.',
  ],
  ['paying', own(1, { ...due, payBy: null }), 'Your seats are held. Pay $240 to keep them.'],
  ['paying', own(1), 'Your seats are held. They are yours once they are paid.'],
  [
    'sent',
    null,
    'Thank you. Check your email. We sent your confirmation to ana@example.com, with a link to change or cancel.',
  ],
])('an RSVP that is %s with %j: %j', (place, stored, said) => {
  const { title, text } = sentText({ place, email: 'ana@example.com', own: stored })
  expect(`${title} ${text}`).toBe(said)
})
