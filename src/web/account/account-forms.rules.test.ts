import { describe, expect, test } from 'vitest'
import { checkPasswords } from './security/change-password.rules.ts'
import { checkProfile } from './profile/profile.rules.ts'

describe('the profile form', () => {
  const fine = { username: 'meera.r', 'name.first': 'Meera', 'name.last': 'Raghuvanshi' }
  const characters =
    'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number'
  const cases: [Partial<typeof fine>, Record<string, string>][] = [
    [{}, {}],
    [{ username: 'abc' }, {}],
    [{ username: 'x'.repeat(30) }, {}],
    [{ username: '' }, { username: 'Username is required' }],
    [{ username: '  ' }, { username: 'Username is required' }],
    [{ username: ' ab ' }, { username: 'Username must be at least 3 characters long' }],
    [{ username: 'x'.repeat(31) }, { username: 'Username cannot exceed 30 characters' }],
    [{ username: '_abc' }, { username: characters }],
    [{ username: 'a b c' }, { username: characters }],
    [{ 'name.first': '' }, { 'name.first': 'First name is required' }],
    [{ 'name.last': ' ' }, { 'name.last': 'Last name is required' }],
    [{ 'name.first': 'x'.repeat(51) }, { 'name.first': 'First name cannot exceed 50 characters' }],
    [{ 'name.last': 'x'.repeat(51) }, { 'name.last': 'Last name cannot exceed 50 characters' }],
  ]
  test.each(cases)('%j', (over, problems) => expect(checkProfile({ ...fine, ...over })).toEqual(problems))
})

describe('the change-password form', () => {
  const cases: [current: string, fresh: string, confirmation: string, Record<string, string>][] = [
    ['monsoon-in-macon', 'a-quieter-veranda', 'a-quieter-veranda', {}],
    ['x', '123456', '123456', {}],
    ['', '', '', { currentPassword: 'Current password is required', newPassword: 'New password is required' }],
    ['x', '12345', '12345', { newPassword: 'New password must be at least 6 characters long' }],
    ['x', 'a-quieter-veranda', 'else', { confirmPassword: 'New passwords do not match' }],
    ['same-as-it', 'same-as-it', 'same-as-it', { newPassword: 'New password must be different from current password' }],
    [
      'x',
      '12345',
      '',
      {
        newPassword: 'New password must be at least 6 characters long',
        confirmPassword: 'New passwords do not match',
      },
    ],
  ]
  test.each(cases)('%j, %j, %j', (currentPassword, newPassword, confirmPassword, problems) =>
    expect(checkPasswords({ currentPassword, newPassword, confirmPassword })).toEqual(problems),
  )
})
