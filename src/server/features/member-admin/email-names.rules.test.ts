import { expect, test } from 'vitest'
import { emailName } from './email-names.rules.ts'

test.each([
  ['email.receipt', 'Receipt'],
  ['email.email_changed', 'Email changed'],
  ['past_due_13', 'Past due, 13 days'],
])('%s is shown to officers as %s', (kind, name) => {
  expect(emailName(kind)).toBe(name)
})
