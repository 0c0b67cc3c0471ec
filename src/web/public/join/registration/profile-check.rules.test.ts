import { expect, test } from 'vitest'
import { profileCheckOutcome } from './profile-check.rules.ts'

test.each([
  [401, 0, 'log-in'],
  [403, 0, 'log-in'],
  [404, 0, 'home'],
  [404, 2, 'home'],
  [400, 0, 'log-in'],
  [429, 0, 'log-in'],
  [200, 0, 'log-in'],
  [0, 0, 'retry'],
  [0, 1, 'retry'],
  [0, 2, 'log-in'],
  [500, 0, 'retry'],
  [503, 1, 'retry'],
  [503, 2, 'log-in'],
] as const)('status %i after %i retries: %s', (status, retries, outcome) =>
  expect(profileCheckOutcome(status, retries)).toBe(outcome),
)
