import { describe, expect, test } from 'vitest'
import type { Subscription } from '#contract/public/account.ts'
import { accountProblem, membershipDates, statusLabel } from './membership-text.rules.ts'

test.each([
  ['ACTIVE', 'Active', 'ok'],
  ['PAST_DUE', 'Past due', 'bad'],
  ['CANCELED', 'Canceled', 'bad'],
  ['EXPIRED', 'Expired', 'bad'],
  ['INCOMPLETE', 'Incomplete', 'bad'],
] as const)('%s is shown as %s', (status, label, tone) => expect(statusLabel(status)).toEqual({ label, tone }))

const yearly: Subscription = {
  kind: 'RECURRING',
  status: 'ACTIVE',
  startDate: '2026-03-02T12:00:00.000Z',
  nextBillDate: '2027-03-02T12:00:00.000Z',
  cancelDate: null,
  membershipLevel: {
    _id: '1',
    key: 'annual_member',
    name: 'Annual Member',
    description: '',
    unitAmount: 10_000,
    currency: 'usd',
    interval: 'year',
    intervalCount: 1,
    isRecurring: true,
  },
}

describe('the dates of a membership', () => {
  const began = { label: 'Started', value: 'March 2, 2026' }
  const end = '2027-03-02T12:00:00.000Z'
  const cases: [string, Partial<Subscription>, { label: string; value: string }[]][] = [
    ['yearly', {}, [began, { label: 'Next billing date', value: 'March 2, 2027' }]],
    [
      'cancelled but running',
      { nextBillDate: null, cancelDate: end },
      [began, { label: 'Active until', value: 'March 2, 2027' }],
    ],
    [
      'expired',
      { status: 'EXPIRED', nextBillDate: null, cancelDate: end },
      [began, { label: 'Ended', value: 'March 2, 2027' }],
    ],
    ['lifetime', { kind: 'ONE_TIME' }, [began, { label: 'Ends', value: 'Never: life membership' }]],
  ]
  test.each(cases)('%s', (_, over, dates) => expect(membershipDates({ ...yearly, ...over })).toEqual(dates))
})

test.each([
  [401, 'AUTHENTICATION_REQUIRED', 'Authentication required. Please log in again.', 'log-in'],
  [401, 'SESSION_EXPIRED', 'Your session has expired. Please log in again.', 'log-in'],
  [
    403,
    'ACCOUNT_INACTIVE',
    'Your account has been deactivated. Please contact support if you believe this is an error.',
    'log-in',
  ],
  [500, undefined, 'Failed to load account information. Please try again.', 'try-again'],
  [404, 'NOT_FOUND', 'Failed to load account information. Please try again.', 'try-again'],
  [0, undefined, 'Unable to connect to the server. Please check your internet connection.', 'try-again'],
])('an account request that fails with %i %s', (status, code, sentence, action) =>
  expect(accountProblem(status, code)).toEqual({ message: sentence, action }),
)
