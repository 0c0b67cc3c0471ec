import { expect, test } from 'vitest'
import { updateCount } from './count-text.rules.ts'

test.each([
  ['Six volunteers, elected by the members.', 6, 5, 'Five volunteers, elected by the members.'],
  ['We are six volunteers.', 6, 22, 'We are 22 volunteers.'],
  ['The 12 trustees meet.', 12, 11, 'The 11 trustees meet.'],
  ['Six volunteers.', 7, 5, 'Six volunteers.'],
  ['Sixty-six years.', 6, 5, 'Sixty-six years.'],
  ['In 2026 six of us serve.', 6, 7, 'In 2026 seven of us serve.'],
  ['One president.', 1, 2, 'One president.'],
])('%s, of %i now %i: %s', (text, from, to, moved) => {
  expect(updateCount(text, from, to)).toBe(moved)
})
