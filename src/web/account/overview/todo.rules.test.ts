import { describe, expect, test } from 'vitest'
import type { AccountHome, MemberRsvp } from '#contract/public/my-account/account-home.ts'
import type { Subscription } from '#contract/public/account.ts'
import { quietHome } from '#tests/support/web/fake-api.ts'
import { annual, life, profile, student, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'
import { eventLine, todo } from './todo.rules.ts'

const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const SOON = '2027-01-14T12:00:00.000Z'
const byHand = { renewal: 'by-hand', nextBillDate: null, cancelDate: SOON } as const

const titles = (subscription: Subscription | null, home: Partial<AccountHome> = {}) =>
  todo({ profile, subscription }, { ...quietHome, ...home }, NOW).map(({ title }) => title)
const only = (subscription: Subscription | null, home: Partial<AccountHome> = {}) =>
  todo({ profile, subscription }, { ...quietHome, ...home }, NOW)[0]

const gala = {
  id: 'gala',
  title: 'Gala under the Oaks',
  date: 'December 19, 2026',
  startsOn: '2026-12-19',
  time: '6:30 PM to 10:00 PM',
  location: 'Duluth',
}
const rsvp = (over: Partial<MemberRsvp>): MemberRsvp => ({
  event: gala,
  place: 'coming',
  guests: 1,
  money: null,
  url: '/rsvp#token=t',
  ...over,
})

describe('renewing', () => {
  test.each<[string, Subscription | null, string[]]>([
    ['nothing without a membership', null, []],
    ['nothing for life', subscriptionTo(life, { renewal: 'none' }), []],
    ['nothing that renews automatically', subscriptionTo(annual, { renewal: 'automatic' }), []],
    ['manual, within 60 days', subscriptionTo(annual, byHand), ['Renew by January 14, 2027']],
    ['manual, later', subscriptionTo(annual, { ...byHand, cancelDate: '2027-02-14T12:00:00.000Z' }), []],
    ['free, before its last weeks', subscriptionTo(student, byHand), []],
    [
      'free, in its last weeks',
      subscriptionTo(student, { ...byHand, cancelDate: '2026-12-24T12:00:00.000Z' }),
      ['Renew by December 24, 2026'],
    ],
    [
      'stopped',
      subscriptionTo(annual, { ...byHand, renewal: 'stopped' }),
      ['Your membership ends on January 14, 2027'],
    ],
    ['past due is not in the list', subscriptionTo(annual, { ...byHand, status: 'PAST_DUE' }), []],
    ['ended', subscriptionTo(annual, { ...byHand, status: 'EXPIRED' }), []],
  ])('%s', (_name, subscription, expected) => {
    expect(titles(subscription)).toEqual(expected)
  })

  test('names the sum and the days left', () => {
    expect(only(subscriptionTo(annual, byHand))).toMatchObject({
      text: 'Annual Member, $100. 51 days left.',
      label: 'Renew for $100',
    })
    expect(only(subscriptionTo(annual, { ...byHand, cancelDate: '2026-11-24T20:00:00.000Z' }))?.text).toContain(
      'It ends today.',
    )
    expect(only(subscriptionTo(student, { ...byHand, cancelDate: '2026-12-24T12:00:00.000Z' }))).toMatchObject({
      label: 'Renew membership',
    })
  })
})

test.each([
  ['missing', ['Verify your credentials']],
  ['question', ['Our officers have a question about your credentials']],
  ['declined', ['Your credentials could not be verified']],
  ['waiting', []],
  ['approved', []],
] as const)('credentials, %s', (credentials, expected) => {
  expect(titles(subscriptionTo(life), { credentials })).toEqual(expected)
  expect(titles(null, { credentials })).toEqual([])
})

test('a new address waits for its confirmation', () => {
  expect(only(null, { pendingEmail: 'new@example.com' })).toMatchObject({
    kind: 'email',
    text: 'Open the email we sent to new@example.com. Until then we use meera@example.com.',
  })
})

test('seats of the waitlist wait to be paid, RSVPs to be confirmed, and events to be answered; the most urgent first', () => {
  const money = { currency: 'usd', paid: 0, owed: 24_000, payBy: '2026-12-02T17:00:00.000Z' }
  const kite = { ...gala, id: 'kite', title: 'Kite Day', startsOn: '2027-01-09', date: 'January 9, 2027', time: null }
  const items = todo(
    { profile, subscription: subscriptionTo(annual, byHand) },
    {
      pendingEmail: null,
      credentials: 'missing',
      rsvps: [rsvp({ place: 'unconfirmed' }), rsvp({ place: 'paying', money }), rsvp({ place: 'coming', money })],
      unanswered: [{ event: kite, closesAt: null, lastDay: '2027-01-02' }],
    },
    NOW,
  )
  expect(items.map(({ kind }) => kind)).toEqual(['pay', 'renew', 'credentials', 'confirm', 'answer'])
  expect(items[0]).toMatchObject({ label: 'Pay $240', url: '/rsvp#token=t' })
  expect(items[0]?.text).toBe('Pay $240 by December 2, 2026 at 12:00 PM EST, or they go to the next guest.')
  expect(items[4]).toMatchObject({
    title: 'Kite Day: are you coming?',
    text: 'Saturday, January 9, 2027, Duluth. Reply by January 2, 2027.',
  })
})

test('the line of an event begins with its weekday', () => {
  expect(eventLine(gala)).toBe('Saturday, December 19, 2026, 6:30 PM to 10:00 PM, Duluth')
})
