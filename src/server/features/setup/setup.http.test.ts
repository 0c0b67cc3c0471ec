import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { createSecrets } from '#server/lib/secrets.ts'
import { contentKinds } from '#server/features/content-store/content-kinds.registry.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { recordSecondFactor } from '#tests/support/officers.ts'
import { createTestApp, TEST_SESSION_SECRET, type TestApp } from '#tests/support/test-app.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { readProviderSettings } from './provider-settings.queries.ts'
import { issueSetupUrl } from './setup-code.service.ts'

const FIRST_STEPS = {
  associationName: 'Society of Bridge Builders',
  shortName: 'SBB',
  city: 'Leeds',
  country: 'GB',
  currency: 'gbp',
  timeZone: 'Europe/London',
  profile: 'engineers',
  partsOff: ['clinic', 'forum', 'scholarships'],
  firstName: 'Asha',
  lastName: 'Varma',
  email: 'asha@example.org',
  username: 'asha',
  password: 'a-bridge-over-the-aire',
}

async function newSite(restart = vi.fn()): Promise<{ app: TestApp; code: string; restart: typeof restart }> {
  const app = await createTestApp({ isClosed: true, onRestart: restart, environment: { SMTP_URL: '', MAIL_FROM: '' } })
  return { app, code: await newCode(app), restart }
}

async function newCode(app: TestApp): Promise<string> {
  const url = await issueSetupUrl(app.database.db, { siteUrl: 'https://www.example.org', now: app.now() })
  return new URL(url ?? '').searchParams.get('code') ?? ''
}

/** The first officer, in a session with a fresh second factor. */
async function firstOfficer(app: TestApp, code: string): Promise<TestBrowser> {
  const browser = app.browser()
  expect((await browser.post('/api/setup/enter', { code })).status).toBe(204)
  const begun = await browser.post('/api/setup/begin', FIRST_STEPS)
  expect(begun.status).toBe(201)
  browser.token = begun.body.token
  await recordSecondFactor(app, browser)
  return browser
}

const stepsOf = async (officer: TestBrowser): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    (await officer.get('/api/console/setup')).body.steps.map(({ step, isDone }: { step: string; isDone: boolean }) => [
      step,
      isDone,
    ]),
  )

describe('the set-up code', () => {
  test('works once, in one browser, for an hour; a new one replaces it', async () => {
    const { app, code } = await newSite()
    await using _ = app
    const second = await newCode(app)
    expect((await app.browser().post('/api/setup/enter', { code })).status).toBe(404)
    const browser = app.browser()
    expect((await app.browser().get('/api/setup')).status).toBe(404)
    expect((await browser.post('/api/setup/enter', { code: second })).status).toBe(204)
    expect((await browser.get('/api/setup')).body).toMatchObject({ hasOfficer: false })
    expect((await app.browser().post('/api/setup/enter', { code: second })).status).toBe(404)
    const late = await newCode(app)
    await app.advance(3_600_000)
    expect((await app.browser().post('/api/setup/enter', { code: late })).status).toBe(404)
  })

  test('used at the same moment by many, is used by one', async () => {
    const { app, code } = await newSite()
    await using _ = app
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.browser().post('/api/setup/enter', { code })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404, 404])
  })
})

describe('the first steps', () => {
  test('fill the site with the chosen texts, name the association and log its first officer in', async () => {
    const { app, code, restart } = await newSite()
    await using _ = app
    const officer = await firstOfficer(app, code)
    expect((await officer.get('/api/console/me')).body).toMatchObject({ name: 'Asha Varma', roles: ['president'] })
    const { association, region } = await settingsOf(app)
    expect(association).toMatchObject({ name: 'Society of Bridge Builders', address: { city: 'Leeds' } })
    expect(region).toEqual({ country: 'GB', currency: 'gbp', timeZone: 'Europe/London' })
    const levels = await app.database.db.selectFrom('membershipLevel').select(['currency', 'isOnSale']).execute()
    expect(new Set(levels.map(({ currency }) => currency))).toEqual(new Set(['gbp']))
    expect(levels.every(({ isOnSale }) => isOnSale === 1)).toBe(true)
    const words = JSON.stringify(await Promise.all(contentKinds.map((kind) => listRecords(app.database.db, kind))))
    expect(words).not.toMatch(/physician|Norcross/i)
    // The days of the site are those of the time zone it started with.
    await vi.waitFor(() => expect(restart).toHaveBeenCalledOnce())
  })

  test('end with the first officer: neither this browser nor a new code makes another', async () => {
    const { app, code } = await newSite()
    await using _ = app
    const browser = app.browser()
    await browser.post('/api/setup/enter', { code })
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((username) =>
        browser.post('/api/setup/begin', { ...FIRST_STEPS, username, email: `${username}@example.org` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(await issueSetupUrl(app.database.db, { siteUrl: '', now: app.now() })).toBeNull()
  })

  test.each([
    ['password', { password: 'short' }, 400],
    ['password', { password: 'leedsleeds1' }, 400],
    ['timeZone', { timeZone: 'Mars/Olympus' }, 400],
    ['currency', { currency: 'xyz' }, 400],
    ['country', { country: 'England' }, 400],
  ])('refuse a wrong %s and change nothing', async (field, wrong, status) => {
    const { app, code } = await newSite()
    await using _ = app
    const browser = app.browser()
    await browser.post('/api/setup/enter', { code })
    const answer = await browser.post('/api/setup/begin', { ...FIRST_STEPS, ...wrong })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([status, [field]])
    expect((await browser.get('/api/setup')).body.hasOfficer).toBe(false)
  })
})

describe('before the site opens', () => {
  test('visitors can neither register nor write; officers log in', async () => {
    const { app, code } = await newSite()
    await using _ = app
    await firstOfficer(app, code)
    const visitor = app.browser()
    expect((await visitor.register({ levelKey: 'member' })).status).toBe(503)
    expect((await visitor.post('/api/contact', {})).body.code ?? '').toBe('NOT_OPEN_YET')
    const { identifier, password } = { identifier: 'asha', password: FIRST_STEPS.password }
    const login = await visitor.post('/api/auth/login', {
      identifier,
      password,
      recaptchaToken: await visitor.botToken('login'),
    })
    expect(login.status).toBe(200)
  })
})

describe('providers', () => {
  test('a mail server is stored once it accepted a test email, encrypted, and used after a restart', async () => {
    const { app, code, restart } = await newSite()
    await using _ = app
    const officer = await firstOfficer(app, code)
    const { port } = new URL(app.standins.smtpUrl)
    const server = { host: '127.0.0.1', port: Number(port), isSecure: false, user: '', password: '' }
    const from = { fromName: 'Leeds: Bridges (UK)', fromAddress: 'office@example.org' }
    const wrong = await officer.post('/api/console/setup/mail', { ...server, ...from, port: 9 })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'MAIL_SERVER_REFUSED'])
    const saved = await officer.post('/api/console/setup/mail', { ...server, ...from })
    expect(saved.body).toEqual({ restarts: true })
    await vi.waitFor(() => expect(restart).toHaveBeenCalledTimes(2))
    const rows = await app.database.db.selectFrom('providerSetting').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('office@example.org')
    const stored = await readProviderSettings(app.database.db, createSecrets(TEST_SESSION_SECRET))
    expect(stored).toEqual({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: '"Leeds: Bridges (UK)" <office@example.org>',
    })
    expect(app.config.withProviders(stored).mail.smtpUrl).toBe(stored.SMTP_URL)
    expect(await readProviderSettings(app.database.db, createSecrets('another secret'.repeat(3)))).toEqual({})
  })

  test('keys of the card provider create its webhook, one in all, and a test event arrives without a payment', async () => {
    const { app, code } = await newSite()
    await using _ = app
    const officer = await firstOfficer(app, code)
    const keys = { secretKey: 'sk_test_bridges', publishableKey: 'pk_test_bridges' }
    const mixed = await officer.post('/api/console/setup/cards', { ...keys, publishableKey: 'pk_live_bridges' })
    expect(Object.keys(mixed.body.errors)).toEqual(['publishableKey'])
    expect((await officer.post('/api/console/setup/cards', keys)).status).toBe(200)
    expect((await officer.post('/api/console/setup/cards', keys)).status).toBe(200)
    const list = await fetch(`${app.standins.url}/v1/webhook_endpoints`, {
      headers: { authorization: 'Bearer sk_test_bridges' },
    })
    expect(((await list.json()) as { data: { url: string }[] }).data.map(({ url }) => url)).toEqual([
      'http://localhost:3000/api/stripe/webhook',
    ])
    const stored = await readProviderSettings(app.database.db, createSecrets(TEST_SESSION_SECRET))
    expect(stored).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_bridges', STRIPE_WEBHOOK_SECRET: 'whsec_standin' })
    expect((await stepsOf(officer))['cards']).toBe(false)
    expect((await officer.post('/api/console/setup/cards/test')).status).toBe(204)
    await app.drain()
    expect((await stepsOf(officer))['cards']).toBe(true)
    expect(await app.database.db.selectFrom('payment').selectAll().execute()).toEqual([])
  })

  test('what the webmaster set on the server cannot be changed', async () => {
    await using app = await createTestApp({ isClosed: true, environment: { STRIPE_SECRET_KEY: 'sk_test_standin' } })
    const officer = await firstOfficer(app, await newCode(app))
    const keys = { secretKey: 'sk_test_other', publishableKey: 'pk_test_other' }
    expect((await officer.post('/api/console/setup/cards', keys)).body.code).toBe('PROVIDER_IN_ENVIRONMENT')
  })

  test('of which the server has only some settings are left to do, since an open site would not start again', async () => {
    const partial = { SMTP_URL: 'smtp://127.0.0.1:9', STRIPE_SECRET_KEY: 'sk_test_x', RECAPTCHA_SECRET_KEY: 'x' }
    const missing = { MAIL_FROM: '', STRIPE_PUBLISHABLE_KEY: '', RECAPTCHA_SITE_KEY: '' }
    const environment = { ...partial, ...missing }
    await using app = await createTestApp({ isClosed: true, environment })
    const officer = await firstOfficer(app, await newCode(app))
    await app.database.db
      .insertInto('stripeEvent')
      .values({
        id: 'evt_1',
        type: 'checkout.session.expired',
        objectId: 'cs_1',
        createdAt: app.now(),
        receivedAt: app.now(),
        doneAt: app.now(),
      })
      .execute()
    expect((await officer.post('/api/console/setup/confirm', { step: 'mail' })).body.code).toBe('SETUP_STEP_EARLY')
    expect(await stepsOf(officer)).toMatchObject({ mail: false, cards: false, 'bot-check': false })
    const { providers } = (await officer.get('/api/console/setup')).body
    expect(providers).toMatchObject({ mail: { source: 'incomplete' }, botCheck: { source: 'incomplete' } })
  })
})

describe('brand and pictures', () => {
  const optionalOf = async (officer: TestBrowser) => (await officer.get('/api/console/setup')).body.optional
  const taskOf = async (officer: TestBrowser) =>
    (await officer.get('/api/console/today')).body.tasks.find(({ key }: { key: string }) => key === 'setup')

  test('are steps that the site can open without; Home names those that are left', async () => {
    await using app = await createTestApp({ isClosed: true })
    const officer = await firstOfficer(app, await newCode(app))
    expect(await optionalOf(officer)).toEqual([
      { step: 'brand', isDone: false },
      { step: 'pictures', isDone: false },
    ])
    expect((await taskOf(officer)).detail).toMatch(/Optional: brand and pictures\.$/)
    const { count } = await taskOf(officer)
    expect((await officer.post('/api/console/setup/confirm', { step: 'pictures' })).status).toBe(204)
    expect(await taskOf(officer)).toMatchObject({ count, detail: expect.stringMatching(/Optional: brand\.$/) })
    const { value, version } = (await officer.get('/api/console/content/brand/all')).body
    const change = { value: { ...value, primary: '#123456' }, version, action: 'publish' }
    expect((await officer.call('PUT', '/api/console/content/brand/all', change)).status).toBe(200)
    expect(await optionalOf(officer)).toEqual([
      { step: 'brand', isDone: true },
      { step: 'pictures', isDone: true },
    ])
    expect((await taskOf(officer)).detail).not.toContain('Optional')
  })

  test('a picture that was uploaded is seen', async () => {
    await using app = await createTestApp({ isClosed: true })
    const officer = await firstOfficer(app, await newCode(app))
    const body = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
      .png()
      .toBuffer()
    const headers = { authorization: `Bearer ${officer.token}`, 'content-type': 'application/octet-stream' }
    const url = `${app.url}/api/console/media/home/gallery?filename=a.png`
    expect((await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status).toBe(201)
    expect(await optionalOf(officer)).toContainEqual({ step: 'pictures', isDone: true })
  })
})

describe('opening', () => {
  test('is refused while a step is left, and then lets visitors in for good', async () => {
    await using app = await createTestApp({ isClosed: true })
    const officer = await firstOfficer(app, await newCode(app))
    expect((await officer.post('/api/console/setup/open')).body.code).toBe('SETUP_UNFINISHED')
    expect((await officer.post('/api/console/setup/confirm', { step: 'policies' })).body.code).toBe('SETUP_STEP_EARLY')
    // As if the texts were written.
    for (const kind of contentKinds)
      for (const { id, value } of await listRecords(app.database.db, kind)) {
        const finished = JSON.stringify(value)
          .replaceAll('[…]', 'Leeds')
          .replaceAll('"version":"draft"', '"version":"2026-12-01"')
        await app.database.db
          .updateTable('contentRecord')
          .set({ value: finished })
          .where('kind', '=', kind.kind)
          .where('id', '=', id)
          .execute()
      }
    await app.database.db.updateTable('contentVersion').set({ version: 99 }).execute()
    await app.app.refreshContent()
    for (const step of ['mail', 'dues', 'policies'])
      expect((await officer.post('/api/console/setup/confirm', { step })).status).toBe(204)
    await officer.post('/api/console/setup/cards/test')
    await app.drain()
    expect((await officer.post('/api/console/setup/open')).status).toBe(204)
    expect((await officer.get('/api/console/setup')).body.isOpen).toBe(true)
    expect((await officer.post('/api/console/setup/open')).status).toBe(204)
    expect((await officer.get('/api/setup')).status).toBe(404)
    expect((await app.browser().register({ levelKey: 'nothing' })).status).not.toBe(503)
  })
})

async function settingsOf(app: TestApp) {
  const found = await Promise.all(
    ['association', 'region'].map(async (name) => {
      const kind = contentKinds.find((one) => one.kind === `settings-${name}`)
      return kind ? (await listRecords(app.database.db, kind))[0]?.value : null
    }),
  )
  return { association: found[0], region: found[1] }
}
