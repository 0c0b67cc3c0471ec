import { expect, test } from 'vitest'
import type { DeliveryState } from '#server/db/schema/newsletter-schema.ts'
import type { ReachWay } from '#contract/console/emails/member-emails.ts'
import { isForPost } from './post-pile.rules.ts'

test.each<[ReachWay, DeliveryState | null, boolean, boolean]>([
  ['post', null, false, true],
  ['post', null, true, false],
  ['email', 'accepted', false, false],
  ['email', 'waiting', false, false],
  ['email', 'sending', false, false],
  ['email', 'uncertain', false, false],
  ['email', 'bounced', false, true],
  ['email', 'failed', false, true],
  ['email', 'skipped', false, true],
  ['email', 'bounced', true, false],
  ['barred', null, false, false],
  ['left-out', null, false, false],
])('by %s, copy %s, account ended %s: a letter %s', (way, state, isEnded, isLetter) => {
  const copy = state && { id: 'a.b', email: 'a@example.org', state, reason: null, finishedAt: null }
  expect(isForPost({ way, copy, isEnded })).toBe(isLetter)
})
