import { describe, expect, test } from 'vitest'
import { hasRights, membershipStatus } from '#server/features/memberships/membership.rules.ts'
import { gaveRights, spanEndsAt, wasOpen, type MembershipSpan } from './roll-day.rules.ts'

const DAY = 86_400_000
const GRACE = 14 * DAY
const yearly: MembershipSpan = {
  kind: 'RECURRING',
  startedAt: 100 * DAY,
  endsAt: 465 * DAY,
  endedAt: null,
  stripeStatus: null,
  cancelAtPeriodEnd: 0,
  pastDueSince: null,
  nextAttemptAt: null,
  gaveUpAt: null,
}

test.each([
  ['paid by hand', {}, 465],
  ['renewed by card', { stripeStatus: 'active' }, null],
  ['canceled by the member', { stripeStatus: 'active', cancelAtPeriodEnd: 1 }, 465],
  ['a failed renewal', { stripeStatus: 'canceled', pastDueSince: 200 * DAY, gaveUpAt: 205 * DAY }, 214],
  [
    'a failed renewal that is tried longer',
    { stripeStatus: 'past_due', pastDueSince: 200 * DAY, nextAttemptAt: 220 * DAY },
    220,
  ],
  ['replaced during its term', { endedAt: 300 * DAY }, 300],
  ['replaced after it had lapsed', { endedAt: 600 * DAY }, 465],
  ['never paid', { stripeStatus: 'incomplete' }, 100],
  ['for life', { kind: 'ONE_TIME', endsAt: null }, null],
  ['for life, refunded', { kind: 'ONE_TIME', endsAt: null, endedAt: 150 * DAY }, 150],
] as const)('%s: rights end on day %3$s', (_what, given, day) => {
  expect(spanEndsAt({ ...yearly, ...given }, GRACE)).toBe(day === null ? null : day * DAY)
})

describe('rights at an instant', () => {
  const rights = (at: number, extraMs = 0, given: Partial<MembershipSpan> = {}) =>
    gaveRights({ ...yearly, ...given }, at, { graceMs: GRACE, extraMs })

  test('from the start to just before the end, and as much longer as the rule says', () => {
    expect([rights(100 * DAY - 1), rights(100 * DAY), rights(465 * DAY - 1), rights(465 * DAY)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([rights(525 * DAY - 1, 60 * DAY), rights(525 * DAY, 60 * DAY)]).toEqual([true, false])
  })

  test('none, also with time after the end, for one that was never paid', () => {
    expect(rights(101 * DAY, 60 * DAY, { stripeStatus: 'incomplete' })).toBe(false)
  })
})

test.each([
  ['nothing known, open', [], true, true],
  ['nothing known, closed', [], false, false],
  ['disabled before', [['account.disabled', 5]], false, false],
  ['disabled later', [['account.disabled', 15]], false, true],
  [
    'disabled before, enabled later',
    [
      ['account.disabled', 5],
      ['account.enabled', 15],
    ],
    true,
    false,
  ],
  [
    'disabled and enabled before',
    [
      ['account.disabled', 3],
      ['account.enabled', 5],
    ],
    true,
    true,
  ],
  ['deleted later', [['account.deleted', 11]], false, true],
  ['died before', [['person.deceased', 10]], false, false],
  [
    'recorded as deceased later, and undone',
    [
      ['person.deceased', 12],
      ['person.state_undone', 13],
    ],
    true,
    true,
  ],
] as const)('an account on day 10: %s', (_what, events, isOpenNow, expected) => {
  expect(
    wasOpen(
      events.map(([action, at]) => ({ action, at })),
      10,
      isOpenNow,
    ),
  ).toBe(expected)
})

test('at this moment it agrees with the status of the membership, for every combination of what the provider reports', () => {
  const now = 400 * DAY
  const owed = (daysAgo: number) => ({ pastDueSince: now - daysAgo * DAY, nextAttemptAt: null, gaveUpAt: null })
  const debts = [{}, owed(3), owed(20), { ...owed(20), nextAttemptAt: now + DAY }, { ...owed(20), gaveUpAt: now - DAY }]
  const statuses = [null, 'active', 'trialing', 'past_due', 'canceled', 'incomplete', 'incomplete_expired']
  const differing: unknown[] = []
  let compared = 0
  for (const stripeStatus of statuses)
    for (const debt of debts)
      for (const endsAt of [now - DAY, now, now + DAY])
        for (const cancelAtPeriodEnd of [0, 1])
          for (const endedAt of [null, now - DAY]) {
            // The provider reports a debt only for a subscription that is owed or ended, and then says so.
            const isOwing = stripeStatus === 'past_due' || stripeStatus === 'canceled'
            if (isOwing !== 'pastDueSince' in debt) continue
            // Nothing is tried again once it has ended.
            if (stripeStatus === 'canceled' && 'nextAttemptAt' in debt && debt.nextAttemptAt !== null) continue
            const span = { ...yearly, stripeStatus, ...debt, endsAt, cancelAtPeriodEnd, endedAt }
            const status = membershipStatus({ ...span, cancelAtPeriodEnd: cancelAtPeriodEnd === 1 }, now, GRACE)
            compared++
            if (gaveRights(span, now, { graceMs: GRACE, extraMs: 0 }) !== hasRights(status)) differing.push(span)
          }
  expect(differing).toEqual([])
  expect(compared).toBeGreaterThan(100)
})
