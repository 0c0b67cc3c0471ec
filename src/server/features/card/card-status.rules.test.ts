import { expect, test } from 'vitest'
import { cardStatus } from './card-status.rules.ts'

test.each([
  ['ACTIVE', 'active'],
  ['PAST_DUE', 'past_due'],
  ['EXPIRED', 'lapsed'],
  ['CANCELED', 'lapsed'],
  ['INCOMPLETE', 'lapsed'],
  [null, 'lapsed'],
] as const)('a membership that is %s makes the card %s', (status, shown) => {
  expect(cardStatus(status)).toBe(shown)
})
