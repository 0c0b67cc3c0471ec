import { expect, test } from 'vitest'
import { suggestedCredential } from './suggested-credential.rules.ts'

test.each([
  [undefined, 'licence'],
  ['annual_member', 'licence'],
  ['medical_student', 'student'],
  ['resident_fellow', 'resident'],
])('suggests for %s: %s', (key, kind) => {
  expect(suggestedCredential(key)).toBe(kind)
})
