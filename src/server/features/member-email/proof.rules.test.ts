import { expect, test } from 'vitest'
import type { DeliveryState } from '#server/db/schema/newsletter-schema.ts'
import type { ReachWay } from '#contract/console/emails/member-emails.ts'
import { countProofResults, proofResult, type ProofResult } from './proof.rules.ts'

const recipient = (way: ReachWay, state: DeliveryState | null = null, postedOn: string | null = null) => ({
  way,
  postedOn,
  copy: state && { id: 'a.b', email: 'a@example.org', state, reason: null, finishedAt: 1 },
})

test.each<[ReachWay, DeliveryState | null, string | null, ProofResult]>([
  ['email', 'accepted', null, 'accepted'],
  ['email', 'uncertain', null, 'uncertain'],
  ['email', 'bounced', null, 'returned'],
  ['email', 'failed', null, 'returned'],
  ['email', 'skipped', null, 'returned'],
  ['email', 'bounced', '2027-01-05', 'posted'],
  ['post', null, '2027-01-05', 'posted'],
  ['post', null, null, 'not-posted'],
  ['barred', null, null, 'barred'],
  ['left-out', null, null, 'left-out'],
])('by %s, copy %s, posted on %s: %s', (way, state, postedOn, result) => {
  expect(proofResult(recipient(way, state, postedOn))).toBe(result)
})

test('counts add up to the list, and results that no one has are left out', () => {
  const counts = countProofResults([
    recipient('email', 'accepted'),
    recipient('email', 'accepted'),
    recipient('post', null, '2027-01-05'),
    recipient('left-out'),
  ])
  expect(counts).toEqual([
    ['accepted', 2],
    ['posted', 1],
    ['left-out', 1],
  ])
})
