import { expect, test } from 'vitest'
import { viewEndReason } from './view-as.rules.ts'

const fine = { now: 899_999, isSessionOpen: true, mayView: true, isViewable: true }

test.each([
  [{}, null],
  [{ now: 900_000 }, 'time'],
  [{ isSessionOpen: false }, 'session'],
  [{ mayView: false }, 'role'],
  [{ isViewable: false }, 'account'],
  [{ now: 900_001, isSessionOpen: false, mayView: false }, 'time'],
] as const)('a view until 900000 with %o is over because of: %s', (state, why) => {
  expect(viewEndReason({ endsAt: 900_000 }, { ...fine, ...state })).toBe(why)
})
