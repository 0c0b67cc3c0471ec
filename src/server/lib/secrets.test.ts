import { describe, expect, test } from 'vitest'
import { newId } from './ids.ts'
import { createSecrets, equalSecrets, hashToken, type Purpose } from './secrets.ts'

const PURPOSES: Purpose[] = [
  'session-token',
  'verification-link',
  'verification-code',
  'password-reset',
  'checkout-nonce',
  'cookie',
  'address-hash',
]
const secrets = createSecrets('a secret for tests, of fair length, and no other')

describe('derived secrets', () => {
  test('differ with every purpose, every id and every secret', () => {
    const others = createSecrets('another secret for tests, of fair length too')
    const all = PURPOSES.flatMap((purpose) => [
      secrets.token(purpose, 'id-1'),
      secrets.token(purpose, 'id-2'),
      others.token(purpose, 'id-1'),
    ])
    expect(new Set(all).size).toBe(PURPOSES.length * 3)
    expect(new Set(PURPOSES.map((purpose) => Buffer.from(secrets.key(purpose)).toString('hex'))).size).toBe(7)
  })

  test('are the same on every instance and after a restart', () => {
    const again = createSecrets('a secret for tests, of fair length, and no other')
    expect(again.token('password-reset', 'id-1')).toBe(secrets.token('password-reset', 'id-1'))
    expect(again.sixDigits('id-1')).toBe(secrets.sixDigits('id-1'))
  })

  test('a token has 256 bits in URL-safe characters', () => {
    expect(secrets.token('verification-link', 'id-1')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  test('a code has six digits, with leading zeros, spread over the whole range', () => {
    const codes = Array.from({ length: 2_000 }, (_, index) => secrets.sixDigits(`id-${index}`))
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
    const tenths = Array.from({ length: 10 }, (_, tenth) => codes.filter((code) => code[0] === String(tenth)).length)
    expect(Math.min(...tenths)).toBeGreaterThan(140)
    expect(Math.max(...tenths)).toBeLessThan(260)
  })
})

describe('comparing and storing', () => {
  test.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'ab', false],
    ['', '', true],
    ['é', 'e', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(equalSecrets(a, b)).toBe(same)
  })

  test('a token is stored as SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('ids', () => {
  test('never repeat and sort by age', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => newId(1_900_000_000_000 + Math.floor(index / 100)))
    expect(new Set(ids).size).toBe(5_000)
    const times = ids.map((id) => id.slice(0, 10))
    expect(times).toEqual([...times].sort())
    expect(ids.filter((id) => !/^[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toEqual([])
  })
})
