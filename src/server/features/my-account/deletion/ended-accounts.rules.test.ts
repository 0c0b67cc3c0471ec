import { expect, test } from 'vitest'
import { mayEmailEndedAccount } from './ended-accounts.rules.ts'

test.each([
  ['request', 'email.account_deleted', {}, true],
  ['request', 'email.receipt', {}, true],
  ['request', 'email.membership_reminder', {}, false],
  ['request', 'email.rsvp', { about: 'reminder' }, false],
  ['request', 'email.rsvp', { about: 'called-off' }, true],
  ['deceased', 'email.receipt', {}, false],
  ['deceased', 'email.membership_reminder', {}, false],
  ['deceased', 'email.refund', {}, false],
  ['deceased', 'email.rsvp', { about: 'reminder' }, false],
  ['deceased', 'email.rsvp', { about: 'promoted' }, false],
  ['deceased', 'email.rsvp', { about: 'said' }, true],
  ['deceased', 'email.verification', {}, true],
  ['deceased', 'email.message_reply', {}, true],
] as const)('after %s: %s %o may go: %s', (ending, kind, payload, may) => {
  expect(mayEmailEndedAccount(ending, kind, payload)).toBe(may)
})
