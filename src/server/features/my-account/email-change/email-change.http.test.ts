import { describe, expect, test } from 'vitest'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { DAY_MS, deactivate } from '#tests/support/people.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const PROFILE = '/api/account/profile'
const PASSWORD = 'monsoon-in-macon'
const ASKED = {
  message: 'Please open the email we sent to the new address. Nothing changes until you confirm it there.',
}
const INVALID = {
  message: 'This link no longer works. Please request the change of your email address again.',
  code: 'EMAIL_LINK_INVALID',
}

let addresses = 0
const newAddress = () => `Moved.${++addresses}@example.com`

async function member(given: Record<string, unknown> = {}) {
  const browser = app().browser()
  const person = await browser.join({ levelKey: 'medical_student', ...given })
  await app().drain()
  const ask = (email: string, password = PASSWORD) => browser.post('/api/account/email', { email, password })
  return { browser, ask, ...person }
}

const linkTo = async (email: string) => secretIn(await app().browser().linkInMail(email, '/auth/confirm-email'))
const confirm = (token: string) => app().browser().post('/api/account/email/confirm', { token })
const subjectsSentTo = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject)

describe('changing the email address of an account', () => {
  test('takes effect once the link in the email was opened; the former address is notified', async () => {
    const { browser, ask, email, username } = await member()
    const moved = newAddress()
    expect(await ask(moved)).toMatchObject({ status: 200, body: ASKED })
    const token = await linkTo(moved)
    expect((await browser.get(PROFILE)).body.profile.email).toBe(email)
    expect(subjectsSentTo(email)).not.toContain('Your email address was changed')

    expect(await confirm(token)).toMatchObject({ status: 200, body: { email: moved } })
    expect((await browser.get(PROFILE)).body.profile).toMatchObject({ email: moved, username })
    expect((await app().browser().logIn(moved.toLowerCase())).status).toBe(200)
    expect((await app().browser().logIn(username)).status).toBe(200)
    expect((await app().browser().logIn(email)).status).toBe(401)
    await app().drain()
    expect(subjectsSentTo(email)[0]).toBe('Your email address was changed')
    expect(app().standins.mails(email)[0]?.text).not.toContain(moved)
  })

  test('another account can then use the former address', async () => {
    const { ask, email } = await member()
    const moved = newAddress()
    await ask(moved)
    await confirm(await linkTo(moved))
    const other = await member({ email })
    expect((await other.browser.get(PROFILE)).body.profile.email).toBe(email)
  })

  test('a username that is the address moves with it (docs/product-rules.md#usernames)', async () => {
    const { browser, ask, email } = await member()
    await browser.call('PUT', PROFILE, { username: email, name: { first: 'Ana', last: 'Rao' } })
    const moved = newAddress()
    await ask(moved)
    await confirm(await linkTo(moved))
    expect((await browser.get(PROFILE)).body.profile).toMatchObject({ email: moved, username: moved })
    expect((await app().browser().logIn(moved)).status).toBe(200)
    expect((await app().browser().logIn(email)).status).toBe(401)
  })

  test('the card provider’s customer gets the new address, even if the provider is unavailable at first', async () => {
    const { ask, email } = await member({ levelKey: 'annual_member' })
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    const customersAt = (address: string) =>
      app()
        .standins.stripe.customers()
        .filter((one) => 'email' in one && one.email === address)
    await app().standins.control({ stripe: 'refuse' })
    await confirm(token)
    await app().drain()
    expect(customersAt(moved)).toHaveLength(0)
    await app().standins.control({ stripe: 'ok' })
    await app().advance(60_000)
    await app().drain()
    expect(customersAt(moved)).toHaveLength(1)
    expect(customersAt(email)).toHaveLength(0)
  })
})

describe('the link', () => {
  test('works once', async () => {
    const { ask } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await confirm(token)).toMatchObject({ status: 410, body: INVALID })
  })

  test('works for 24 hours', async () => {
    const { ask } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    await app().advance(DAY_MS + 1)
    expect(await confirm(token)).toMatchObject({ status: 410, body: INVALID })
  })

  test('is invalidated by a newer one', async () => {
    const { browser, ask } = await member()
    const [first, second] = [newAddress(), newAddress()]
    await ask(first)
    const older = await linkTo(first)
    await ask(second)
    const newer = await linkTo(second)
    expect((await confirm(older)).status).toBe(410)
    expect((await confirm(newer)).status).toBe(200)
    expect((await browser.get(PROFILE)).body.profile.email).toBe(second)
  })

  test('is invalidated by a changed or reset password: a stranger who requested it gains nothing', async () => {
    const { browser, ask, email } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    const change = await browser.call('PUT', '/api/account/password', {
      currentPassword: PASSWORD,
      newPassword: 'a-quieter-veranda',
    })
    browser.token = change.body.token as string
    expect((await confirm(token)).status).toBe(410)

    const again = newAddress()
    await browser.post('/api/account/email', { email: again, password: 'a-quieter-veranda' })
    const second = await linkTo(again)
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    const reset = await visitor.linkInMail(email, '/reset-password')
    await visitor.post('/api/email/reset-password', {
      ...Object.fromEntries(reset.searchParams),
      newPassword: 'the-owner-is-back',
    })
    expect((await confirm(second)).status).toBe(410)
  })

  test('invalidates password reset links sent to the former address', async () => {
    const { ask, email } = await member()
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    const reset = await visitor.linkInMail(email, '/reset-password')
    const moved = newAddress()
    await ask(moved)
    await confirm(await linkTo(moved))
    const late = await visitor.post('/api/email/reset-password', {
      ...Object.fromEntries(reset.searchParams),
      newPassword: 'reader-of-the-old-mailbox',
    })
    expect(late.body.code).toBe('RESET_LINK_INVALID')
  })

  test('is stored as a hash, and links for other purposes are rejected', async () => {
    const { ask, email } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    expect(await dumpDatabase(app().database)).not.toContain(token)
    const visitor = app().browser()
    await visitor.post('/api/email/forgot-password', {
      email,
      recaptchaToken: await visitor.botToken('password_reset'),
    })
    const reset = await visitor.linkInMail(email, '/reset-password')
    for (const wrong of [reset.searchParams.get('token') ?? '', token.slice(0, -1), 'x'.repeat(43), email]) {
      expect(await confirm(wrong)).toMatchObject({ status: 410, body: INVALID })
    }
  })

  test('of a deactivated account has no effect', async () => {
    const { ask, email } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    await deactivate(app(), email, 'officer')
    expect((await confirm(token)).status).toBe(410)
  })
})

describe('an address that already has an account', () => {
  test('gets the same response; its owner is notified, and no link is sent', async () => {
    const [ana, meera] = [await member(), await member()]
    const free = await ana.ask(newAddress())
    const taken = await ana.ask(meera.email.toUpperCase())
    expect([taken.status, taken.body]).toEqual([free.status, free.body])
    await app().drain()
    const [note] = app().standins.mails(meera.email)
    expect(note?.subject).toBe('Someone asked to use your email address')
    expect(note?.text).not.toContain('confirm-email')
    expect((await ana.browser.get(PROFILE)).body.profile.email).toBe(ana.email)
  })

  test('of a deactivated account: its owner gets an email that names the contact', async () => {
    const [ana, meera] = [await member(), await member()]
    await deactivate(app(), meera.email, 'officer')
    expect((await ana.ask(meera.email)).body).toEqual(ASKED)
    await app().drain()
    expect(subjectsSentTo(meera.email)[0]).toBe('About your account')
  })

  test('taken after the email was sent: the link has no effect', async () => {
    const { browser, ask, email } = await member()
    const moved = newAddress()
    await ask(moved)
    const token = await linkTo(moved)
    await member({ email: moved })
    expect(await confirm(token)).toMatchObject({ status: 410, body: INVALID })
    expect((await browser.get(PROFILE)).body.profile.email).toBe(email)
  })

  test('requested by two accounts concurrently: only one gets it', async () => {
    const [ana, meera] = [await member(), await member()]
    const moved = newAddress()
    await ana.ask(moved)
    const first = await linkTo(moved)
    await meera.ask(moved)
    const second = await linkTo(moved)
    const answers = await Promise.all([confirm(first), confirm(second)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410])
  })
})

describe('what is rejected', () => {
  test.each([
    [{}, { email: 'Email is required', password: 'Password is required' }],
    [{ email: 'x', password: PASSWORD }, { email: 'Please enter a valid email address' }],
    [{ email: 'new@example.com', password: 'not it' }, { password: 'Password is incorrect' }],
  ])('%j', async (body, errors) => {
    const { browser } = await member()
    const answer = await browser.post('/api/account/email', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ message: Object.values(errors)[0], code: 'INVALID_INPUT', errors })
    expect((await browser.get(PROFILE)).status).toBe(200)
  })

  test('the current address', async () => {
    const { ask, email } = await member()
    expect((await ask(email.toUpperCase())).body.errors).toEqual({ email: 'This is already your email address.' })
  })

  test('more than three requests an hour per account; emails to one address stop silently', async () => {
    const { ask } = await member()
    for (let time = 0; time < 3; time++) expect((await ask(newAddress())).status).toBe(200)
    expect((await ask(newAddress())).status).toBe(429)

    const flooded = newAddress()
    for (let time = 0; time < 4; time++) {
      const other = await member()
      expect((await other.ask(flooded)).body).toEqual(ASKED)
      await app().drain()
    }
    expect(subjectsSentTo(flooded)).toHaveLength(3)
  })
})
