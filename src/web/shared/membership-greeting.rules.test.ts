import { describe, expect, test } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import { annual, life, student, subscriptionTo } from '#tests/support/web/page-test-helpers.tsx'
import { membershipGreeting, rsvpGreeting } from './membership-greeting.rules.ts'

const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const SOON = '2027-01-04T12:00:00.000Z'
const LATER = '2027-03-02T12:00:00.000Z'

describe('a member is greeted', () => {
  const cases: [string, Subscription | null, string | null, string?][] = [
    ['active', subscriptionTo(annual, { renewal: 'automatic' }), null],
    ['for life', subscriptionTo(life, { renewal: 'none' }), null],
    ['without a membership', null, 'You don’t have a membership yet.', 'Choose a membership'],
    [
      'lapsed',
      subscriptionTo(annual, { status: 'EXPIRED', nextBillDate: null, cancelDate: '2026-08-22T12:00:00.000Z' }),
      'Your membership ended August 22, 2026.',
      'Renew for $100',
    ],
    [
      'lapsed from a free level',
      subscriptionTo(student, { status: 'EXPIRED', nextBillDate: null, cancelDate: '2026-08-22T12:00:00.000Z' }),
      'Your membership ended August 22, 2026.',
      'Renew your membership',
    ],
    [
      'canceled on no known day',
      subscriptionTo(annual, { status: 'CANCELED' }),
      'Your membership has ended.',
      'Renew for $100',
    ],
    [
      'unpaid',
      subscriptionTo(annual, { status: 'INCOMPLETE' }),
      'Your membership hasn’t started yet.',
      'Choose a membership',
    ],
    [
      'past due',
      subscriptionTo(annual, { status: 'PAST_DUE', cancelDate: '2026-12-06T12:00:00.000Z' }),
      'Your renewal didn’t go through.',
      'Update card',
    ],
    [
      'renewing soon',
      subscriptionTo(annual, { renewal: 'automatic', nextBillDate: SOON }),
      'Your membership renews on January 4, 2027.',
      'Manage billing',
    ],
    [
      'to be renewed by hand soon',
      subscriptionTo(annual, { renewal: 'by-hand', nextBillDate: null, cancelDate: SOON }),
      'Your membership ends January 4, 2027.',
      'Renew for $100',
    ],
    [
      'to be renewed by hand later',
      subscriptionTo(annual, { renewal: 'by-hand', nextBillDate: null, cancelDate: LATER }),
      null,
    ],
    [
      'ending soon',
      subscriptionTo(annual, { renewal: 'stopped', nextBillDate: null, cancelDate: SOON }),
      'Your membership ends January 4, 2027 and won’t renew.',
      'Manage billing',
    ],
  ]
  test.each(cases)('%s', (_, subscription, title, label) => {
    const greeting = membershipGreeting(subscription, 'Meera', NOW)
    expect(greeting?.title ?? null).toBe(title)
    expect(greeting?.action.label).toBe(label)
  })

  test('only what needs nothing can be dismissed, until the next time', () => {
    const soon = membershipGreeting(subscriptionTo(annual, { renewal: 'automatic', nextBillDate: SOON }), '', NOW)
    const nextYear = membershipGreeting(
      subscriptionTo(annual, { renewal: 'automatic', nextBillDate: '2028-01-04T12:00:00.000Z' }),
      '',
      Date.parse('2027-12-01T12:00:00.000Z'),
    )
    expect([soon?.tone, nextYear?.tone]).toEqual(['inform', 'inform'])
    expect(soon?.key).not.toBe(nextYear?.key)
    expect(membershipGreeting(null, '', NOW)?.tone).toBe('ask')
  })
})

test.each([
  ['coming', 1, 'See you at Gala under the Oaks, Meera.', 'December 19, 2026, 6:30 PM. One seat.', 'inform'],
  ['coming', 3, 'See you at Gala under the Oaks, Meera.', 'December 19, 2026, 6:30 PM. 3 seats.', 'inform'],
  [
    'waiting',
    1,
    'You’re on the waitlist for Gala under the Oaks.',
    'December 19, 2026, 6:30 PM. We’ll email you when seats open up.',
    'inform',
  ],
  [
    'paying',
    1,
    'Seats opened up at Gala under the Oaks, Meera.',
    'December 19, 2026, 6:30 PM. We hold them for you until you pay; our email has the link.',
    'ask',
  ],
] as const)('an RSVP that is %s for %i', (place, seats, title, text, tone) => {
  const event = { id: 'gala', title: 'Gala under the Oaks', date: 'December 19, 2026', time: '6:30 PM' }
  expect(rsvpGreeting({ event, seats, place }, 'Meera')).toEqual({
    tone,
    title,
    text,
    action: { label: 'See the event', to: 'event', eventId: 'gala' },
    key: `rsvp:gala:${place}`,
  })
})
