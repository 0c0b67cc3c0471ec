import { describe, expect, test } from 'vitest'
import { NOW, useTestDatabase } from '#tests/support/use-test-database.ts'
import { createAccount, reserveUsername, setPassword } from './account.commands.ts'
import { findAccount, findAccountByEmail, findAccountByLogin } from './account.queries.ts'

const db = useTestDatabase()
const DAY_MS = 86_400_000

function account(id: string, given: { username?: string; email?: string } = {}) {
  return {
    id,
    username: `user-${id}`,
    email: `${id}@example.com`,
    passwordHash: 'x',
    firstName: 'A',
    lastName: 'B',
    createdAt: NOW,
    ...given,
  }
}

const reserve = (username: string, email: string, now = NOW) =>
  reserveUsername(db(), { username, email, until: now + DAY_MS, now })

describe('reserving a username (docs/product-rules.md#usernames)', () => {
  test('only one of thirty concurrent requests succeeds, in any spelling', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => reserve(index % 2 ? 'Sought' : 'sought', `person${index}@example.com`)),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
  })

  test('the same address can reserve it again; another address can after it expires', async () => {
    expect(await reserve('name', 'ana@example.com')).toBe(true)
    expect(await reserve('NAME', 'ANA@example.com')).toBe(true)
    expect(await reserve('name', 'other@example.com')).toBe(false)
    expect(await reserve('name', 'other@example.com', NOW + DAY_MS - 1)).toBe(false)
    expect(await reserve('name', 'other@example.com', NOW + DAY_MS)).toBe(true)
  })

  test('a username in use is never reserved, not even for its own address', async () => {
    await createAccount(db(), account('1', { username: 'Taken' }), NOW)
    expect(await reserve('taken', 'other@example.com')).toBe(false)
    expect(await reserve('taken', '1@example.com')).toBe(false)
    expect(await reserve('1@EXAMPLE.com', 'other@example.com')).toBe(false)
  })
})

describe('creating an account', () => {
  test('is found by username and address in any case', async () => {
    await createAccount(db(), account('1', { username: 'Ana.Rao', email: 'Ana@Example.com' }), NOW)
    for (const name of ['Ana.Rao', 'ana.rao', 'ANA@EXAMPLE.COM', ' ana@example.com ']) {
      expect((await findAccountByLogin(db(), name))?.id).toBe('1')
    }
    expect((await findAccountByEmail(db(), 'ana@example.com'))?.id).toBe('1')
    expect(await findAccountByEmail(db(), 'ana.rao')).toBeNull()
    expect(await findAccountByLogin(db(), 'unknown')).toBeNull()
  })

  test('returns the account as it is stored, also when its username got digits', async () => {
    for (const id of ['1', '2']) {
      const made = await createAccount(db(), account(id, { username: 'wanted' }), NOW)
      expect(made).toEqual(await findAccount(db(), id))
      expect(made).toMatchObject({ tokenVersion: 1, isOfficer: 0, deactivatedBy: null, stripeCustomerId: null })
    }
    expect((await findAccount(db(), '2'))?.username).toBe('wanted2')
  })

  test('creating twice with one id creates one account', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () =>
        db()
          .transaction()
          .execute((tx) => createAccount(tx, account('1'), NOW)),
      ),
    )
    expect(made.every((one) => one?.id === '1')).toBe(true)
    expect(await db().selectFrom('account').select('id').execute()).toHaveLength(1)
  })

  test('of ten registrations with one address, only one becomes an account', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        db()
          .transaction()
          .execute((tx) => createAccount(tx, account(`p${index}`, { email: 'same@example.com' }), NOW)),
      ),
    )
    expect(made.filter((one) => one !== null)).toHaveLength(1)
    expect(await db().selectFrom('account').select('id').execute()).toHaveLength(1)
  })

  test('of ten accounts with one username, all are created, nine with digits', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        db()
          .transaction()
          .execute((tx) => createAccount(tx, account(`p${index}`, { username: 'a'.repeat(30) }), NOW)),
      ),
    )
    const names = made.map((one) => one?.username ?? '')
    expect(new Set(names).size).toBe(10)
    expect(names.filter((name) => name.length > 30)).toEqual([])
    for (const one of made) expect((await findAccount(db(), one?.id ?? ''))?.username).toBe(one?.username)
  })

  test('a username that equals the address is one name', async () => {
    const made = await createAccount(db(), account('1', { username: 'Own@Example.com', email: 'own@example.com' }), NOW)
    expect(made?.username).toBe('Own@Example.com')
    expect(await db().selectFrom('loginName').select('nameKey').execute()).toEqual([{ nameKey: 'own@example.com' }])
  })

  test('uses its own reservation, and respects an active one of another address', async () => {
    await reserve('mine', '1@example.com')
    await reserve('theirs', 'other@example.com')
    expect((await createAccount(db(), account('1', { username: 'mine' }), NOW))?.username).toBe('mine')
    expect((await createAccount(db(), account('2', { username: 'theirs' }), NOW))?.username).toBe('theirs2')
  })
})

test('a new password raises the token version, however many are set at once', async () => {
  await createAccount(db(), account('1'), NOW)
  await Promise.all(Array.from({ length: 5 }, (_, index) => setPassword(db(), '1', `hash-${index}`, NOW)))
  expect((await findAccount(db(), '1'))?.tokenVersion).toBe(6)
})
