import { describe, expect, test } from 'vitest'
import type { MembershipStatus, Subscription } from '#contract/public/account.ts'
import type { MembershipLevel } from '#contract/public/membership.ts'
import { planLabel } from './plan-label.rules.ts'

function level(key: string, isRecurring: boolean): MembershipLevel {
  return {
    _id: key,
    key,
    name: key,
    description: '',
    unitAmount: 100,
    currency: 'usd',
    interval: isRecurring ? 'year' : null,
    intervalCount: isRecurring ? 1 : null,
    isRecurring,
  }
}

const annual = level('annual_member', true)
const fellow = level('resident_fellow', true)
const life = level('life_member', false)

function holding(membershipLevel: MembershipLevel, status: MembershipStatus = 'ACTIVE'): Subscription {
  return {
    kind: membershipLevel.isRecurring ? 'RECURRING' : 'ONE_TIME',
    status,
    startDate: '2026-01-01T00:00:00.000Z',
    nextBillDate: null,
    cancelDate: null,
    membershipLevel,
  }
}

describe('a card’s label and action', () => {
  const cases: [string, MembershipLevel, Subscription | null | 'visitor', string, string][] = [
    ['a visitor', annual, 'visitor', 'Select annual member', 'select'],
    ['a visitor', life, 'visitor', 'Select life member', 'select'],
    ['a member without membership', annual, null, 'Select annual member', 'checkout'],
    ['their own level', annual, holding(annual), 'Current Plan', 'none'],
    ['another recurring level', fellow, holding(annual), 'Manage Subscription/Billing', 'manage'],
    ['a lifetime level', life, holding(annual), 'Switch to life member', 'checkout'],
    ['payment due: own level', annual, holding(annual, 'PAST_DUE'), 'Current Plan', 'none'],
    ['payment due: another', fellow, holding(annual, 'PAST_DUE'), 'Manage Subscription/Billing', 'manage'],
    ['lifetime: own level', life, holding(life), 'Current Plan', 'none'],
    ['lifetime: any other', annual, holding(life), 'Not Available', 'none'],
    ['cancelled: own level again', annual, holding(annual, 'CANCELED'), 'Select annual member', 'checkout'],
    ['expired', fellow, holding(annual, 'EXPIRED'), 'Select resident fellow', 'checkout'],
    ['incomplete', life, holding(annual, 'INCOMPLETE'), 'Select life member', 'checkout'],
  ]
  test.each(cases)('%s', (_, card, who, label, action) => {
    const visitor =
      who === 'visitor' ? { isLoggedIn: false, subscription: null } : { isLoggedIn: true, subscription: who }
    const told = planLabel(card, visitor)
    expect(told).toMatchObject({ label, action })
    // A disabled button always has a reason.
    expect(told.reason !== undefined).toBe(action === 'none')
  })
})
