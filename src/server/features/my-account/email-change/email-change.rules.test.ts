import { expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { emailChangeExpiresAt, isEmailChangeAuthorized } from './email-change.rules.ts'

const HOUR_MS = 3_600_000

test.each([
  [null, 24],
  ['officer', 72],
  ['webmaster', 72],
])('a change requested by %s expires after %i hours', (askedBy, hours) => {
  expect(emailChangeExpiresAt({ askedAt: 0, askedBy })).toBe(hours * HOUR_MS)
})

test.each<[string, string | null, string | null, Role[], Role[], boolean, boolean]>([
  ['its owner', null, null, [], [], true, true],
  ['the webmaster', 'webmaster', null, [], [], true, true],
  ['an officer', 'a', null, ['membership'], [], false, true],
  ['an officer whose role has ended', 'a', null, [], [], false, false],
  ['an officer with another role by now', 'a', null, ['editor'], [], false, false],
  ['an officer, for an account that has gained a role', 'a', null, ['membership'], [], true, false],
  ['two officers', 'a', 'b', ['membership'], ['president'], true, true],
  ['two officers, the second no longer president', 'a', 'b', ['membership'], ['secretary'], true, false],
  ['two officers, the first without a role', 'a', 'b', [], ['president'], true, false],
])('requested by %s', (_who, askedBy, approvedBy, ofAsker, ofApprover, isOfficer, may) => {
  expect(isEmailChangeAuthorized({ askedBy, approvedBy }, { ofAsker, ofApprover, isOfficer })).toBe(may)
})
