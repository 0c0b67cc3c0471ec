import { expect, test } from 'vitest'
import { mayEmailEndedAccount } from './ended-accounts.rules.ts'

test.each([
  ['request', 'update', true],
  ['request', 'reply', true],
  ['request', 'reminder', false],
  ['deceased', 'update', false],
  ['deceased', 'reminder', false],
  ['deceased', 'reply', true],
] as const)('after %s: a %s may go: %s', (ending, purpose, may) => {
  expect(mayEmailEndedAccount(ending, purpose)).toBe(may)
})
