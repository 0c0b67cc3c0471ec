import { describe, expect, test } from 'vitest'
import { decodeToken, isTokenExpiringSoon, isTokenValid } from './token.rules.ts'

const NOW = Date.UTC(2026, 10, 21)
const seconds = NOW / 1_000

function token(payload: unknown): string {
  return `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.sig`
}

describe('a token is valid only if exp is later than now', () => {
  test.each([
    ['a second to go', token({ exp: seconds + 1 }), true],
    ['exactly now', token({ exp: seconds }), false],
    ['a second ago', token({ exp: seconds - 1 }), false],
    ['characters beyond ASCII', token({ exp: seconds + 60, name: 'Mīrā 🌸' }), true],
    ['no exp', token({}), false],
    ['exp as text', token({ exp: String(seconds + 60) }), false],
    ['exp of null', token({ exp: null }), false],
    ['a payload that is no object', token('text'), false],
    ['a payload of null', token(null), false],
    ['no string', undefined, false],
    ['a number', 17, false],
    ['empty', '', false],
    ['one part', 'abc', false],
    ['bad base64', 'a.%%%.c', false],
    ['bad json', `a.${btoa('{')}.c`, false],
  ])('%s', (_, value, expected) => expect(isTokenValid(value, NOW)).toBe(expected))
})

describe('a token expires soon when less than 5 minutes remain, and when it cannot be read', () => {
  test.each([
    ['5 minutes', token({ exp: seconds + 300 }), false],
    ['a second less', token({ exp: seconds + 299 }), true],
    ['over', token({ exp: seconds - 1 }), true],
    ['an hour', token({ exp: seconds + 3_600 }), false],
    ['malformed', 'abc', true],
    ['no string', null, true],
  ])('%s', (_, value, expected) => expect(isTokenExpiringSoon(value, NOW)).toBe(expected))
})

describe('decoding throws jwt-decode’s messages', () => {
  test.each([
    [17, 'Invalid token specified: must be a string'],
    ['abc', 'missing part'],
    ['a.b.c', 'invalid base64 for part'],
    [`a.${btoa('{')}.c`, 'invalid json for part'],
  ])('%s', (value, sentence) => expect(() => decodeToken(value)).toThrow(sentence))
})
