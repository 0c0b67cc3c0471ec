import { describe, expect, test } from 'vitest'
import { deactivate, HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const WRONG = { message: 'Invalid email/username or password.', code: 'INVALID_CREDENTIALS' }
const MISSING = 'Please enter your email/username and password.'

describe('logging in', () => {
  test('by address or username, in any case and with surrounding spaces', async () => {
    const member = await app().browser().join({ username: 'Vasanthi', levelKey: 'medical_student' })
    for (const name of [member.email, member.email.toUpperCase(), 'Vasanthi', 'vasanthi', ' VASANTHI ']) {
      expect((await app().browser().logIn(name)).status).toBe(200)
    }
  })

  test('returns token, user and subscription, and nothing else', async () => {
    const member = await app().browser().join({ levelKey: 'annual_member' })
    const { body } = await app().browser().logIn(member.email)
    expect(Object.keys(body as object).sort()).toEqual(['subscription', 'token', 'user'])
    expect(body.user).toEqual({
      _id: expect.any(String) as string,
      username: member.username,
      email: member.email,
      name: { first: 'Meera', last: 'Raghuvanshi' },
    })
    expect(body.subscription).toMatchObject({
      kind: 'RECURRING',
      status: 'ACTIVE',
      membershipLevel: { key: 'annual_member' },
    })
  })

  test('the token expires after 7 days', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const { body } = await app().browser().logIn(member.email)
    const payload = JSON.parse(Buffer.from((body.token as string).split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number
    }
    expect(Math.abs(payload.exp * 1_000 - app().now() - 7 * 24 * HOUR_MS)).toBeLessThan(10_000)
  })

  test('a person with a lapsed membership can log in', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await app().advance(400 * 24 * HOUR_MS)
    const { status, body } = await app().browser().logIn(member.email)
    expect(status).toBe(200)
    expect(body.subscription.status).toBe('EXPIRED')
  })

  test('marks the browser as known for a year', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const answer = await app().browser().logIn(member.email)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^known_browser=[^;]+; Max-Age=31536000; Path=\/api; HttpOnly; SameSite=Lax$/) as string,
    ])
  })
})

describe('rejected', () => {
  test('a wrong password, including one with different case or spaces', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    for (const password of ['monsoon-in-maco', 'Monsoon-in-macon', 'monsoon-in-macon ']) {
      const { status, body } = await app().browser().logIn(member.email, password)
      expect(status).toBe(401)
      expect(body).toEqual(WRONG)
    }
  })

  test.each([
    [{}, { identifier: MISSING, password: MISSING }],
    [{ identifier: '  ', password: 'x' }, { identifier: MISSING }],
    [{ identifier: 'ana', password: '' }, { password: MISSING }],
    [
      { identifier: { $gt: '' }, password: { $gt: '' } },
      { identifier: MISSING, password: MISSING },
    ],
    [{ identifier: 'ana', password: 'x'.repeat(1_025) }, { password: MISSING }],
  ])('%j', async (given, errors) => {
    const visitor = app().browser()
    const { status, body } = await visitor.post('/api/auth/login', {
      recaptchaToken: await visitor.botToken('login'),
      ...given,
    })
    expect(status).toBe(400)
    expect(body).toEqual({ message: MISSING, code: 'INVALID_INPUT', errors })
  })

  test('an address that was never verified or never paid for', async () => {
    const visitor = app().browser()
    const { person } = await visitor.register()
    expect((await app().browser().logIn(person.email)).body).toEqual(WRONG)
    await visitor.verify(person.email)
    expect((await app().browser().logIn(person.email)).body).toEqual(WRONG)
  })

  test('a deactivated account: reported only after the right password', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), member.email, 'officer')
    const right = await app().browser().logIn(member.email)
    expect(right.status).toBe(403)
    expect(right.body).toEqual({ message: 'Account is not active.', code: 'ACCOUNT_INACTIVE' })
    expect(right.headers.getSetCookie()).toEqual([])
    expect((await app().browser().logIn(member.email, 'not-the-password')).body).toEqual(WRONG)
  })

  test('an account deleted by its owner: as if it had never existed', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), member.email, 'self')
    expect((await app().browser().logIn(member.email)).body).toEqual(WRONG)
  })
})

describe('guessing', () => {
  test('after ten wrong passwords from many addresses, the right one is rejected too for 15 minutes', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    for (let guess = 0; guess < 10; guess++) {
      const name = guess % 2 === 0 ? member.email : member.username
      expect((await app().browser().logIn(name, `guess-${guess}`)).status).toBe(401)
    }
    const refused = await app().browser().logIn(member.email)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', limit: 10, window: 900 })
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retryAfter)
    await app().advance(901_000)
    expect((await app().browser().logIn(member.email)).status).toBe(200)
  })

  test('the owner’s own browser can still log in; a stranger’s known browser cannot', async () => {
    const owner = app().browser()
    const member = await owner.join({ levelKey: 'medical_student' })
    await owner.logIn(member.email)
    const stranger = app().browser()
    const other = await stranger.join({ levelKey: 'medical_student' })
    await stranger.logIn(other.email)
    for (let guess = 0; guess < 10; guess++) await app().browser().logIn(member.email, `guess-${guess}`)
    expect((await stranger.logIn(member.email)).status).toBe(429)
    expect((await owner.logIn(member.email)).status).toBe(200)
  })

  test('an unknown name is rejected after ten attempts as well, so that the limit reveals nothing', async () => {
    const name = 'unknown@example.com'
    for (let guess = 0; guess < 10; guess++) expect((await app().browser().logIn(name, 'x')).status).toBe(401)
    expect((await app().browser().logIn(name, 'x')).status).toBe(429)
  })

  test('successful log-ins do not count', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    for (let time = 0; time < 11; time++) expect((await app().browser().logIn(member.email)).status).toBe(200)
  })

  test('concurrent guesses cannot bypass the limit', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, guess) => app().browser().logIn(member.email, `guess-${guess}`)),
    )
    const tried = answers.filter(({ status }) => status === 401).length
    expect(tried).toBeLessThanOrEqual(10)
  })
})
