import { expect, test } from 'vitest'
import { deactivate, withoutIds } from '#tests/support/people.ts'
import type { TestResponse } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

/** What a stranger can observe of a response. */
function visible({ status, headers, body }: TestResponse) {
  const cookies = headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]+/, '='))
  const names = [...headers.keys()].filter((name) => name !== 'content-length').sort()
  return {
    status,
    cookies,
    names,
    length: headers.get('content-length'),
    body: body && withoutIds(body as object as Record<string, unknown>),
  }
}

test('registering with a member’s address gets the same response as a new one; the owner is notified by email (docs/product-rules.md#one-account-per-address)', async () => {
  const member = await app().browser().join({ levelKey: 'medical_student', firstName: 'Lalita' })
  const known = await app().browser().register({ email: member.email, username: 'known-stranger' })
  const fresh = await app().browser().register({ email: 'fresh@example.com', username: 'fresh-stranger' })
  expect(visible(known)).toEqual(visible(fresh))
  await app().drain()
  const [message] = app().standins.mails(member.email)
  expect(message?.subject).toBe('You already have an account')
  expect(message?.text).toContain('http://localhost:3000/auth/login')
  expect(message?.text).toContain('http://localhost:3000/reset-password')
  expect(message?.text).not.toContain('/email-verification')
  expect(message?.text).not.toContain('known-stranger')
})

test('such a registration has neither a code nor a link', async () => {
  const member = await app().browser().join({ levelKey: 'medical_student' })
  const stranger = app().browser()
  await stranger.register({ email: member.email, username: 'no-code' })
  const answer = await stranger.post('/api/auth/verify-email', { email: member.email, code: '000000' })
  expect(answer.status).toBe(400)
  expect((await app().browser().logIn(member.email)).status).toBe(200)
})

test('a deactivated account: the same response, and an email that names whom to contact', async () => {
  const member = await app().browser().join({ levelKey: 'medical_student' })
  await deactivate(app(), member.email, 'officer')
  const known = await app().browser().register({ email: member.email, username: 'deactivated-one' })
  const fresh = await app().browser().register({ email: 'fresh2@example.com', username: 'fresh-stranger-2' })
  expect(visible(known)).toEqual(visible(fresh))
  await app().drain()
  const [message] = app().standins.mails(member.email)
  expect(message?.subject).toBe('About your account')
  expect(message?.text).toContain('please email office@example.org')
})

test.each([
  ['/api/email/forgot-password', 'password_reset'],
  ['/api/auth/resend-verification', 'resend_verification'],
] as const)(
  '%s responds the same for a member, a pending registration, a deactivated account and an unknown address',
  async (path, action) => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const deactivated = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), deactivated.email, 'officer')
    const { person: waiting } = await app().browser().register()
    const answers = []
    for (const email of [member.email, waiting.email, deactivated.email, 'nobody@example.com']) {
      const visitor = app().browser()
      answers.push(visible(await visitor.post(path, { email, recaptchaToken: await visitor.botToken(action) })))
    }
    expect(answers[0]?.status).toBe(path.endsWith('password') ? 200 : 204)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await app().drain()
    expect(app().standins.mails('nobody@example.com')).toEqual([])
  },
)

test('log-in responds the same for a wrong password, a pending registration and an unknown name', async () => {
  const member = await app().browser().join({ levelKey: 'medical_student' })
  const { person: waiting } = await app().browser().register()
  const answers = await Promise.all(
    [member.email, member.username, waiting.email, 'unknown@example.com', 'unknown'].map(async (name) =>
      visible(await app().browser().logIn(name, 'not-the-password')),
    ),
  )
  expect(answers[0]).toMatchObject({
    status: 401,
    body: { code: 'INVALID_CREDENTIALS', message: 'Invalid email/username or password.' },
  })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})
