import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

async function resend(email: string) {
  const visitor = app().browser()
  return visitor.post('/api/auth/resend-verification', {
    email,
    recaptchaToken: await visitor.botToken('resend_verification'),
  })
}

describe('resending the verification email', () => {
  test('responds with 204 and emails a working link; the first link still works', async () => {
    const mine = app().browser()
    const { person } = await mine.register()
    const first = await mine.linkInMail(person.email, '/email-verification')
    const answer = await resend(person.email.toUpperCase())
    expect(answer.status).toBe(204)
    expect(answer.body).toBeNull()
    const second = await mine.linkInMail(person.email, '/email-verification')
    expect(second.href).not.toBe(first.href)
    for (const link of [second, first]) {
      const verified = await mine.post('/api/auth/verify-email', { token: link.searchParams.get('token') })
      expect(verified.body).toMatchObject({ next: 'checkout', granted: true })
    }
  })

  test('emails each pending registration of the address separately', async () => {
    const email = 'two-waiting@example.com'
    await app().browser().register({ email, username: 'waiting-one' })
    await app().browser().register({ email, username: 'waiting-two' })
    await resend(email)
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(4)
  })

  test('after three emails an hour to an address: the same response, no email', async () => {
    const { person } = await app().browser().register()
    for (let call = 0; call < 5; call++) expect((await resend(person.email)).status).toBe(204)
    await app().drain()
    expect(app().standins.mails(person.email)).toHaveLength(4)
    await app().advance(HOUR_MS + 1_000)
    await resend(person.email)
    await app().drain()
    expect(app().standins.mails(person.email)).toHaveLength(5)
  })

  test('the limit of three an hour also holds for many pending registrations: the newest are sent', async () => {
    const email = 'many-waiting@example.com'
    for (const username of ['waiting-a', 'waiting-b', 'waiting-c', 'waiting-d', 'waiting-e']) {
      await app().browser().register({ email, username })
    }
    await app().drain()
    const before = app().standins.mails(email).length
    expect((await resend(email)).status).toBe(204)
    await app().drain()
    const sent = app().standins.mails(email).slice(0, -before)
    expect(sent.map(({ text }) => /waiting-[a-e]/.exec(text)?.[0]).sort()).toEqual([
      'waiting-c',
      'waiting-d',
      'waiting-e',
    ])
    await resend(email)
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(before + 3)
  })

  test('tells a member about the existing account', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    await resend(member.email)
    await app().drain()
    expect(app().standins.mails(member.email)[0]?.subject).toBe('You already have an account')
  })

  test('with a bearer token and no body: 204 and no email, since there is nothing to verify', async () => {
    const member = app().browser()
    const person = await member.join({ levelKey: 'medical_student' })
    await app().drain()
    const before = app().standins.mails(person.email).length
    for (const body of [undefined, {}]) {
      expect((await member.post('/api/auth/resend-verification', body)).status).toBe(204)
    }
    await app().drain()
    expect(app().standins.mails(person.email)).toHaveLength(before)
  })

  test('requires an address and a bot check', async () => {
    const visitor = app().browser()
    const token = await visitor.botToken('resend_verification')
    const answer = await visitor.post('/api/auth/resend-verification', { recaptchaToken: token })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual({ email: 'Email is required' })
    for (const body of [undefined, {}, { email: 'a@b.example' }]) {
      const refused = await app().browser().post('/api/auth/resend-verification', body)
      expect(refused.status).toBe(400)
      expect(refused.body).toEqual({
        message: 'reCAPTCHA verification failed. Please try again.',
        code: 'BOT_CHECK_FAILED',
      })
    }
  })
})
