import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

async function codeInMail(email: string): Promise<string> {
  await app().drain()
  const [mail] = app().standins.mails(email)
  return /\b(\d{3} \d{3})\b/.exec(mail?.text ?? '')?.[1] ?? ''
}

function start(browser: TestBrowser, email: string) {
  return browser.post('/api/stripe/checkout/start', { levelKey: 'medical_student', email })
}

describe('who is granted payment after verifying (docs/product-rules.md#proof-before-a-session)', () => {
  test('the browser that registered, by its cookie, for 30 minutes', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    const answer = await mine.verify(person.email)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      alreadyVerified: false,
      user: {
        _id: expect.any(String) as string,
        username: person.username,
        email: person.email,
        name: { first: 'Meera', last: 'Raghuvanshi' },
      },
      next: 'checkout',
      nextLevelKey: 'medical_student',
      granted: true,
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^grant=[^;]+; Max-Age=1800; Path=\/api; HttpOnly; SameSite=Lax$/)
    await app().advance(HOUR_MS / 2 - 1_000)
    expect((await start(mine, person.email)).body.completed).toBe(true)
  })

  test('the grant expires after 30 minutes; verifying again renews it', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    await mine.verify(person.email)
    await app().advance(HOUR_MS / 2 + 1_000)
    const refused = await start(mine, person.email)
    expect(refused.status).toBe(403)
    expect(refused.body.code).toBe('VERIFICATION_REQUIRED')
    expect((await mine.verify(person.email)).body).toMatchObject({ alreadyVerified: true, granted: true })
    expect((await start(mine, person.email)).body.completed).toBe(true)
  })

  test('not a mail scanner: it verifies without a grant, and the person can continue', async () => {
    const mine = app().browser()
    const scanner = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    for (let visit = 0; visit < 3; visit++) {
      const answer = await scanner.verify(person.email)
      expect(answer.status).toBe(200)
      expect(answer.body.granted).toBe(false)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(JSON.stringify(answer.body)).not.toContain('token')
    }
    expect((await start(scanner, person.email)).status).toBe(403)
    expect((await mine.verify(person.email)).body).toMatchObject({
      alreadyVerified: true,
      next: 'checkout',
      granted: true,
    })
    expect((await start(mine, person.email)).body.completed).toBe(true)
  })

  test('another device with the registration’s password', async () => {
    const { person } = await app().browser().register({ levelKey: 'medical_student' })
    const phone = app().browser()
    expect((await phone.verify(person.email)).body.granted).toBe(false)
    const answer = await phone.verify(person.email, { password: person.password })
    expect(answer.body).toMatchObject({ alreadyVerified: true, granted: true })
    expect((await start(phone, person.email)).body.completed).toBe(true)
  })

  test('not with a wrong password; after ten, not for a while', async () => {
    const { person } = await app().browser().register()
    const thief = app().browser()
    for (let guess = 0; guess < 10; guess++) {
      const answer = await thief.verify(person.email, { password: `guess-${guess}` })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        message: 'Password is incorrect',
        code: 'INVALID_INPUT',
        errors: { password: 'Password is incorrect' },
      })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const refused = await thief.verify(person.email, { password: person.password })
    expect(refused.status).toBe(429)
    expect(refused.headers.getSetCookie()).toEqual([])
  })

  test('anyone who enters the code from the email, with or without its space', async () => {
    for (const gap of [' ', '', '-']) {
      const { person } = await app().browser().register({ levelKey: 'medical_student' })
      const phone = app().browser()
      const code = (await codeInMail(person.email)).replace(' ', gap)
      const answer = await phone.post('/api/auth/verify-email', { email: person.email.toUpperCase(), code })
      expect(answer.body).toMatchObject({ next: 'checkout', granted: true, user: { email: person.email } })
      expect((await start(phone, person.email)).body.completed).toBe(true)
    }
  })

  test('not a stranger’s registration cookie', async () => {
    const stranger = app().browser()
    await stranger.register()
    const { person } = await app().browser().register()
    expect((await stranger.verify(person.email)).body.granted).toBe(false)
  })

  test('the grant covers only the verified address', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    const { person: other } = await app().browser().register()
    await app().browser().verify(other.email)
    await mine.verify(person.email)
    expect((await start(mine, other.email)).status).toBe(403)
    expect((await mine.post('/api/stripe/checkout/start', { levelKey: 'medical_student' })).status).toBe(403)
    expect((await start(mine, person.email)).body.completed).toBe(true)
  })
})

describe('a code', () => {
  test('wrong codes are reported under the field, limited to ten an hour', async () => {
    const { person } = await app().browser().register()
    const right = await codeInMail(person.email)
    const wrong = right === '123 456' ? '654321' : '123456'
    for (let guess = 0; guess < 10; guess++) {
      const answer = await app().browser().post('/api/auth/verify-email', { email: person.email, code: wrong })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual({ code: 'This code is not right or has expired.' })
    }
    const refused = await app().browser().post('/api/auth/verify-email', { email: person.email, code: right })
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', limit: 10, window: 3_600 })
  })

  test('entered after the account was created elsewhere: leads to log-in, and grants nothing', async () => {
    const mine = app().browser()
    const { person } = await mine.register({ levelKey: 'medical_student' })
    const code = await codeInMail(person.email)
    await mine.verify(person.email)
    await start(mine, person.email)
    const answer = await app().browser().post('/api/auth/verify-email', { email: person.email, code })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ alreadyVerified: true, next: 'login' })
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(JSON.stringify(answer.body)).not.toContain('token')
  })

  test('of another address is rejected', async () => {
    const { person } = await app().browser().register()
    const { person: other } = await app().browser().register()
    const answer = await app()
      .browser()
      .post('/api/auth/verify-email', { email: other.email, code: await codeInMail(person.email) })
    expect(answer.body.errors).toEqual({ code: 'This code is not right or has expired.' })
  })
})
