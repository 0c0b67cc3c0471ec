import { expect, test } from 'vitest'
import type { MemberEmailTopic } from '#contract/console/emails/member-emails.ts'
import { countReach, reachOf, type ReachFacts } from './reach.rules.ts'

const NOTHING: ReachFacts = { ended: null, blocked: null, isWanted: true, hasPostalAddress: false }

test.each<[MemberEmailTopic, Partial<ReachFacts>, string, string | null]>([
  ['notice', {}, 'email', null],
  ['notice', { isWanted: false }, 'email', null],
  ['notice', { blocked: 'bounced', hasPostalAddress: true }, 'post', 'bounced'],
  ['notice', { blocked: 'complained', hasPostalAddress: true }, 'post', 'complained'],
  ['notice', { blocked: 'no-email', hasPostalAddress: true }, 'post', 'no-email'],
  ['notice', { blocked: 'no-email' }, 'left-out', 'no-email'],
  ['notice', { blocked: 'bounced' }, 'left-out', 'bounced'],
  ['notice', { ended: 'deleted', hasPostalAddress: true }, 'left-out', 'deleted'],
  ['notice', { ended: 'disabled', hasPostalAddress: true }, 'left-out', 'disabled'],
  ['news', {}, 'email', null],
  ['news', { isWanted: false }, 'barred', 'not-wanted'],
  ['news', { blocked: 'complained', hasPostalAddress: true }, 'barred', 'complained'],
  ['news', { blocked: 'bounced', isWanted: false }, 'barred', 'bounced'],
  ['events', { blocked: 'no-email', hasPostalAddress: true }, 'left-out', 'no-email'],
  ['offers', { isWanted: false }, 'barred', 'not-wanted'],
  ['offers', { ended: 'disabled' }, 'left-out', 'disabled'],
])('%s with %o: %s, %s', (topic, facts, way, reason) => {
  expect(reachOf(topic, { ...NOTHING, ...facts })).toEqual({ way, reason })
})

test('the four ways add up to the list, and each reason is counted once', () => {
  const reach = countReach([
    { way: 'email', reason: null },
    { way: 'email', reason: null },
    { way: 'post', reason: 'bounced' },
    { way: 'left-out', reason: 'bounced' },
    { way: 'left-out', reason: 'deleted' },
    { way: 'left-out', reason: 'deleted' },
    { way: 'barred', reason: 'not-wanted' },
  ])
  expect(reach).toMatchObject({ total: 7, email: 2, post: 1, barred: 1, leftOut: 3 })
  expect(reach.email + reach.post + reach.barred + reach.leftOut).toBe(reach.total)
  expect(reach.reasons[0]).toEqual({ way: 'left-out', reason: 'deleted', count: 2 })
  expect(reach.reasons).toHaveLength(4)
})
