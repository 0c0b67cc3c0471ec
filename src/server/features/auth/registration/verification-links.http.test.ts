import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const LINK_EXPIRED = {
  message: 'This verification link has expired. Please request a new one.',
  code: 'LINK_EXPIRED',
}
const REGISTRATION_EXPIRED = {
  message: 'Your registration has expired. Please register again.',
  code: 'REGISTRATION_EXPIRED',
}

async function codeInMail(email: string): Promise<string> {
  await app().drain()
  const [mail] = app().standins.mails(email)
  return /\b(\d{3} \d{3})\b/.exec(mail?.text ?? '')?.[1] ?? ''
}

async function tokenInMail(email: string): Promise<string> {
  const link = await app().browser().linkInMail(email, '/email-verification')
  return link.searchParams.get('token') ?? ''
}

function start(browser: TestBrowser, email: string) {
  return browser.post('/api/stripe/checkout/start', { levelKey: 'medical_student', email })
}

describe('expiry and repetition', () => {
  test('the second call reports it, with the same next step (docs/product-rules.md#links-change-nothing)', async () => {
    const mine = app().browser()
    const { person } = await mine.register()
    await mine.verify(person.email)
    const again = await mine.verify(person.email)
    expect(again.body).toMatchObject({
      alreadyVerified: true,
      next: 'checkout',
      nextLevelKey: 'annual_member',
      granted: true,
    })
  })

  test('after 24 hours unverified, the person must register again (docs/product-rules.md#pending-registrations)', async () => {
    const mine = app().browser()
    const { person } = await mine.register()
    const token = await tokenInMail(person.email)
    const code = await codeInMail(person.email)
    await app().advance(DAY_MS + 1_000)
    const answer = await mine.post('/api/auth/verify-email', { token })
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual(REGISTRATION_EXPIRED)
    const byCode = await mine.post('/api/auth/verify-email', { email: person.email, code })
    expect(byCode.body.errors).toEqual({ code: 'This code is not right or has expired.' })
  })

  test('verifying in the last minute extends the registration by 24 hours, and no longer (docs/product-rules.md#pending-registrations)', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    const token = await tokenInMail(person.email)
    await app().advance(DAY_MS - 60_000)
    expect((await mine.post('/api/auth/verify-email', { token })).status).toBe(200)
    await app().advance(DAY_MS - 60_000)
    expect((await mine.post('/api/auth/verify-email', { token, password: person.password })).body.granted).toBe(true)
    await app().advance(120_000)
    expect((await start(mine, person.email)).body.code).toBe('REGISTRATION_EXPIRED')
    expect((await mine.post('/api/auth/verify-email', { token })).body).toEqual(REGISTRATION_EXPIRED)
  })

  test('for an active account: log in, and no token is granted (docs/product-rules.md#proof-before-a-session, docs/product-rules.md#checkout-after-verification)', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    const token = await tokenInMail(person.email)
    await mine.post('/api/auth/verify-email', { token })
    await start(mine, person.email)
    const answer = await mine.post('/api/auth/verify-email', { token })
    expect(answer.body).toMatchObject({ alreadyVerified: true, next: 'login', granted: false })
    expect(answer.body).not.toHaveProperty('nextLevelKey')
    expect(answer.headers.getSetCookie()).toEqual([])
    const again = await start(mine, person.email)
    expect(again.status).toBe(409)
    expect(again.body).toEqual({ message: 'You are already a member. Please log in.', code: 'ALREADY_A_MEMBER' })
  })
})

test('the code of a completed registration: log in, instead of "not right" (docs/product-rules.md#links-change-nothing)', async () => {
  const { person } = await app().browser().register({ levelKey: 'medical_student' })
  const code = await codeInMail(person.email)
  const phone = app().browser()
  await phone.post('/api/auth/verify-email', { email: person.email, code })
  await start(phone, person.email)
  const laptop = await app().browser().post('/api/auth/verify-email', { email: person.email, code })
  expect(laptop.body).toMatchObject({ alreadyVerified: true, next: 'login', granted: false })
  expect(laptop.headers.getSetCookie()).toEqual([])
})

describe('invalid links', () => {
  test.each(['x', 'x'.repeat(43), 'x'.repeat(512), '__proto__', "' or 1=1 --"])('%s', async (token) => {
    const answer = await app().browser().post('/api/auth/verify-email', { token })
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual(LINK_EXPIRED)
  })

  test.each([
    [{}, 'token', 'This link is incomplete. Please open the link in the email again.'],
    [{ token: '' }, 'token', 'This link is incomplete. Please open the link in the email again.'],
    [{ token: 'x'.repeat(513) }, 'token', 'Please use ordinary characters only.'],
    [{ email: 'a@b.example', code: ' ' }, 'code', 'Please enter the 6-digit code from the email.'],
    [{ email: 'a@b.example', code: '1'.repeat(17) }, 'code', 'This code is not right or has expired.'],
    [{ email: 'a', code: '123456' }, 'email', 'Please enter a valid email address'],
  ])('%j is refused under %s', async (body, field, sentence) => {
    const answer = await app().browser().post('/api/auth/verify-email', body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toEqual({ [field]: sentence })
  })

  test('a reset link is not a verification link', async () => {
    const member = await app().browser().join({ levelKey: 'medical_student' })
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email: member.email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    const link = await visitor.linkInMail(member.email, '/reset-password')
    const answer = await visitor.post('/api/auth/verify-email', { token: link.searchParams.get('token') })
    expect(answer.body).toEqual(LINK_EXPIRED)
  })
})
