import { expect, test } from 'vitest'
import { credentialKindsOfProfile } from '#tests/support/content/credential-kinds.ts'
import { suggestedCredential } from './suggested-credential.rules.ts'

const kinds = credentialKindsOfProfile('physicians')

test.each([
  [undefined, 'licence'],
  ['annual_member', 'licence'],
  ['medical_student', 'student'],
  ['resident_fellow', 'resident'],
])('suggests for %s: %s', (key, kind) => {
  expect(suggestedCredential(kinds, key)?.key).toBe(kind)
})

test('a retired kind is not suggested, and none if all are', () => {
  const retire = (...keys: string[]) => kinds.map((kind) => ({ ...kind, isRetired: keys.includes(kind.key) }))
  expect(suggestedCredential(retire('student'), 'medical_student')?.key).toBe('licence')
  expect(suggestedCredential(retire('licence', 'resident', 'student'), 'medical_student')).toBeUndefined()
})
