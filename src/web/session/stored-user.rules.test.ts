import { expect, test } from 'vitest'
import { readStoredUser } from './stored-user.rules.ts'

test.each([
  [null, null],
  ['', null],
  ['{', null],
  ['null', null],
  ['7', null],
  ['[]', null],
  ['{}', null],
  ['{"username":""}', null],
  ['{"username":7}', null],
  ['{"username":"meera.r"}', { username: 'meera.r' }],
])('stored %j is read as %j', (text, expected) => expect(readStoredUser(text)).toEqual(expected))
