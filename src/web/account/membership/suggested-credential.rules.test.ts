import { expect, test } from 'vitest'
import { suggestedCredential } from './suggested-credential.rules.ts'

test.each([
  [undefined, 'licence'],
  ['annual_member', 'licence'],
  ['medical_student', 'student'],
  ['resident_fellow', 'resident'],
])('who holds %s is probably: %s', (key, kind) => {
  expect(suggestedCredential(key)).toBe(kind)
})
