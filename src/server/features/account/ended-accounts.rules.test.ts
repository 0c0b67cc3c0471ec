import { expect, test } from 'vitest'
import { mayWriteAfter } from './ended-accounts.rules.ts'

test.each([
  ['request', 'letter.account_deleted', {}, true],
  ['request', 'letter.receipt', {}, true],
  ['request', 'letter.membership_notice', {}, false],
  ['request', 'letter.rsvp', { about: 'reminder' }, false],
  ['request', 'letter.rsvp', { about: 'called-off' }, true],
  ['deceased', 'letter.receipt', {}, false],
  ['deceased', 'letter.membership_notice', {}, false],
  ['deceased', 'letter.given_back', {}, false],
  ['deceased', 'letter.rsvp', { about: 'reminder' }, false],
  ['deceased', 'letter.rsvp', { about: 'promoted' }, false],
  ['deceased', 'letter.rsvp', { about: 'said' }, true],
  ['deceased', 'letter.verification', {}, true],
  ['deceased', 'letter.message_answer', {}, true],
] as const)('after %s: %s %o may go: %s', (ending, kind, payload, may) => {
  expect(mayWriteAfter(ending, kind, payload)).toBe(may)
})
