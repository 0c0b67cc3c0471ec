import { expect, test } from 'vitest'
import { reminderName } from './reminder-names.rules.ts'

test.each([
  ['email.email_changed', 'Email changed'],
  ['past_due_13', 'Past due, 13 days'],
])('%s is shown to officers as %s', (kind, name) => {
  expect(reminderName(kind)).toBe(name)
})
