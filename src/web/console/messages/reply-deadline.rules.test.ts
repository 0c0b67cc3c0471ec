import { expect, test } from 'vitest'
import { replyDeadline } from './reply-deadline.rules.ts'

test.each([
  [48, 'quiet', 'Due in 48 hours'],
  [25, 'quiet', 'Due in 25 hours'],
  [24, 'warn', 'Due in 24 hours'],
  [1, 'warn', 'Due in 1 hour'],
  [0, 'bad', 'Due now'],
  [-1, 'bad', '1 hour late'],
  [-71, 'bad', '71 hours late'],
  [-73, 'bad', '3 days late'],
])('%d hours before it is due: %s, %s', (hours, tone, text) => {
  expect(replyDeadline(hours)).toEqual({ tone, text })
})
