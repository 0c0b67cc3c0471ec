import { afterEach, describe, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { requeueCopy } from '#server/jobs/outbox-records.repository.ts'
import { DAY_MS, HOUR_MS } from '#tests/support/people.ts'
import { secretIn } from '#tests/support/emails/secret-in.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { sendPasswordReset } from './auth.emails.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ mail: 'ok' }))

const MINUTE_MS = 60_000
const PASSWORD = 'monsoon-in-macon'
const NEW = 'a-quieter-veranda'

/** Delays the emails queued by `work`, then sends them. */
async function whileMailIsAway(ms: number, work: () => Promise<unknown>): Promise<void> {
  await app().standins.control({ mail: 'temporary' })
  await work()
  await app().drain()
  await app().advance(ms)
  await app().standins.control({ mail: 'ok' })
  await app().drain()
}

async function forgot(email: string) {
  const visitor = app().browser()
  await visitor.post('/api/email/forgot-password', { email, recaptchaToken: await visitor.botToken('password_reset') })
}

async function reset(email: string) {
  return useResetLink(await app().browser().linkInMail(email, '/reset-password'))
}

async function useResetLink(link: URL) {
  const { token, userId } = Object.fromEntries(link.searchParams)
  return (await app().browser().post('/api/email/reset-password', { token, userId, newPassword: NEW })).status
}

/** A registration whose emails have all been sent. */
async function member() {
  const person = await app().browser().join({ levelKey: 'medical_student' })
  await app().drain()
  return person
}

describe('the lifetime of a link starts when its email is sent', () => {
  test('a reset link delayed by three hours works for an hour', async () => {
    const { email } = await member()
    await whileMailIsAway(3 * HOUR_MS, () => forgot(email))
    await app().advance(59 * MINUTE_MS)
    expect(await reset(email)).toBe(200)
  })

  test('and expires after that hour', async () => {
    const { email } = await member()
    await whileMailIsAway(3 * HOUR_MS, () => forgot(email))
    await app().advance(61 * MINUTE_MS)
    expect(await reset(email)).toBe(400)
  })

  test('sending an email again does not extend the link, and is skipped once the link has expired', async () => {
    const { email } = await member()
    await forgot(email)
    await app().drain()
    const { db } = app().database
    const { id } = await db
      .selectFrom('outbox')
      .select('id')
      .where('kind', '=', 'email.password_reset')
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    await app().advance(50 * MINUTE_MS)
    await requeueCopy(db, id, app().now())
    await app().drain()
    const sent = app().standins.mails(email).length
    await app().advance(11 * MINUTE_MS)
    await requeueCopy(db, id, app().now())
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(sent)
    expect(await reset(email)).toBe(400)
  })

  test('an email that could not be sent for days is not sent at all', async () => {
    const { email } = await member()
    await app().standins.control({ mail: 'permanent' })
    await forgot(email)
    await app().drain()
    await app().standins.control({ mail: 'ok' })
    await app().advance(6 * DAY_MS)
    const { db } = app().database
    const { payload } = await db
      .selectFrom('outbox')
      .select('payload')
      .where('kind', '=', 'email.password_reset')
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    const before = app().standins.mails(email).length
    await addToOutbox(
      db,
      { effect: sendPasswordReset, payload: JSON.parse(payload) as { tokenId: string } },
      app().now(),
    )
    await app().drain()
    expect(app().standins.mails(email)).toHaveLength(before)
  })

  test('a verification link delayed by 30 hours works for 24 hours, with its code, its registration and its username', async () => {
    const browser = app().browser()
    let email = ''
    let username = ''
    await whileMailIsAway(30 * HOUR_MS, async () => ({ email, username } = (await browser.register()).person))
    await app().advance(23 * HOUR_MS)
    const rival = await app().browser().register({ username })
    expect(rival).toMatchObject({ status: 409, body: { code: 'USERNAME_TAKEN' } })
    const code = /\b\d{6}\b|\b\d{3} \d{3}\b/.exec(app().standins.mails(email)[0]?.text ?? '')?.[0]
    expect((await browser.post('/api/auth/verify-email', { email, code })).status).toBe(200)
    expect((await browser.verify(email)).body).toMatchObject({ alreadyVerified: true, next: 'checkout' })
  })

  test('a registration whose email was sent immediately expires after 24 hours, however often the email is requested', async () => {
    const browser = app().browser()
    const { person } = await browser.register()
    await app().drain()
    for (let hours = 0; hours < 24; hours += 8) {
      const recaptchaToken = await browser.botToken('resend_verification')
      await browser.post('/api/auth/resend-verification', { email: person.email, recaptchaToken })
      await app().drain()
      await app().advance(8 * HOUR_MS + MINUTE_MS)
    }
    expect((await browser.verify(person.email)).body).toMatchObject({ code: 'REGISTRATION_EXPIRED' })
  })

  test('a link to a new address delayed by two days works for a day', async () => {
    const browser = app().browser()
    await browser.join({ levelKey: 'medical_student' })
    const moved = 'moved.late@example.com'
    await whileMailIsAway(2 * DAY_MS, () => browser.post('/api/account/email', { email: moved, password: PASSWORD }))
    await app().advance(23 * HOUR_MS)
    const link = await app().browser().linkInMail(moved, '/auth/confirm-email')
    const token = secretIn(link)
    expect((await app().browser().post('/api/account/email/confirm', { token })).status).toBe(200)
  })

  test('an invitation delayed by three days works for fourteen days', async () => {
    const { email } = await member()
    const { db } = app().database
    const account = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const invitations = app().app.services.invitations
    await whileMailIsAway(3 * DAY_MS, () =>
      db.transaction().execute((tx) => invitations.invite(tx, account.id, app().now())),
    )
    const link = await app().browser().linkInMail(email, '/reset-password')
    await app().advance(13 * DAY_MS)
    expect(await useResetLink(link)).toBe(200)
  })

  test('a newsletter confirmation delayed by two days works like a new one', async () => {
    const email = `${newId(app().now())}@example.com`
    await whileMailIsAway(2 * DAY_MS, async () => {
      const visitor = app().browser()
      const recaptchaToken = await visitor.botToken('newsletter_subscribe')
      await visitor.post('/api/newsletter/subscribe', { email, source: 'footer', recaptchaToken })
    })
    await app().advance(DAY_MS)
    const link = await app().browser().linkInMail(email, '/newsletter/confirm')
    const token = secretIn(link)
    expect((await app().browser().post('/api/newsletter/confirm', { token })).status).toBe(200)
  })
})
