import { describe, expect, test } from 'vitest'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { deactivate, HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const INVALID = 'Invalid reset link. Please request a new password reset.'
const INVALID_BODY = { success: false, error: INVALID, message: INVALID, code: 'RESET_LINK_INVALID' }
const NEW = 'a-quieter-veranda'

async function ask(email: string) {
  const visitor = app().browser()
  return visitor.post('/api/email/forgot-password', { email, recaptchaToken: await visitor.botToken('password_reset') })
}

/** Requests a link and opens it from the email. */
async function linkFor(email: string): Promise<{ token: string; userId: string }> {
  await ask(email)
  const link = await app().browser().linkInMail(email, '/reset-password')
  return { token: link.searchParams.get('token') ?? '', userId: link.searchParams.get('userId') ?? '' }
}

function reset(body: Record<string, unknown>) {
  return app().browser().post('/api/email/reset-password', body)
}

describe('requesting a link', () => {
  test('responds the same for everyone, and emails the account’s owner a link that works for an hour', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const { status, body } = await ask(member.email.toUpperCase())
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: 'If this address has an account, a reset link is on its way.' })
    const link = await app().browser().linkInMail(member.email, '/reset-password')
    expect(link.origin).toBe('http://localhost:3000')
    expect([...link.searchParams.keys()]).toEqual(['token', 'userId'])
    expect(app().standins.mails(member.email)[0]?.subject).toBe('Choose a new password')
  })

  test('after three emails an hour: the same response, no email', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await app().drain()
    const before = app().standins.mails(member.email).length
    for (let call = 0; call < 5; call++) {
      expect((await ask(member.email)).status).toBe(200)
      await app().drain()
    }
    expect(app().standins.mails(member.email)).toHaveLength(before + 3)
  })

  test('tells the owner of a deactivated account whom to contact', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await deactivate(app(), member.email, 'officer')
    await ask(member.email)
    await app().drain()
    expect(app().standins.mails(member.email)[0]?.subject).toBe('About your account')
  })

  test.each([
    [{}, 'Email is required'],
    [{ email: 'x' }, 'Please enter a valid email address'],
  ])('%j is refused with success: false and the same sentence twice', async (body, sentence) => {
    const { status, body: answer } = await app().browser().post('/api/email/forgot-password', body)
    expect(status).toBe(400)
    expect(answer).toEqual({
      success: false,
      error: sentence,
      message: sentence,
      code: 'INVALID_INPUT',
      errors: { email: sentence },
    })
  })
})

describe('choosing a new password', () => {
  test('works once: the old password and all older tokens are invalidated, the owner is notified (docs/product-rules.md#server-checks-of-a-token)', async () => {
    const [laptop, phone] = [app().browser(), app().browser()]
    const member = await laptop.join({ levelKey: 'medical_student' })
    await phone.logIn(member.email)
    const link = await linkFor(member.email)
    const { status, body } = await reset({ ...link, newPassword: NEW })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: 'Your password was changed.' })
    for (const browser of [laptop, phone]) {
      const refused = await browser.get('/api/account/profile')
      expect(refused.status).toBe(401)
      expect(refused.body).toEqual({ message: 'Session expired. Please log in again.', code: 'SESSION_EXPIRED' })
    }
    const sessions = await app()
      .database.db.selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .select('revokedAt')
      .where('emailKey', '=', member.email)
      .execute()
    expect(sessions.map((session) => session.revokedAt)).not.toContain(null)
    expect((await app().browser().logIn(member.email)).status).toBe(401)
    expect((await app().browser().logIn(member.email, NEW)).status).toBe(200)
    const again = await reset({ ...link, newPassword: 'a-third-password' })
    expect(again.status).toBe(400)
    expect(again.body).toEqual(INVALID_BODY)
    await app().drain()
    expect(app().standins.mails(member.email)[0]?.subject).toBe('Your password was changed')
  })

  test('of fifty concurrent uses of one link, one succeeds', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const link = await linkFor(member.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reset({ ...link, newPassword: `veranda-number-${index}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(400)
      expect(body).toEqual(INVALID_BODY)
    }
  })

  test('the link expires after exactly one hour', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const link = await linkFor(member.email)
    await app().advance(HOUR_MS + 1_000)
    expect((await reset({ ...link, newPassword: NEW })).body).toEqual(INVALID_BODY)
  })

  test('a newer link replaces the older one', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const older = await linkFor(member.email)
    const newer = await linkFor(member.email)
    expect((await reset({ ...older, newPassword: NEW })).body).toEqual(INVALID_BODY)
    expect((await reset({ ...newer, newPassword: NEW })).status).toBe(200)
  })

  test('a link works for its own account only', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const other = await app().browser().join({ levelKey: 'medical_student' })
    const { token } = await linkFor(member.email)
    const { userId } = await linkFor(other.email)
    expect((await reset({ token, userId, newPassword: NEW })).body).toEqual(INVALID_BODY)
  })

  test('verification tokens, session tokens and truncated links are rejected', async () => {
    const browser = app().browser()
    const member = await browser.join({ levelKey: 'medical_student' })
    const { token, userId } = await linkFor(member.email)
    const { person } = await app().browser().register()
    const verification = await app().browser().linkInMail(person.email, '/email-verification')
    const tokens = [
      token.slice(0, -1),
      `${token}x`,
      verification.searchParams.get('token'),
      browser.token,
      'x',
      '0'.repeat(43),
    ]
    for (const wrong of tokens)
      expect((await reset({ token: wrong, userId, newPassword: NEW })).body).toEqual(INVALID_BODY)
    expect((await reset({ token, userId, newPassword: NEW })).status).toBe(200)
  })

  test('an account deactivated since the request is rejected', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const link = await linkFor(member.email)
    await deactivate(app(), member.email, 'officer')
    expect((await reset({ ...link, newPassword: NEW })).body).toEqual(INVALID_BODY)
  })

  test('a rejected password does not use up the link', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const link = await linkFor(member.email)
    for (const [newPassword, sentence] of [
      ['12345', 'Password must be at least 6 characters long'],
      ['', 'New password is required'],
      ['qwerty123', 'This password is too common. Please choose another.'],
      [member.username, 'Please choose a password that is not your name, username or email address.'],
    ]) {
      const { status, body } = await reset({ ...link, newPassword })
      expect(status).toBe(400)
      expect(body).toEqual({
        success: false,
        error: sentence,
        message: sentence,
        code: 'INVALID_INPUT',
        errors: { newPassword: sentence },
      })
    }
    expect((await reset({ ...link, newPassword: NEW })).status).toBe(200)
  })

  test('an incomplete link is reported first', async () => {
    const { status, body } = await reset({})
    expect(status).toBe(400)
    expect(Object.keys(body.errors as object)).toEqual(['token', 'userId', 'newPassword'])
    expect(body.message).toBe(INVALID)
  })

  test('the database contains no link or password in plain text', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const link = await linkFor(member.email)
    expect(await dumpDatabase(app().database)).not.toContain(link.token)
    await reset({ ...link, newPassword: 'never-in-the-clear' })
    expect(await dumpDatabase(app().database)).not.toContain('never-in-the-clear')
  })
})

test('the email of a link that was already used is not sent', async () => {
  const member = await app().browser().join({ levelKey: 'medical_student' })
  await app().standins.control({ mail: 'temporary' })
  await ask(member.email)
  await app().drain()
  const [token] = await app()
    .database.db.selectFrom('oneTimeToken')
    .selectAll()
    .where('purpose', '=', 'password_reset')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .execute()
  await app()
    .database.db.updateTable('oneTimeToken')
    .set({ usedAt: app().now() })
    .where('id', '=', token?.id ?? '')
    .execute()
  await app().standins.control({ mail: 'ok' })
  await app().advance(10_000)
  await app().drain()
  expect(
    app()
      .standins.mails(member.email)
      .map(({ subject }) => subject),
  ).not.toContain('Choose a new password')
})
