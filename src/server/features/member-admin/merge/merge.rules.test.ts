import { describe, expect, test } from 'vitest'
import {
  mergeObstacles,
  describeMovedRows,
  newsletterOutcome,
  survivingMembership,
  type Mergeable,
} from './merge.rules.ts'
import { BY_HAND, type MembershipSnapshot } from '#server/features/memberships/membership.rules.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY = 86_400_000
const GRACE = 14 * DAY

function snapshot(given: Partial<MembershipSnapshot> = {}): MembershipSnapshot {
  return {
    kind: 'RECURRING',
    endsAt: NOW + 100 * DAY,
    ...BY_HAND,
    ...given,
  }
}
const charged = snapshot({ stripeStatus: 'active' })
const stopped = snapshot({ stripeStatus: 'active', cancelAtPeriodEnd: true })
const over = snapshot({ stripeStatus: 'canceled', endsAt: NOW - DAY })
const forLife = snapshot({ kind: 'ONE_TIME', endsAt: null })

function one(name: string, given: Partial<Mergeable> = {}): Mergeable {
  const email = `${name.toLowerCase()}@example.com`
  return {
    name,
    email,
    closed: null,
    holdsRole: false,
    hasOpenOrder: false,
    isBeingDeleted: false,
    membership: snapshot(),
    ...given,
  }
}

describe('what cannot be merged, and what to do first', () => {
  test.each<[string, Partial<Mergeable>, Partial<Mergeable>, RegExp | null]>([
    ['two plain accounts', {}, {}, null],
    ['nothing held on either side', { membership: null }, { membership: null }, null],
    ['this one is charged', { membership: charged }, {}, null],
    ['a subscription that is over', {}, { membership: over }, null],
    ['both are charged', { membership: charged }, { membership: charged }, /Stop one of them and wait/],
    ['both, one of them stopped', { membership: charged }, { membership: stopped }, /Stop one of them and wait/],
    ['the other one is charged', {}, { membership: charged }, /Keep that one/],
    ['for life here, charged there', { membership: forLife }, { membership: charged }, /member for life/],
    ['charged here, for life there', { membership: charged }, { membership: forLife }, /member for life/],
    ['the other is an officer', {}, { holdsRole: true }, /end the role/],
    ['this one is an officer', { holdsRole: true }, {}, null],
    ['a payment begun', { hasOpenOrder: true }, {}, /started a payment/],
    ['being deleted', {}, { isBeingDeleted: true }, /deleting/],
    ['disabled', {}, { closed: 'disabled' }, /Enable it first/],
    ['gone', {}, { closed: 'left' }, /has deleted/],
    ['merged before', { closed: 'merged' }, {}, /already merged/],
  ])('%s', (_name, kept, merged, sentence) => {
    const found = mergeObstacles({ kept: one('Kala', kept), merged: one('Mira', merged) }, NOW, GRACE)
    if (sentence) expect(found).toEqual([expect.stringMatching(sentence)])
    else expect(found).toEqual([])
  })
})

test.each<[string, MembershipSnapshot | null, MembershipSnapshot | null, 'kept' | 'merged' | null]>([
  ['neither has one', null, null, null],
  ['only the other', null, over, 'merged'],
  ['only this', over, null, 'kept'],
  ['what is charged', charged, snapshot({ endsAt: NOW + 900 * DAY }), 'kept'],
  ['what never ends', snapshot(), forLife, 'merged'],
  ['what ends last', snapshot(), snapshot({ endsAt: NOW + 200 * DAY }), 'merged'],
  ['of two alike this one', snapshot(), snapshot(), 'kept'],
  ['what runs, before what is over', over, snapshot({ endsAt: NOW + DAY }), 'merged'],
  ['an active one, before a refunded lifetime membership', snapshot(), { ...forLife, endedAt: NOW - DAY }, 'kept'],
])('the membership that stays current: %s', (_name, kept, merged, survivor) => {
  expect(survivingMembership({ kept, merged }, NOW, GRACE)).toBe(survivor)
})

test.each<[string | null, string | null, boolean, string]>([
  [null, null, false, 'stays'],
  [null, 'subscribed', false, 'moves'],
  [null, 'subscribed', true, 'stays'],
  ['left', 'subscribed', false, 'stays'],
  ['subscribed', 'subscribed', false, 'ends'],
  ['subscribed', 'left', false, 'stays'],
  [null, 'pending', false, 'stays'],
  [null, 'bounced', false, 'stays'],
])('the newsletter: %s here, %s there, suppressed %s: %s', (winner, loser, isSuppressed, becomes) => {
  expect(newsletterOutcome({ winner, loser }, isSuppressed)).toBe(becomes)
})

test('describes the moved records, without internal tables', () => {
  expect(describeMovedRows({ payment: 3, rsvp: 1, checkout: 9, credential: 0 })).toEqual([
    '3 payments, with their receipts',
    '1 RSVP',
  ])
})
