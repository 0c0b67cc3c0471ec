import { expect, test } from 'vitest'
import { checkNewPassword } from './new-password.rules.ts'

test.each([
  ['', '', { newPassword: 'New password is required' }],
  ['abc', 'abc', { newPassword: 'Password must be at least 6 characters long' }],
  ['abcdef', 'abcdeg', { confirmPassword: 'Passwords do not match' }],
  [
    'abc',
    'x',
    { newPassword: 'Password must be at least 6 characters long', confirmPassword: 'Passwords do not match' },
  ],
  ['abcdef', 'abcdef', {}],
])('%j with %j', (newPassword, confirmPassword, expected) =>
  expect(checkNewPassword({ newPassword, confirmPassword })).toEqual(expected),
)
