import { expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { emailChangeEndsAt, mayStillMove } from './email-change.rules.ts'

const HOUR_MS = 3_600_000

test.each([
  [null, 24],
  ['officer', 72],
  ['webmaster', 72],
])('a change asked for by %s lasts %i hours', (askedBy, hours) => {
  expect(emailChangeEndsAt({ askedAt: 0, askedBy })).toBe(hours * HOUR_MS)
})

test.each<[string, string | null, string | null, Role[], Role[], boolean, boolean]>([
  ['its owner', null, null, [], [], true, true],
  ['the webmaster', 'webmaster', null, [], [], true, true],
  ['an officer', 'a', null, ['membership'], [], false, true],
  ['an officer whose role has ended', 'a', null, [], [], false, false],
  ['an officer with another role by now', 'a', null, ['editor'], [], false, false],
  ['an officer, of somebody who holds a role by now', 'a', null, ['membership'], [], true, false],
  ['two officers', 'a', 'b', ['membership'], ['president'], true, true],
  ['two officers, the second no longer president', 'a', 'b', ['membership'], ['secretary'], true, false],
  ['two officers, the first without a role', 'a', 'b', [], ['president'], true, false],
])('asked for by %s', (_who, askedBy, approvedBy, ofAsker, ofApprover, isOfficer, may) => {
  expect(mayStillMove({ askedBy, approvedBy }, { ofAsker, ofApprover, isOfficer })).toBe(may)
})
