import { mkdir } from 'node:fs/promises'
import { storeRelease } from '#server/releases/stored-release.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { officerLimits } from '#contract/access.ts'
import type { OfficerTerms } from '#contract/console/console.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { PARTS } from '#contract/parts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { totpCodeAt, newOfficer, OFFICER_PASSWORD, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const strict = useTestApp()
const today = () => dayOf(app().now(), app().config.timeZone)

async function enrol(browser: TestBrowser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
  const { secret } = begun.body as { secret: string }
  const confirmed = await browser.post('/api/console/second-factor/confirm', { code: totpCodeAt(secret, app().now()) })
  return { secret, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

describe('the second factor', () => {
  test('is set up with the password, opens the console, and returns ten recovery codes', async () => {
    const { browser } = await newOfficer(app(), ['secretary'])
    expect((await browser.get('/api/console/today')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const wrong = await browser.post('/api/console/second-factor/begin', { password: 'not this one at all' })
    expect(wrong.body.errors).toEqual({ password: 'Password is incorrect' })

    const begun = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
    expect(begun.body.address).toMatch(/^otpauth:\/\/totp\//)
    expect(begun.body.qrCode).toMatch(/^<svg /)
    const unconfirmed = await browser.get('/api/console/me')
    expect(unconfirmed.body.secondFactor).toEqual({ isEnrolled: false, ways: [], provedUntil: null })

    const { secret, recoveryCodes } = await enrol(browser)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await browser.get('/api/console/today')).status).toBe(200)
    const rows = await app().database.db.selectFrom('secondFactor').select('secret').execute()
    expect(rows.map((row) => row.secret).join(' ')).not.toContain(secret.replaceAll(' ', ''))
    // The password alone does not allow adding another app.
    const again = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
    expect(again.body.code).toBe('SECOND_FACTOR_EXISTS')
  })

  test('a code works once, even for 20 concurrent requests; so does a recovery code, in any spelling', async () => {
    const { browser, email } = await newOfficer(app(), ['editor'])
    const { secret, recoveryCodes } = await enrol(browser)
    await app().advance(60_000)
    const elsewhere = app().browser()
    await elsewhere.logIn(email, OFFICER_PASSWORD)
    const code = totpCodeAt(secret, app().now())
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => elsewhere.post('/api/console/second-factor/prove', { code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const written = String(recoveryCodes[0]).toUpperCase().replace('-', ' ')
    const first = await elsewhere.post('/api/console/second-factor/prove', { code: written })
    expect([first.status, first.body.recoveryCodesLeft]).toEqual([200, 9])
    const second = await elsewhere.post('/api/console/second-factor/prove', { code: written })
    expect(second.body.errors.code).toMatch(/^This code is incorrect/)
  })

  test('is required again after twelve hours, and after ten minutes for sensitive acts', async () => {
    const { browser } = await newOfficer(app(), ['president'])
    await recordSecondFactor(app(), browser)
    const role = { email: 'nobody@example.com', role: 'viewer', startsOn: today(), endsOn: today() }
    expect((await browser.post('/api/console/officers', role)).body.errors.email).toMatch(/^There is no account/)
    await app().advance(11 * 60_000)
    expect((await browser.post('/api/console/officers', role)).body.code).toBe('SECOND_FACTOR_AGAIN')
    expect((await browser.get('/api/console/today')).status).toBe(200)
    await app().advance(12 * HOUR_MS)
    expect((await browser.get('/api/console/today')).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('guesses are limited, without locking the owner out of the account', async () => {
    const { browser, email } = await newOfficer(strict(), ['viewer'])
    const begun = await browser.post('/api/console/second-factor/begin', { password: OFFICER_PASSWORD })
    const wrong = totpCodeAt(begun.body.secret as string, strict().now() - 3_600_000)
    const statuses = []
    for (let guess = 0; guess < 11; guess++) {
      statuses.push((await browser.post('/api/console/second-factor/confirm', { code: wrong })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    expect((await strict().browser().logIn(email, OFFICER_PASSWORD)).status).toBe(200)
  })

  test('a member’s password is too short for an officer, and may not be changed to a short one', async () => {
    const { browser, email } = await newOfficer(app(), ['viewer'])
    const short = await browser.call('PUT', '/api/account/password', {
      currentPassword: OFFICER_PASSWORD,
      newPassword: 'elevensign1',
    })
    expect(short.body.errors.newPassword).toMatch(/at least 12/)
    const member = app().browser()
    const person = await member.join({ levelKey: 'medical_student', password: 'short-one' })
    const president = await officerWith(app(), ['president'])
    await recordSecondFactor(app(), president)
    await president.post('/api/console/officers', {
      email: person.email,
      role: 'viewer',
      startsOn: today(),
      endsOn: today(),
    })
    const begun = await member.post('/api/console/second-factor/begin', { password: 'short-one' })
    expect([begun.body.code, email]).toEqual(['PASSWORD_TOO_SHORT', email])
  })
})

describe('roles', () => {
  test('are assigned for a term, end with its last day, and are audited with before and after', async () => {
    const president = await officerWith(app(), ['president'])
    await recordSecondFactor(app(), president)
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'medical_student', password: OFFICER_PASSWORD })
    const endsOn = addDays(today(), 1)
    const given = await president.post('/api/console/officers', { email, role: 'editor', startsOn: today(), endsOn })
    expect(given.status).toBe(201)
    expect((await member.get('/api/console/me')).body.roles).toEqual(['editor'])
    await app().drain()
    expect(
      app()
        .standins.mails(email)
        .some(({ text }) => text.includes('/console')),
    ).toBe(true)
    const history = await president.get('/api/console/audit?q=role.given')
    expect(history.body.entries[0]).toMatchObject({
      action: 'role.given',
      details: { before: null, after: { role: 'editor', startsOn: today(), endsOn } },
    })
    await app().advance(48 * HOUR_MS)
    expect((await member.get('/api/console/me')).body.code).toBe('NOT_AN_OFFICER')
  })

  test('are visible to every officer; only authorized officers assign them', async () => {
    const seenBy = async (role: 'president' | 'viewer') => {
      const browser = await officerWith(app(), [role])
      await recordSecondFactor(app(), browser)
      return (await browser.get('/api/console/officers')).body.mayChange
    }
    expect([await seenBy('president'), await seenBy('viewer')]).toEqual([true, false])
  })

  test('end immediately, even in an open tab; the last president stays', async () => {
    const { browser: president, accountId } = await newOfficer(app(), ['president'])
    const { browser: editor, accountId: editorId } = await newOfficer(app(), ['editor'])
    await recordSecondFactor(app(), president)
    await recordSecondFactor(app(), editor)
    const listed = async () => ((await president.get('/api/console/officers')).body as OfficerTerms).terms
    const terms = await listed()
    expect(terms.some(({ isLastManager }) => isLastManager)).toBe(false)
    const termOf = (id: string) => terms.find((term) => term.accountId === id)?.id ?? ''
    expect((await editor.get('/api/console/today')).status).toBe(200)
    await president.call('DELETE', `/api/console/officers/${termOf(editorId)}`)
    expect((await editor.get('/api/console/today')).body.code).toBe('NOT_AN_OFFICER')

    const others = terms.filter((term) => term.role === 'president' && term.accountId !== accountId)
    for (const { id } of others) await president.call('DELETE', `/api/console/officers/${id}`)
    expect((await listed()).filter(({ isLastManager }) => isLastManager)).toMatchObject([{ accountId }])
    const last = await president.call('DELETE', `/api/console/officers/${termOf(accountId)}`)
    expect([last.status, last.body.code]).toEqual([409, 'LAST_PRESIDENT'])
  })
})

test('today lists open tasks to the officers they concern', async () => {
  const visitor = app().browser()
  await visitor.post('/api/contact', {
    name: 'A Visitor',
    email: 'visitor@example.com',
    subject: 'A question',
    message: 'When is the next clinic day?',
    recaptchaToken: await visitor.botToken('contact_form'),
  })
  await app().advance(49 * HOUR_MS)
  const { browser: secretary } = await newOfficer(app(), ['secretary'])
  const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), secretary)
  await recordSecondFactor(app(), treasurer)
  const seen = (await secretary.get('/api/console/today')).body
  expect(seen.tasks[0]).toMatchObject({
    key: 'messages',
    count: 1,
    urgency: 'late',
    detail: 'The oldest was due 1 hour ago.',
  })
  const { tasks } = (await treasurer.get('/api/console/today')).body
  expect(tasks.map(({ key }: { key: string }) => key)).not.toContain('messages')
})

test('home counts the members with rights: the list of members counts everyone', async () => {
  const { browser: president } = await newOfficer(app(), ['president'])
  await recordSecondFactor(app(), president)
  const { accountId: former } = await newOfficer(app(), ['viewer'])
  const { db } = app().database
  await db.updateTable('membership').set({ endedAt: app().now() }).where('accountId', '=', former).execute()
  const total = async (query: string) =>
    Number((await president.get(`/api/console/members?page=1&${query}`)).body.total)
  const { members } = (await president.get('/api/console/home')).body
  const current = (await total('status=ACTIVE')) + (await total('status=PAST_DUE'))
  expect(await total('')).toBeGreaterThan(current)
  const counts = members.months.at(-1).counts as number[]
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(current)
})

test('today shows the scholarship deadline 30 days ahead, even without messages, and not earlier', async () => {
  const { browser: president } = await newOfficer(app(), ['president'])
  await recordSecondFactor(app(), president)
  const { db } = app().database
  async function seenWithDeadline(inDays: number) {
    await storeRecord(db, settingKind('scholarships'), { deadline: addDays(today(), inDays).slice(5) })
    await incrementContentVersion(db)
    await app().app.refreshContent()
    const { tasks } = (await president.get('/api/console/today')).body
    return tasks.find(({ key }: { key: string }) => key === 'scholarships') as unknown
  }
  expect(await seenWithDeadline(31)).toBeUndefined()
  expect(await seenWithDeadline(20)).toMatchObject({ count: 0, urgency: 'calm' })
  expect(await seenWithDeadline(1)).toMatchObject({ urgency: 'soon' })
  await storeRecord(db, settingKind('parts'), Object.fromEntries(PARTS.map((part) => [part, part !== 'scholarships'])))
  expect(await seenWithDeadline(1)).toBeUndefined()
})

test('today shows problems of the site to officers who may read the audit log', async () => {
  const { browser: president } = await newOfficer(app(), ['president'])
  const { browser: editor } = await newOfficer(app(), ['editor'])
  await recordSecondFactor(app(), president)
  await recordSecondFactor(app(), editor)
  // No handler exists, so every attempt fails.
  await addToOutbox(app().database.db, { effect: testEffect('test.unknown'), payload: {} }, app().now() - 2 * HOUR_MS)
  const siteTask = async (browser: TestBrowser) => {
    const { tasks } = (await browser.get('/api/console/today')).body
    return tasks.find(({ key }: { key: string }) => key === 'site') as unknown
  }
  expect(await siteTask(president)).toMatchObject({
    count: 1,
    detail: expect.stringContaining('has been waiting') as string,
  })
  expect(await siteTask(editor)).toBeUndefined()
})

test('today shows what a newer release brings to officers who may read the audit log, until it runs', async () => {
  const { browser: president } = await newOfficer(app(), ['president'])
  const { browser: editor } = await newOfficer(app(), ['editor'])
  await recordSecondFactor(app(), president)
  await recordSecondFactor(app(), editor)
  const { dataDirectory } = app().config
  await mkdir(dataDirectory, { recursive: true })
  const releaseTask = async (browser: TestBrowser, version: string) => {
    const release = {
      version,
      brings: ['A calendar.'],
      asks: [],
      archive: 'https://example.org/x',
      sha256: '0'.repeat(64),
    }
    await storeRelease(dataDirectory, release)
    const { tasks } = (await browser.get('/api/console/today')).body
    return tasks.find(({ key }: { key: string }) => key === 'release') as unknown
  }
  expect(await releaseTask(president, '99.0.0')).toMatchObject({
    urgency: 'calm',
    detail: 'Release 99.0.0: A calendar. The webmaster installs it.',
  })
  expect(await releaseTask(editor, '99.0.0')).toBeUndefined()
  expect(await releaseTask(president, '0.0.1')).toBeUndefined()
})

describe('input is validated before a fresh code is required', () => {
  const asking = endpoints.filter(
    ({ requiresFreshFactor: asksAgain, body }) => asksAgain && body && !z.safeParse(body, {}).success,
  )

  let stale: TestBrowser

  beforeAll(async () => {
    stale = (await newOfficer(app(), ['president'])).browser
    await recordSecondFactor(app(), stale)
    await app().advance(officerLimits.freshForMs + 1_000)
  })

  test.each(asking.map((endpoint): [string, Endpoint] => [endpoint.name, endpoint]))('%s', async (_, endpoint) => {
    const path = endpoint.path.replaceAll(/:\w+/g, 'x1')
    const wrong = await stale.call(endpoint.method, path, {})
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_INPUT'])
  })

  test('valid input is not applied without the code', async () => {
    const role = { email: 'nobody@example.org', role: 'viewer', startsOn: '2026-12-01', endsOn: '2027-12-01' }
    expect((await stale.post('/api/console/officers', role)).body.code).toBe('SECOND_FACTOR_AGAIN')
  })
})
