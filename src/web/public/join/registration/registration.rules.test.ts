import { describe, expect, test } from 'vitest'
import { disabledReason, type RegistrationField } from './registration-fields.rules.ts'
import { checkRegistration } from './registration.rules.ts'

const good = {
  email: 'meera@example.com',
  username: 'meera.r',
  firstName: 'Meera',
  lastName: 'Raghuvanshi',
  password: 'monsoon',
  confirmPassword: 'monsoon',
  agree: 'on',
}
const characters =
  'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number'

test('a complete registration has no problems', () => {
  expect(checkRegistration(good)).toEqual({})
})

describe('the fixed messages', () => {
  const cases: [RegistrationField, string, string][] = [
    ['email', '', 'Email is required'],
    ['email', '   ', 'Email is required'],
    ['email', 'meera', 'Please enter a valid email address'],
    ['email', 'meera@example', 'Please enter a valid email address'],
    ['username', '', 'Username is required'],
    ['username', 'me', 'Username must be at least 3 characters'],
    ['username', 'm'.repeat(31), 'Username must be less than 30 characters'],
    ['username', '.meera', characters],
    ['username', 'meera r', characters],
    ['firstName', ' ', 'First name is required'],
    ['firstName', 'm'.repeat(51), 'First name cannot exceed 50 characters'],
    ['lastName', '', 'Last name is required'],
    ['lastName', 'm'.repeat(51), 'Last name cannot exceed 50 characters'],
    ['password', '', 'Password is required'],
    ['password', '12345', 'Password must be at least 6 characters'],
    ['confirmPassword', '', 'Please confirm your password'],
    ['confirmPassword', 'monsoons', 'Passwords do not match'],
    ['agree', '', 'You must agree to the terms and conditions'],
  ]
  test.each(cases)('%s %j: %s', (field, value, sentence) =>
    expect(checkRegistration({ ...good, [field]: value })[field]).toBe(sentence),
  )
})

test.each([
  ['username', 'abc'],
  ['username', 'm'.repeat(30)],
  ['username', 'meera@example.com'],
  ['username', ' meera '],
] as const)('%s %j is fine', (field, value) =>
  expect(checkRegistration({ ...good, [field]: value })[field]).toBeUndefined(),
)

test.each([
  [0, 'Fill in every field to continue.'],
  [1, 'Correct the marked field to continue.'],
  [2, 'Correct the 2 marked fields to continue.'],
])('with %i marked fields the button says why it is disabled', (marked, sentence) =>
  expect(disabledReason(marked)).toBe(sentence),
)
