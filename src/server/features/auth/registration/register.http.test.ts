import { describe, expect, test } from 'vitest'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

const USERNAME_CHARACTERS =
  'Username must contain only letters, numbers, hyphens, underscores, periods, and @ symbols, and must start with a letter or number'

describe('a registration', () => {
  test('is stored and answered with 201, and its link and code are emailed', async () => {
    const visitor = app().browser()
    const { status, body, person } = await visitor.register({ firstName: 'Meera' })
    expect(status).toBe(201)
    expect(body).toEqual({
      userId: expect.any(String) as string,
      message: 'Please check your email to verify your address.',
      recaptcha: { score: 0.9, action: 'registration', success: true },
    })
    await app().drain()
    const [mail, ...others] = app().standins.mails(person.email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Please verify your email address, Meera')
    expect(mail?.from).toContain('office@example.org')
    expect(mail?.text).toMatch(/\b\d{3} \d{3}\b/)
    // A free level has none.
    expect(mail?.text).not.toContain('payment')
    const link = await visitor.linkInMail(person.email, '/email-verification')
    expect(link.origin).toBe('http://localhost:3000')
    expect([...link.searchParams.keys()]).toEqual(['email', 'token'])
    expect(link.searchParams.get('email')).toBe(person.email)
  })

  test('sets an HttpOnly registration cookie for 24 hours (docs/product-rules.md#proof-before-a-session)', async () => {
    const answer = await app().browser().register()
    const [cookie, ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(/^registration=[^;]+; Max-Age=86400; Path=\/api; HttpOnly; SameSite=Lax$/)
  })

  test('stores the accepted version of the terms (docs/product-rules.md#legal-pages-have-versions), and no password or token', async () => {
    const { body, person } = await app().browser().register({ password: 'a-quiet-veranda' })
    const row = await app()
      .database.db.selectFrom('pendingRegistration')
      .selectAll()
      .where('id', '=', body.userId as string)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ email: person.email, termsVersion: '2026-11-01', verifiedAt: null })
    // Counted from when the email was sent, a moment later.
    expect(row.expiresAt - row.createdAt).toBeGreaterThanOrEqual(24 * HOUR_MS)
    expect(row.expiresAt - row.createdAt).toBeLessThan(24 * HOUR_MS + 60_000)
    expect(row.passwordHash).toMatch(/^\$argon2id\$/)
    const link = await app().browser().linkInMail(person.email, '/email-verification')
    const dump = await dumpDatabase(app().database)
    expect(dump).not.toContain('a-quiet-veranda')
    expect(dump).not.toContain(link.searchParams.get('token'))
  })

  test('trims surrounding spaces', async () => {
    const { status, body } = await app().browser().register({ email: '  padded@example.com ', username: ' padded ' })
    expect(status).toBe(201)
    const row = await app()
      .database.db.selectFrom('pendingRegistration')
      .selectAll()
      .where('id', '=', body.userId as string)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ email: 'padded@example.com', username: 'padded' })
  })

  test('accepts names as people write them', async () => {
    const { status } = await app().browser().register({ firstName: 'Śrī-Lakṣmī', lastName: "D’Souza-O'Neill 👩‍⚕️" })
    expect(status).toBe(201)
  })
})

describe('rejected input', () => {
  test('every invalid field has its sentence, in the order of the form', async () => {
    const { status, body } = await app().browser().post('/api/auth/register', {})
    expect(status).toBe(400)
    expect(body.code).toBe('INVALID_INPUT')
    expect(body.message).toBe('Email is required')
    expect(Object.entries(body.errors as object)).toEqual([
      ['email', 'Email is required'],
      ['username', 'Username is required'],
      ['firstName', 'First name is required'],
      ['lastName', 'Last name is required'],
      ['password', 'Password is required'],
      ['levelKey', 'Please choose a membership.'],
    ])
  })

  test.each([
    ['email', 'no-address', 'Please enter a valid email address'],
    ['email', ['a@b.example'], 'Email is required'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['username', 'x'.repeat(31), 'Username must be less than 30 characters'],
    ['username', '-ana', USERNAME_CHARACTERS],
    ['username', { $ne: null }, 'Username is required'],
    ['firstName', '   ', 'First name is required'],
    ['firstName', 'Ana\r\nBcc: all@example.org', 'Please use letters, spaces and common punctuation only.'],
    ['lastName', 'x'.repeat(51), 'Last name cannot exceed 50 characters'],
    ['lastName', 'Rao\u0000', 'Please use letters, spaces and common punctuation only.'],
    ['password', '12345', 'Password must be at least 6 characters'],
    ['password', 'x'.repeat(129), 'Password cannot exceed 128 characters'],
    ['password', 'password', 'This password is too common. Please choose another.'],
    ['password', 'Raghuvanshi', 'Please choose a password that is not your name, username or email address.'],
  ])('%s %j: %s', async (field, value, sentence) => {
    const { status, body } = await app()
      .browser()
      .register({ [field]: value })
    expect(status).toBe(400)
    expect(body).toEqual({ message: sentence, code: 'INVALID_INPUT', errors: { [field]: sentence } })
  })

  test.each(['gold_member', 'ANNUAL_MEMBER', "x' or 1=1 --"])('level %s: Plan not found', async (levelKey) => {
    const { status, body } = await app().browser().register({ levelKey })
    expect(status).toBe(404)
    expect(body).toEqual({ message: 'Plan not found', code: 'PLAN_NOT_FOUND' })
  })

  test('a level that is no longer sold cannot be chosen', async () => {
    await app()
      .database.db.updateTable('membershipLevel')
      .set({ isOnSale: 0 })
      .where('key', '=', 'resident_fellow')
      .execute()
    const { status } = await app().browser().register({ levelKey: 'resident_fellow' })
    await app()
      .database.db.updateTable('membershipLevel')
      .set({ isOnSale: 1 })
      .where('key', '=', 'resident_fellow')
      .execute()
    expect(status).toBe(404)
  })

  test('rejected input stores nothing and sends no email', async () => {
    const visitor = app().browser()
    await visitor.register({ email: 'refused@example.com', password: '12345' })
    await visitor.register({ email: 'refused@example.com', levelKey: 'gold_member' })
    await app().drain()
    expect(app().standins.mails('refused@example.com')).toEqual([])
    expect(await dumpDatabase(app().database)).not.toContain('refused@example.com')
  })
})

test('unknown fields are ignored and never stored', async () => {
  const { status, body } = await app()
    .browser()
    .register({
      _id: 'chosen-by-me',
      id: 'chosen-by-me',
      userId: 'chosen-by-me',
      role: 'role-of-mine',
      isOfficer: true,
      is_officer: 1,
      verifiedAt: 1,
      verified_at: 1,
      status: 'ACTIVE-of-mine',
      confirmPassword: 'something-else-of-mine',
      ['__proto__']: { isOfficer: true },
      constructor: { prototype: { isOfficer: true } },
    })
  expect(status).toBe(201)
  expect(body.userId).not.toBe('chosen-by-me')
  const dump = await dumpDatabase(app().database)
  for (const trace of ['chosen-by-me', 'role-of-mine', 'ACTIVE-of-mine', 'something-else-of-mine']) {
    expect(dump).not.toContain(trace)
  }
  expect(Object.prototype).not.toHaveProperty('isOfficer')
})

test('a bearer token, valid or not, has no effect: the endpoint is public', async () => {
  const visitor = app().browser()
  visitor.token = 'not-a-token'
  expect((await visitor.register()).status).toBe(201)
})
