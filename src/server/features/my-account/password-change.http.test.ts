import { describe, expect, test } from 'vitest'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const PROFILE = '/api/account/profile'
const OLD = 'monsoon-in-macon'
const NEW = 'a-quieter-veranda'
const INCORRECT = 'Current password is incorrect'

async function member() {
  const browser = app().browser()
  const person = await browser.join({ levelKey: 'medical_student' })
  const change = (body: unknown) => browser.call('PUT', '/api/account/password', body)
  return { browser, change, ...person }
}

describe('changing the password (docs/product-rules.md#server-checks-of-a-token)', () => {
  test('invalidates all older tokens, gives the caller a new one, and the new password logs in', async () => {
    const { browser, change, email } = await member()
    const phone = app().browser()
    await phone.logIn(email)
    const old = browser.token
    const { status, body } = await change({ currentPassword: OLD, newPassword: NEW })
    expect(status).toBe(200)
    expect(Object.keys(body as object)).toEqual(['token'])
    expect((await phone.get(PROFILE)).body.code).toBe('SESSION_EXPIRED')
    expect((await browser.get(PROFILE)).body.code).toBe('SESSION_EXPIRED')
    expect(browser.token).toBe(old)
    browser.token = body.token as string
    expect((await browser.get(PROFILE)).status).toBe(200)
    expect((await app().browser().logIn(email, OLD)).status).toBe(401)
    expect((await app().browser().logIn(email, NEW)).status).toBe(200)
  })

  test('notifies the owner by email, with a way to recover the account', async () => {
    const { change, email } = await member()
    await change({ currentPassword: OLD, newPassword: NEW })
    await app().drain()
    const [message] = app().standins.mails(email)
    expect(message?.subject).toBe('Your password was changed')
    expect(message?.text).toContain('If it was not you')
    expect(message?.text).toContain('http://localhost:3000/reset-password')
  })

  test('invalidates reset links sent before', async () => {
    const { browser, change, email } = await member()
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    const link = await browser.linkInMail(email, '/reset-password')
    await change({ currentPassword: OLD, newPassword: NEW })
    const reset = await visitor.post('/api/email/reset-password', {
      ...Object.fromEntries(link.searchParams),
      newPassword: 'yet-another-veranda',
    })
    expect(reset.body.code).toBe('RESET_LINK_INVALID')
  })

  test('of two concurrent changes, only one succeeds', async () => {
    const { change } = await member()
    const answers = await Promise.all([
      change({ currentPassword: OLD, newPassword: NEW }),
      change({ currentPassword: OLD, newPassword: 'another-veranda-yet' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('neither password is stored anywhere', async () => {
    const { change } = await member()
    await change({ currentPassword: OLD, newPassword: 'never-to-be-found-again' })
    expect(await dumpDatabase(app().database)).not.toMatch(/never-to-be-found-again|monsoon-in-macon/)
  })
})

describe('rejected changes keep the session (docs/product-rules.md#when-a-session-ends)', () => {
  test.each([
    [{}, { currentPassword: 'Current password is required', newPassword: 'New password is required' }],
    [{ currentPassword: '', newPassword: NEW }, { currentPassword: 'Current password is required' }],
    [{ currentPassword: OLD }, { newPassword: 'New password is required' }],
    [
      { currentPassword: OLD, newPassword: '12345' },
      { newPassword: 'New password must be at least 6 characters long' },
    ],
    [
      { currentPassword: OLD, newPassword: OLD },
      { newPassword: 'New password must be different from current password' },
    ],
    [{ currentPassword: OLD, newPassword: 'x'.repeat(129) }, { newPassword: 'Password cannot exceed 128 characters' }],
    [
      { currentPassword: OLD, newPassword: 'Password1' },
      { newPassword: 'This password is too common. Please choose another.' },
    ],
    [
      { currentPassword: OLD, newPassword: 'Raghuvanshi' },
      { newPassword: 'Please choose a password that is not your name, username or email address.' },
    ],
    [{ currentPassword: 'not it', newPassword: NEW }, { currentPassword: INCORRECT }],
    [{ currentPassword: 'x'.repeat(5_000), newPassword: NEW }, { currentPassword: INCORRECT }],
  ])('%j', async (body, errors) => {
    const { browser, change } = await member()
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: Object.values(errors)[0], code: 'INVALID_INPUT', errors })
    expect((await browser.get(PROFILE)).status).toBe(200)
  })

  test('after ten wrong passwords in 15 minutes, even the right one is rejected', async () => {
    const { browser, change, email } = await member()
    const guesses = []
    for (let guess = 0; guess < 10; guess++) {
      guesses.push((await change({ currentPassword: `guess ${guess}`, newPassword: NEW })).body.errors.currentPassword)
    }
    expect(new Set(guesses)).toEqual(new Set([INCORRECT]))
    for (const currentPassword of ['guess 11', OLD]) {
      const { status, body, headers } = await change({ currentPassword, newPassword: NEW })
      expect([status, body.code, body.limit, body.window]).toEqual([429, 'RATE_LIMITED', 10, 900])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await browser.get(PROFILE)).status).toBe(200)
    expect((await app().browser().logIn(email)).status).toBe(200)
    await app().advance(900_000)
    expect((await change({ currentPassword: OLD, newPassword: NEW })).status).toBe(200)
  })
})
