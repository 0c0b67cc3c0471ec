import { describe, expect, test } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { createSessionTokens, type SessionClaims } from './session-token.service.ts'

const app = useTestApp()
const EXPIRED = { message: 'Session expired. Please log in again.', code: 'SESSION_EXPIRED' }
const REQUIRED = { message: 'Authentication required', code: 'AUTHENTICATION_REQUIRED' }
const PROFILE = '/api/account/profile'

async function member(): Promise<TestBrowser & { email: string }> {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  return Object.assign(browser, { email })
}

function claimsOf(token: string | null): SessionClaims {
  const payload = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as Record<string, never>
  return {
    accountId: payload['sub'] ?? '',
    sessionId: payload['sid'] ?? '',
    tokenVersion: payload['ver'] ?? 0,
    expiresAt: (payload['exp'] ?? 0) * 1_000,
  }
}

describe('bearer authentication (docs/product-rules.md#when-a-session-ends, docs/product-rules.md#server-checks-of-a-token)', () => {
  test.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['no scheme', 'abc'],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['a token of 5,000 characters', `Bearer ${'x'.repeat(5_000)}`],
    ['characters beyond ASCII', 'Bearer t\u00f6ken'],
  ])('%s: 401, Authentication required', async (_name, authorization) => {
    const answer = await app()
      .browser()
      .call('GET', PROFILE, undefined, authorization === undefined ? {} : { authorization })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual(REQUIRED)
  })

  test.each(['x', 'a.b.c', 'null', 'undefined', 'eyJhbGciOiJub25lIn0.e30.'])(
    '%s: 401, Session expired',
    async (token) => {
      const answer = await app()
        .browser()
        .call('GET', PROFILE, undefined, { authorization: `Bearer ${token}` })
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual(EXPIRED)
    },
  )

  test('a token signed with another secret, for another session, or of another version', async () => {
    const browser = await member()
    const stranger = await member()
    const claims = claimsOf(browser.token)
    const ours = createSessionTokens(
      createSecrets('a secret for tests, and for tests only, of fair length'),
      'http://localhost:3000',
    )
    const theirs = createSessionTokens(
      createSecrets('another secret, of another site, of fair length'),
      'http://localhost:3000',
    )
    const wrong = [
      await theirs.sign(claims, app().now()),
      await ours.sign({ ...claims, sessionId: 'no-such-session' }, app().now()),
      await ours.sign({ ...claims, accountId: claimsOf(stranger.token).accountId }, app().now()),
      await ours.sign({ ...claims, sessionId: claimsOf(stranger.token).sessionId }, app().now()),
      await ours.sign({ ...claims, tokenVersion: claims.tokenVersion + 1 }, app().now()),
      await ours.sign({ ...claims, tokenVersion: claims.tokenVersion - 1 }, app().now()),
    ]
    for (const token of wrong) {
      const answer = await app()
        .browser()
        .call('GET', PROFILE, undefined, { authorization: `Bearer ${token}` })
      expect(answer.body).toEqual(EXPIRED)
    }
    const right = await ours.sign(claims, app().now())
    expect(
      (
        await app()
          .browser()
          .call('GET', PROFILE, undefined, { authorization: `bearer ${right}` })
      ).status,
    ).toBe(200)
  })

  test('a link token or a cookie is not accepted as a bearer token', async () => {
    const browser = await member()
    const { person } = await app().browser().register()
    const link = await browser.linkInMail(person.email, '/email-verification')
    for (const token of [
      link.searchParams.get('token'),
      browser.cookies.get('registration'),
      browser.cookies.get('grant'),
    ]) {
      const answer = await app()
        .browser()
        .call('GET', PROFILE, undefined, { authorization: `Bearer ${token}` })
      expect(answer.status).toBe(401)
    }
  })

  test('a deactivated account: 403, immediately', async () => {
    const browser = await member()
    await deactivate(app(), browser.email, 'officer')
    const answer = await browser.get(PROFILE)
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({ message: 'Account is not active.', code: 'ACCOUNT_INACTIVE' })
  })

  test('a revoked session: 401; other sessions of the account continue', async () => {
    const browser = await member()
    const other = app().browser()
    await other.logIn(browser.email)
    await app()
      .database.db.updateTable('session')
      .set({ revokedAt: app().now() })
      .where('id', '=', claimsOf(browser.token).sessionId)
      .execute()
    expect((await browser.get(PROFILE)).body).toEqual(EXPIRED)
    expect((await other.get(PROFILE)).status).toBe(200)
  })

  test('a lapsed membership stays logged in', async () => {
    const browser = await member()
    await app().advance(366 * DAY_MS)
    await browser.logIn(browser.email)
    expect((await browser.get(PROFILE)).status).toBe(200)
  })

  test('a session stores the browser family, never the whole header', async () => {
    const browser = await member()
    const row = await app()
      .database.db.selectFrom('session')
      .selectAll()
      .where('id', '=', claimsOf(browser.token).sessionId)
      .executeTakeFirstOrThrow()
    expect(row.browser).toBe('Chrome on Linux')
  })
})

describe('refreshing a token (docs/product-rules.md#token-refresh)', () => {
  const untilSoon = 7 * DAY_MS - 4 * 60_000

  test('with under 5 minutes left the token is exchanged, once', async () => {
    const browser = await member()
    const old = browser.token
    await app().advance(untilSoon)
    const { status, body } = await browser.post('/api/auth/refresh')
    expect(status).toBe(200)
    expect(Object.keys(body as object)).toEqual(['token'])
    expect(claimsOf(body.token as string).expiresAt - app().now()).toBeGreaterThan(6.9 * DAY_MS)
    browser.token = body.token as string
    expect((await browser.get(PROFILE)).status).toBe(200)
    browser.token = old
    expect((await browser.post('/api/auth/refresh')).body).toEqual(EXPIRED)
  })

  test('of twenty concurrent tabs, one gets a token', async () => {
    const browser = await member()
    await app().advance(untilSoon)
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/api/auth/refresh')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('with more time left: 409, and the session continues', async () => {
    const browser = await member()
    for (const wait of [0, 7 * DAY_MS - 6 * 60_000]) {
      await app().advance(wait)
      const { status, body } = await browser.post('/api/auth/refresh')
      expect(status).toBe(409)
      expect(body.code).toBe('REFRESH_TOO_EARLY')
    }
    expect((await browser.get(PROFILE)).status).toBe(200)
  })

  test('after the token expired: 401', async () => {
    const browser = await member()
    await app().advance(7 * DAY_MS + 1_000)
    expect((await browser.post('/api/auth/refresh')).body).toEqual(EXPIRED)
    expect((await browser.get(PROFILE)).body).toEqual(EXPIRED)
  })

  test('without a bearer token: 401; deactivated account: 403', async () => {
    expect((await app().browser().post('/api/auth/refresh')).body).toEqual(REQUIRED)
    const browser = await member()
    await app().advance(untilSoon)
    await deactivate(app(), browser.email, 'officer')
    expect((await browser.post('/api/auth/refresh')).status).toBe(403)
  })
})
