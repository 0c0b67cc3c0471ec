import { expect, test } from 'vitest'
import { createTestApp } from '#tests/support/test-app.ts'
import { dumpDatabase } from '#tests/support/test-database.ts'

/** Every secret or personal value of a journey, by name. */
type Traces = Map<string, string>

async function wholeJourney() {
  const app = await createTestApp({ environment: { LOG_LEVEL: 'debug' } })
  const secret: Traces = new Map()
  const personal: Traces = new Map()
  const browser = app.browser('198.51.100.23')

  const { person } = await browser.register({
    email: 'private.person@clinic-of-secrets.example',
    username: 'privateperson',
    firstName: 'Confidentia',
    lastName: 'Secretaryan',
    password: 'the-secret-veranda',
  })
  const code = /\b(\d{3} \d{3})\b/.exec((await mailTo(person.email))?.text ?? '')?.[1] ?? ''
  const link = await browser.linkInMail(person.email, '/email-verification')
  await browser.verify(person.email)
  const start = await browser.post('/api/stripe/checkout/start', {
    levelKey: 'annual_member',
    email: person.email,
    firstName: person.firstName,
  })
  const page = await browser.pay(start.body.sessionUrl as string)
  const verified = await browser.verifySession(page)
  await app.drain()
  const login = await browser.logIn(person.email, person.password)
  await browser.logIn(person.username, 'a-wrong-guess-of-mine')
  await browser.get('/api/account/profile')
  const portal = await browser.post('/api/billing/portal-session')
  await browser.post('/api/email/forgot-password', {
    email: person.email,
    recaptchaToken: await browser.botToken('password_reset'),
  })
  const reset = await browser.linkInMail(person.email, '/reset-password')
  const used = await browser.post('/api/email/reset-password', {
    token: reset.searchParams.get('token'),
    userId: reset.searchParams.get('userId'),
    newPassword: 'an-even-quieter-veranda',
  })
  expect(used.status).toBe(200)
  // Errors are where logs usually reveal too much.
  await app.standins.control({ mail: 'temporary', stripe: 'error', bot: 'error' })
  await browser.register({ email: person.email, username: 'privateperson2', firstName: 'Confidentia' })
  await browser.logIn(person.email, 'an-even-quieter-veranda')
  await browser.post('/api/billing/portal-session')
  await app.drain()
  await browser.get(
    `/api/stripe/checkout/verify-session?session_id=${start.body.sessionId as string}&nonce=a-wrong-nonce-of-mine`,
  )
  await browser.get('/api/nothing?email=private.person@clinic-of-secrets.example')
  await browser.call('POST', '/api/auth/login', '{"password":"broken-json-secret')

  secret.set('password', 'the-secret-veranda')
  secret.set('new password', 'an-even-quieter-veranda')
  secret.set('wrong password', 'a-wrong-guess-of-mine')
  secret.set('verification token', link.searchParams.get('token') ?? '')
  secret.set('reset token', reset.searchParams.get('token') ?? '')
  secret.set('nonce', page.searchParams.get('nonce') ?? '')
  secret.set('session token of the payment', verified.body.token as string)
  secret.set('session token of the log-in', login.body.token as string)
  for (const name of ['registration', 'grant', 'checkout', 'known_browser']) {
    // The part before the first dot is an id; only the seal is secret.
    secret.set(`seal of cookie ${name}`, browser.cookies.get(name)?.split('.')[2] ?? '')
  }
  secret.set('known browser', browser.cookies.get('known_browser')?.split('.')[0] ?? '')
  personal.set('code', code)
  personal.set('address', 'clinic-of-secrets')
  personal.set('username', 'privateperson')
  personal.set('first name', 'Confidentia')
  personal.set('last name', 'Secretaryan')
  personal.set('network address', '198.51.100.23')
  personal.set('whole browser', 'AppleWebKit')
  personal.set('session id', start.body.sessionId as string)
  personal.set('portal', (portal.body.url as string).split('/').at(-1) ?? '')
  personal.set('query', 'session_id=')
  personal.set('wrong nonce', 'a-wrong-nonce-of-mine')
  personal.set('broken JSON', 'broken-json-secret')
  return { app, secret, personal }

  async function mailTo(email: string) {
    await app.drain()
    return app.standins.mails(email)[0]
  }
}

test('after a whole journey no log line contains a person or a secret, and the database stores no secret in the clear', async () => {
  const { app, secret, personal } = await wholeJourney()
  const log = app.logLines.join('')
  const dump = await dumpDatabase(app.database)
  // Match it as a separate word: six digits also occur by chance within ids and timestamps.
  const code = new RegExp(`(?<![0-9a-z])${personal.get('code')?.replace(' ', ' ?')}(?![0-9a-z])`)
  expect(app.logLines.length).toBeGreaterThan(20)
  for (const [what, trace] of [...secret, ...personal]) {
    expect(trace.length, what).toBeGreaterThan(5)
    expect(log.includes(trace), `${what} is in the log`).toBe(false)
  }
  for (const [what, trace] of secret) expect(dump.includes(trace), `${what} is in the database`).toBe(false)
  expect(dump).not.toMatch(code)
  expect(log).not.toMatch(code)
  expect(dump).not.toContain('AppleWebKit')
  expect(dump).not.toContain('198.51.100.23')
  await app[Symbol.asyncDispose]()
})

test('every call logs one line with method, route, status and time, and nothing else', async () => {
  await using app = await createTestApp()
  const visitor = app.browser()
  await visitor.get('/api/membership-levels?secret=1')
  await visitor.get('/api/nothing/at-all?secret=1')
  const lines = app.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'answered')
  expect(lines.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', '/api/membership-levels', 200],
    ['GET', 'unknown', 404],
  ])
  for (const line of lines) {
    expect(Object.keys(line).sort()).toEqual([
      'hostname',
      'level',
      'method',
      'ms',
      'msg',
      'path',
      'pid',
      'reqId',
      'status',
      'time',
    ])
  }
})
