import { expect, test } from 'vitest'
import { mailboxKey } from './mailbox.rules.ts'

test.each([
  ['ana@example.org', 'ana@example.org'],
  ['Ana+Gala@Example.org', 'ana@example.org'],
  ['a.n.a+1+2@gmail.com', 'ana@gmail.com'],
  ['a.n.a@example.org', 'a.n.a@example.org'],
  ['+tag@example.org', '+tag@example.org'],
])('%s belongs to mailbox %s', (email, mailbox) => expect(mailboxKey(email)).toBe(mailbox))
