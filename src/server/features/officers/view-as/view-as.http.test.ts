import { describe, expect, test } from 'vitest'
import { permissionsOf, ROLES } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const db = () => app().database.db
const MINUTE_MS = 60_000

async function newMember(levelKey = 'medical_student') {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey })
  const { id } = await db().selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
  return { browser, email, id }
}

async function freshOfficer(role: (typeof ROLES)[number] = 'president') {
  const officer = await newOfficer(app(), [role])
  await recordSecondFactor(app(), officer.browser)
  return officer
}

const begin = (officer: TestBrowser, id: string, reason = 'Cannot find the receipt') =>
  officer.post(`/api/console/members/${id}/view-as`, { reason })

/** A browser that shows the site as the member. */
async function viewOf(officer: TestBrowser, id: string): Promise<TestBrowser & { viewId: string }> {
  const { status, body } = await begin(officer, id)
  expect(status, JSON.stringify(body)).toBe(201)
  const browser = app().browser()
  browser.token = body.token as string
  return Object.assign(browser, { viewId: body.id as string })
}

const historyOf = (id: string) =>
  db()
    .selectFrom('audit')
    .selectAll()
    .where('subjectId', '=', id)
    .where('action', 'like', 'member_view.%')
    .orderBy('id')
    .execute()

test('an officer sees what the member sees: account, membership, payments, receipt, credentials, prices of a change', async () => {
  const member = await newMember('annual_member')
  const view = await viewOf(await officerWith(app(), ['president']), member.id)
  for (const path of ['profile', 'credentials'].map((name) => `/api/account/${name}`)) {
    expect((await view.get(path)).body).toEqual((await member.browser.get(path)).body)
  }
  const { body } = await view.get('/api/billing/payments')
  expect(body).toEqual((await member.browser.get('/api/billing/payments')).body)
  const receipt = await view.get(`/api/billing/receipts/${body.payments[0].receiptNumber as string}`)
  expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await view.get('/api/billing/level-changes')).body.changes.length).toBeGreaterThan(0)
})

describe('changes are rejected in a view', () => {
  const changing = endpoints.filter(({ method }) => method !== 'GET')

  test.each(changing.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]))(
    '%s',
    async (_name, { method, path }) => {
      const { status, body } = await (await sharedView()).call(method, path, {})
      expect(status).toBe(409)
      expect(body).toMatchObject({
        message: 'You are viewing the site as a member. Nothing can be changed here.',
        code: 'VIEW_READ_ONLY',
      })
    },
  )

  test('also with a token that claims to be a view token, and with an expired one', async () => {
    const { id } = await newMember()
    const { browser } = await freshOfficer()
    const view = await viewOf(browser, id)
    const [, ...rest] = String(view.token).split('.')
    const forged = [Buffer.from('{"alg":"none","typ":"view+jwt"}').toString('base64url'), ...rest].join('.')
    await browser.call('DELETE', `/api/console/view-as/${view.viewId}`)
    for (const token of [forged, view.token]) {
      const answer = await app()
        .browser()
        .call('POST', '/api/newsletter/subscribe', {}, { authorization: `Bearer ${String(token)}` })
      expect(answer.body.code).toBe('VIEW_READ_ONLY')
      const read = await app()
        .browser()
        .call('GET', '/api/account/profile', undefined, { authorization: `Bearer ${String(token)}` })
      expect([read.status, read.body.code]).toEqual([401, 'VIEW_OVER'])
    }
  })
})

let shared: TestBrowser | null = null
async function sharedView(): Promise<TestBrowser> {
  shared ??= await viewOf((await freshOfficer()).browser, (await newMember()).id)
  return shared
}

const reading = endpoints.filter(({ method, access }) => method === 'GET' && access !== 'anyone')
const SHOWN = [
  'getProfile',
  'getRecord',
  'searchDirectory',
  'getDirectoryEntry',
  'getDirectoryChoice',
  'listMemberPayments',
  'downloadReceipt',
  'listLevelChanges',
  'getCredentials',
  'listCredentialKinds',
  'readRsvpOffer',
  'getAccountHome',
  'getOwnRollCall',
  'listMemberEmails',
  'readNextRsvp',
  'listStatements',
  'downloadStatement',
]

test.each(reading.map((endpoint): [string, Endpoint] => [endpoint.path, endpoint]))(
  'GET %s: a view shows only what is on its list',
  async (path, { name, inView }) => {
    expect(SHOWN.includes(name)).toBe(inView !== undefined)
    const { body } = await (await sharedView()).get(path)
    expect(['VIEW_HIDES'].includes(String(body?.code))).toBe(!SHOWN.includes(name))
  },
)

test('a view shows payments only to roles that may see money', async () => {
  const { id } = await newMember('annual_member')
  const view = await viewOf((await freshOfficer('secretary')).browser, id)
  expect((await view.get('/api/account/profile')).status).toBe(200)
  expect((await view.get('/api/billing/payments')).body.code).toBe('VIEW_HIDES')
})

test('who may open one: president, secretary, membership; with a fresh code and a reason', async () => {
  expect(ROLES.filter((role) => permissionsOf([role]).includes('members.view_as'))).toEqual([
    'president',
    'secretary',
    'membership',
  ])
  const { id } = await newMember()
  const { browser, accountId } = await freshOfficer('membership')
  expect((await begin(browser, id, '  ')).body.errors.reason).toBe('Please enter a reason; the member can read it')
  expect((await begin(browser, 'unknown')).body.code).toBe('NOT_FOUND')
  const longAgo = app().now() - 11 * MINUTE_MS
  await db().updateTable('sessionProof').set({ provedAt: longAgo }).where('accountId', '=', accountId).execute()
  expect((await begin(browser, id)).body.code).toBe('SECOND_FACTOR_AGAIN')
})

test('accounts of officers and closed accounts are never shown', async () => {
  const { browser, accountId } = await freshOfficer()
  const editor = await freshOfficer('editor')
  for (const id of [accountId, editor.accountId]) expect((await begin(browser, id)).body.code).toBe('VIEW_OF_OFFICER')
  const { id } = await newMember()
  const view = await viewOf(browser, id)
  await db().updateTable('account').set({ deactivatedBy: 'officer' }).where('id', '=', id).execute()
  expect((await view.get('/api/account/profile')).body.code).toBe('VIEW_OVER')
  expect((await begin(browser, id)).body.code).toBe('ACCOUNT_CLOSED')
})

test('does not touch the member’s sessions, devices and cookies', async () => {
  const { id, browser } = await newMember()
  const before = await db().selectFrom('session').selectAll().where('accountId', '=', id).execute()
  const view = await viewOf((await freshOfficer()).browser, id)
  const answer = await view.get('/api/account/profile')
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await db().selectFrom('session').selectAll().where('accountId', '=', id).execute()).toEqual(before)
  expect((await browser.get('/api/account/devices')).body).toHaveLength(1)
})

describe('a view ends', () => {
  test('when its officer leaves it; start, end and reason are in the audit log and in the member’s personal data', async () => {
    const { id, browser: member } = await newMember()
    const { browser, accountId } = await freshOfficer()
    const view = await viewOf(browser, id)
    const stranger = await officerWith(app(), ['secretary'])
    await stranger.call('DELETE', `/api/console/view-as/${view.viewId}`)
    expect((await view.get('/api/account/profile')).status).toBe(200)
    for (let times = 0; times < 2; times++) {
      expect((await browser.call('DELETE', `/api/console/view-as/${view.viewId}`)).status).toBe(204)
    }
    expect((await view.get('/api/account/profile')).body.code).toBe('VIEW_OVER')
    const history = await historyOf(id)
    expect(history).toMatchObject([
      { actor: accountId, action: 'member_view.started' },
      { actor: accountId, action: 'member_view.ended' },
    ])
    expect(JSON.parse(history[0]?.details ?? '')).toMatchObject({
      view: view.viewId,
      reason: 'Cannot find the receipt',
    })
    expect(JSON.parse(history[1]?.details ?? '')).toMatchObject({ view: view.viewId, how: 'left' })
    const { body } = await member.get('/api/account/data')
    expect(body.viewedByOfficers).toEqual([
      {
        startedAt: expect.any(String) as string,
        endedAt: expect.any(String) as string,
        reason: 'Cannot find the receipt',
      },
    ])
    expect(JSON.stringify(body)).not.toContain(accountId)
  })

  test('when another one is opened', async () => {
    const { browser } = await freshOfficer()
    const first = await viewOf(browser, (await newMember()).id)
    const second = await viewOf(browser, (await newMember()).id)
    expect((await first.get('/api/account/profile')).body.code).toBe('VIEW_OVER')
    expect((await second.get('/api/account/profile')).status).toBe(200)
  })

  test('of two opened concurrently, one stays open', async () => {
    const { browser } = await freshOfficer()
    const { id } = await newMember()
    const views = await Promise.all([viewOf(browser, id), viewOf(browser, id)])
    const answers = await Promise.all(views.map((view) => view.get('/api/account/profile')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('with the officer’s session, role or password', async () => {
    const ends: ((officer: Awaited<ReturnType<typeof freshOfficer>>) => Promise<unknown>)[] = [
      ({ browser }) => browser.call('DELETE', '/api/account/devices'),
      ({ accountId }) =>
        db().updateTable('officerTerm').set({ endedAt: 1 }).where('accountId', '=', accountId).execute(),
      ({ accountId }) => db().updateTable('account').set({ tokenVersion: 9 }).where('id', '=', accountId).execute(),
      ({ accountId }) =>
        db().updateTable('account').set({ deactivatedBy: 'officer' }).where('id', '=', accountId).execute(),
    ]
    for (const end of ends) {
      const officer = await freshOfficer()
      const view = await viewOf(officer.browser, (await newMember()).id)
      await end(officer)
      const answer = await view.get('/api/account/profile')
      expect([answer.status, answer.body.code]).toEqual([401, 'VIEW_OVER'])
    }
  })

  test('when the member becomes an officer', async () => {
    const { id, email } = await newMember()
    const { browser } = await freshOfficer()
    const view = await viewOf(browser, id)
    const given = { email, role: 'viewer', startsOn: '2026-01-01', endsOn: '2099-12-31' }
    expect((await browser.post('/api/console/officers', given)).status).toBe(201)
    expect((await view.get('/api/account/profile')).body.code).toBe('VIEW_OVER')
  })

  test('after 15 minutes, and is audited without another request', async () => {
    const { id } = await newMember()
    const view = await viewOf((await freshOfficer()).browser, id)
    await app().advance(14 * MINUTE_MS)
    expect((await view.get('/api/account/profile')).status).toBe(200)
    await app().advance(2 * MINUTE_MS)
    expect((await view.get('/api/account/profile')).body.code).toBe('VIEW_OVER')
    await app().advance(6 * MINUTE_MS)
    await app().drain()
    const [, end, ...more] = await historyOf(id)
    expect(more).toEqual([])
    const { how, startedAt, endedAt } = JSON.parse(end?.details ?? '{}') as Record<string, number>
    expect([how, Number(endedAt) - Number(startedAt)]).toEqual(['time', 15 * MINUTE_MS])
  })
})
