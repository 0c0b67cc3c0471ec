import { describe, expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.rules.ts'
import { normalizePassword, passwordProblem } from './password.rules.ts'
import { hashPassword, verifyPassword } from './password-hash.service.ts'

const COMMON = 'This password is too common. Please choose another.'
const PERSONAL = 'Please choose a password that is not your name, username or email address.'
const ana = { email: 'Ana.Rao@Example.com', username: 'ana-in-macon', firstName: 'Anagha', lastName: 'Raghavendra' }

describe('which passwords are rejected (docs/product-rules.md#passwords)', () => {
  test.each([
    ['123456', COMMON],
    ['password', COMMON],
    ['PassWord', COMMON],
    [' password ', COMMON],
    ['ｐａｓｓｗｏｒｄ', COMMON],
    ['qwerty123', COMMON],
    ['iloveyou', COMMON],
    ['trustno1', COMMON],
    ['ana.rao@example.com', PERSONAL],
    ['ANA.RAO@EXAMPLE.COM', PERSONAL],
    ['ana.rao', PERSONAL],
    ['ana-in-macon', PERSONAL],
    ['anagha', PERSONAL],
    ['Raghavendra', PERSONAL],
    ['AnaghaRaghavendra', PERSONAL],
    ['anagha raghavendra', PERSONAL],
    ['raghavendraanagha', PERSONAL],
  ])('%s is refused with the reason', (password, sentence) => {
    expect(passwordProblem(password, ana)).toBe(sentence)
  })

  test.each([
    'monsoon-in-macon',
    'Anagha loves mangoes',
    'correct horse battery staple',
    'पासवर्ड मेरा',
    '🐘🐘🐘🐘🐘🐘',
    'x'.repeat(128),
    '      ',
  ])('%s is accepted: there are no composition rules', (password) => {
    expect(passwordProblem(password, ana)).toBeNull()
  })

  test('empty names reject nothing', () => {
    expect(passwordProblem('monsoon', { ...ana, username: '', firstName: '' })).toBeNull()
  })

  test('every listed password could be chosen: at least 6 characters, lowercase', () => {
    expect(commonPasswords.size).toBeGreaterThan(900)
    expect([...commonPasswords].filter((word) => word.length < 6 || word !== word.toLowerCase())).toEqual([])
  })
})

describe('hashing', () => {
  test('a hash is Argon2id with at least the parameters of docs/product-rules.md#passwords', async () => {
    const [, , version, parameters] = (await hashPassword('monsoon-in-macon')).split('$').slice(0)
    expect(await hashPassword('monsoon-in-macon')).toMatch(/^\$argon2id\$/)
    expect(version).toBe('v=19')
    const [, memory, time, lanes] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(parameters ?? '') ?? []
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
    expect(Number(time)).toBeGreaterThanOrEqual(2)
    expect(Number(lanes)).toBeGreaterThanOrEqual(1)
  })

  test('equivalent Unicode forms are the same password', async () => {
    expect(normalizePassword('Café'.normalize('NFD'))).toBe('Café'.normalize('NFC'))
    const stored = await hashPassword('Café-in-Décatur'.normalize('NFD'))
    expect(await verifyPassword(stored, 'Café-in-Décatur'.normalize('NFC'))).toBe(true)
  })

  test('without an account every password is wrong', async () => {
    expect(await verifyPassword(null, 'monsoon-in-macon')).toBe(false)
    expect(await verifyPassword(null, '')).toBe(false)
  })

  test('every byte of a long password counts', async () => {
    const stored = await hashPassword(`${'x'.repeat(127)}a`)
    expect(await verifyPassword(stored, `${'x'.repeat(127)}b`)).toBe(false)
    expect(await verifyPassword(stored, 'x'.repeat(72))).toBe(false)
  })
})
