import { changeRecord } from '#tests/support/content/stored-records.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { sponsorLimits } from '#contract/public/sponsors.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { SPONSOR_PATH, sponsorSessions, sponsorForm, startSponsoring } from '#tests/support/sponsors.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
afterEach(() => app().standins.control({ stripe: 'ok', bot: 'ok' }))

const start = (over?: Record<string, unknown>, visitor?: TestBrowser) => startSponsoring(app(), over, visitor)
const sessionsOf = (email: string) => sponsorSessions(app(), email)

const rowsOf = (email: string) =>
  app().database.db.selectFrom('sponsorship').selectAll().where('email', '=', email).execute()

describe('card testing (docs/product-rules.md#card-testing)', () => {
  test('thirty per hour and IP address with the form’s token, ten without', async () => {
    const visitor = app().browser()
    const { formToken } = (await visitor.get('/api/sponsor/form-token')).body
    await app().advance(sponsorLimits.formTokenMinAgeMs)
    for (let turn = 0; turn < 10; turn++) expect((await start({}, visitor)).answer.status).toBe(200)
    const bare = (await start({}, visitor)).answer
    expect(bare.status).toBe(429)
    expect(bare.body).toMatchObject({ code: 'RATE_LIMITED', limit: 10, window: 3_600 })
    expect(Number(bare.headers.get('retry-after'))).toBe(bare.body.retryAfter)
    for (let turn = 0; turn < 19; turn++) expect((await start({ formToken }, visitor)).answer.status).toBe(200)
    expect((await start({ formToken }, visitor)).answer.body).toMatchObject({ code: 'RATE_LIMITED', limit: 30 })
    await app().advance(HOUR_MS)
    expect((await start({}, visitor)).answer.status).toBe(200)
  })

  test('five per hour and email address in any spelling, not counting retries after a failure', async () => {
    const email = 'often@example.com'
    const order = sponsorForm({ email })
    await app().standins.control({ stripe: 'error' })
    for (let turn = 0; turn < 7; turn++) expect((await app().browser().post(SPONSOR_PATH, order)).status).toBe(502)
    await app().standins.control({ stripe: 'ok' })
    expect((await app().browser().post(SPONSOR_PATH, order)).status).toBe(200)
    for (let turn = 1; turn < 5; turn++) {
      expect((await start({ email: 'Often@Example.com', message: `${turn}` })).answer.status).toBe(200)
    }
    expect((await start({ email, message: '5' })).answer.body).toMatchObject({ code: 'RATE_LIMITED', limit: 5 })
  })

  test.each([
    ['used at once', async (token: string) => token],
    ['of another day', async (token: string) => (await app().advance(5 * HOUR_MS), token)],
    ['changed', async (token: string) => (await app().advance(3_000), token.replace(/^./, 'z'))],
    ['made up', async () => 'abc.def'],
    ['empty', async () => ''],
  ])('a form token %s is rejected', async (_, change) => {
    const { formToken } = (await app().browser().get('/api/sponsor/form-token')).body
    const { answer } = await start({ formToken: await change(formToken as string) })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('FORM_TOKEN_INVALID')
  })

  test('a request with the hidden field filled in gets a fake success and no session', async () => {
    const { body, answer } = await start({ homepage: 'https://spam.example' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ sessionUrl: 'http://localhost:3000/sponsor/cancel' })
    expect(sessionsOf(body.email)).toEqual([])
    expect(await rowsOf(body.email)).toEqual([])
  })

  test('a bot-check token is checked if sent, and an outage of the bot check blocks no sponsor', async () => {
    const visitor = app().browser()
    const passed = await visitor.botToken('sponsor_checkout')
    expect((await start({ recaptchaToken: passed }, visitor)).answer.status).toBe(200)
    expect((await start({ recaptchaToken: passed }, visitor)).answer.body.code).toBe('BOT_CHECK_FAILED')
    const low = await visitor.botToken('sponsor_checkout', 0.4)
    expect((await start({ recaptchaToken: low }, visitor)).answer.status).toBe(400)
    const foreign = await visitor.botToken('contact_form')
    expect((await start({ recaptchaToken: foreign }, visitor)).answer.status).toBe(400)
    await app().standins.control({ bot: 'error' })
    expect((await start({ recaptchaToken: 'any' }, visitor)).answer.status).toBe(200)
  })

  test('the overall limit leaves room for sponsors who passed the bot check; the officers are alerted once', async () => {
    await using flooded = await createTestApp()
    const { db } = flooded.database
    await changeRecord(db, settingKind('rateLimits'), (value) => ({
      ...value,
      sponsorCheckoutUnproven: { limit: 20, windowSeconds: 3_600 },
      sponsorCheckoutOverall: { limit: 24, windowSeconds: 3_600 },
    }))
    await db
      .updateTable('contentVersion')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute()
    await flooded.app.refreshContent()
    const statuses: number[] = []
    for (let turn = 0; turn < 90; turn++)
      statuses.push((await flooded.browser().post(SPONSOR_PATH, sponsorForm())).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]))
    const sponsor = flooded.browser()
    const recaptchaToken = await sponsor.botToken('sponsor_checkout')
    expect((await sponsor.post(SPONSOR_PATH, sponsorForm({ recaptchaToken }))).status).toBe(200)
    await flooded.drain()
    const alerts = flooded.standins.mails('office@example.org').map(({ subject }) => subject)
    expect(alerts).toEqual(['Website alert: Someone may be testing stolen cards'])
    expect(flooded.standins.stripe.sessions()).toHaveLength(21)
  })
})
