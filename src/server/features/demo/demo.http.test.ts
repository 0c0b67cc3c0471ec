import { describe, expect, test } from 'vitest'
import { mergeMembers } from '#contract/console/merge.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { answerInDemo, nextReset } from './demo.rules.ts'

const OFFICER = 'officer@example.org'
const MEMBER = 'annual@example.org'

describe('a demo', () => {
  const app = useTestApp({
    samples: true,
    environment: ({ smtpPort }) => ({ DEMO: 'on', SMTP_URL: '', MAIL_FROM: '', SMTP_STANDIN_PORT: String(smtpPort) }),
  })

  async function enter(email: string) {
    const browser = app().browser()
    const { status, body } = await browser.post('/api/demo/enter', { email })
    expect([email, status]).toEqual([email, 200])
    browser.token = body.token
    return browser
  }

  test('lists its people, and each logs in without a password; officers are in the console at once', async () => {
    const { people } = (await app().browser().get('/api/demo')).body
    // SAMPLES=few has these; the others are in samples/more.
    expect(people.map(({ email }: { email: string }) => email)).toEqual([
      MEMBER,
      'lapsed@example.org',
      'student@example.org',
      OFFICER,
    ])
    for (const { email, name, isOfficer } of people) {
      const browser = await enter(email)
      expect((await browser.get('/api/account/profile')).status).toBe(200)
      expect(name).toMatch(/^\S+ \S/)
      const today = await browser.get('/api/console/today')
      expect([email, today.status]).toEqual([email, isOfficer ? 200 : 403])
    }
  })

  test('opens no one else’s account', async () => {
    const other = app().browser()
    const { email } = await other.join({ levelKey: 'medical_student' })
    expect((await app().browser().post('/api/demo/enter', { email })).status).toBe(404)
  })

  test('the second factor of an officer stays fresh until the demo starts afresh', async () => {
    const officer = await enter(OFFICER)
    await app().advance(59 * 60_000)
    const answer = await officer.post('/api/console/members/export', {})
    expect(answer.body?.code).not.toBe('SECOND_FACTOR_AGAIN')
    expect((await officer.get('/api/console/today')).status).toBe(200)
  })

  test('leaves passwords, second factors, roles and providers as they are, and nothing of them changes', async () => {
    const officer = await enter(OFFICER)
    const accounts = () => app().database.db.selectFrom('account').selectAll().orderBy('id').execute()
    const before = await accounts()
    const kept = { status: 409, code: 'DEMO_KEEPS_THIS' }
    const asked = [
      await officer.call('PUT', '/api/account/password', {
        currentPassword: 'Peachtree-1987',
        newPassword: 'another-monsoon',
      }),
      await officer.call('DELETE', '/api/account', { password: 'Peachtree-1987' }),
      await officer.post('/api/console/passkeys/begin', {}),
      await officer.post('/api/console/officers', { email: MEMBER, role: 'president', startsOn: '', endsOn: '' }),
      await officer.post('/api/console/setup/mail', { smtpUrl: 'smtp://mail.example.com' }),
    ]
    expect(asked.map(({ status, body }) => ({ status, code: body.code }))).toEqual(asked.map(() => kept))
    expect(await accounts()).toEqual(before)
  })

  test('shows a visitor the emails to the own address only, and those of the person who is logged in', async () => {
    const [guest, stranger] = [app().browser(), app().browser()]
    const { guestAddress } = (await guest.get('/api/demo')).body
    await stranger.get('/api/demo')
    await guest.post('/api/newsletter/subscribe', {
      email: guestAddress,
      recaptchaToken: await guest.botToken('newsletter_subscribe'),
    })
    await app().drain()
    expect((await stranger.get('/api/demo/emails')).body.emails).toEqual([])
    const { emails } = (await guest.get('/api/demo/emails')).body
    expect(emails).toMatchObject([{ to: guestAddress }])
    expect(emails[0].text).toContain('http://localhost:3000/')
  })

  test('uses the addresses of its own site for what browsers load', () => {
    expect(app().config).toMatchObject({
      mapEmbedUrl: 'http://localhost:3000/map',
      recaptcha: { scriptUrl: 'http://localhost:3000/recaptcha/api.js' },
      dnsServer: '127.0.0.1:9',
    })
  })
})

describe('any other site', () => {
  const app = useTestApp({ samples: true })

  test('has no demo', async () => {
    const visitor = app().browser()
    expect((await visitor.get('/api/demo')).status).toBe(404)
    expect((await visitor.get('/api/demo/emails')).status).toBe(404)
    const entered = await visitor.post('/api/demo/enter', { email: OFFICER })
    expect([entered.status, entered.body.token]).toEqual([404, undefined])
    expect(await app().database.db.selectFrom('sessionProof').selectAll().execute()).toEqual([])
  })
})

test('closes or merges everyone but its people', () => {
  const demo = { isDemo: true, people: new Set(['ana']) }
  expect(answerInDemo(mergeMembers, { id: 'ben', other: 'ana' }, demo)).toBe('kept')
  expect(answerInDemo(mergeMembers, { id: 'ben', other: 'cai' }, demo)).toBe('served')
  expect(answerInDemo(mergeMembers, { id: 'ben', other: 'ana' }, { ...demo, isDemo: false })).toBe('served')
})

test('it starts afresh at the next full hour', () => {
  expect(nextReset(Date.parse('2026-12-01T10:59:59.999Z'))).toBe(Date.parse('2026-12-01T11:00:00Z'))
  expect(nextReset(Date.parse('2026-12-01T11:00:00Z'))).toBe(Date.parse('2026-12-01T12:00:00Z'))
})
