import { beforeAll, describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { monthQuery } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { recordDues } from '#tests/support/orders/record-dues.ts'
import type { ConsoleMember } from '#contract/console/member.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const today = () => dayOf(app().now(), app().config.timeZone)
let president: TestBrowser
let viewer: TestBrowser

beforeAll(async () => {
  president = (await newOfficer(app(), ['president'])).browser
  viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), president)
  await recordSecondFactor(app(), viewer)
})

async function idOf(email: string): Promise<string> {
  const { body } = await president.get(`/api/console/members?q=${encodeURIComponent(email)}`)
  expect(body.members).toHaveLength(1)
  return body.members[0].id as string
}
const look = async (id: string) => (await president.get(`/api/console/members/${id}`)).body as ConsoleMember

/** Downloads a file as text. */
async function download(path: string): Promise<string> {
  const response = await fetch(app().url + path, { headers: { authorization: `Bearer ${president.token}` } })
  return response.text()
}

async function payingMember(): Promise<{ browser: TestBrowser; email: string; id: string }> {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart()
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().drain()
  return { browser, email: person.email, id: await idOf(person.email) }
}

describe('the list', () => {
  test('searches and filters; the export requires permission and is audited', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student', firstName: 'Zubin', lastName: '=SUM(1)' })
    const found = await president.get('/api/console/members?q=zubin&status=ACTIVE&level=medical_student&ending=400')
    expect(found.body).toMatchObject({ total: 1, members: [{ email, state: 'ACTIVE', credentials: null }] })
    expect((await president.get('/api/console/members?q=zubin&status=EXPIRED')).body.total).toBe(0)
    expect((await president.get(`/api/console/members?q=zubin&joinedTo=${addDays(today(), -1)}`)).body.total).toBe(0)
    expect((await president.get(`/api/console/members?q=zubin&joinedFrom=${today()}`)).body.total).toBe(1)
    expect((await president.get('/api/console/members?status=GONE')).status).toBe(400)

    const file = await download('/api/console/members/export?q=zubin')
    expect(file).toContain(`"${email}"`)
    expect(file).toContain(`"'=SUM(1)"`)
    expect((await viewer.get('/api/console/members/export')).body.code).toBe('NOT_ALLOWED')
    const history = await president.get('/api/console/audit?q=members.exported')
    expect(history.body.entries[0].details).toMatchObject({ members: 1, choice: { q: 'zubin' } })
  })
})

describe('one person', () => {
  test('of two concurrent profile edits one succeeds, audited with before and after', async () => {
    const browser = app().browser()
    const { email, username } = await browser.join({ levelKey: 'medical_student', firstName: 'Old', lastName: 'Name' })
    const id = await idOf(email)
    const seen = { username, firstName: 'Old', lastName: 'Name' }
    const wanted = { username, firstName: 'New', lastName: 'Name', seen }
    const save = () => president.call('PUT', `/api/console/members/${id}/profile`, wanted)
    const answers = await Promise.all([save(), save()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { name, history } = await look(id)
    expect(name).toEqual({ first: 'New', last: 'Name' })
    expect(history[0]).toMatchObject({
      action: 'profile.changed',
      details: { before: seen, after: { firstName: 'New' } },
    })
    expect((await viewer.call('PUT', `/api/console/members/${id}/profile`, wanted)).body.code).toBe('NOT_ALLOWED')
  })

  test('disabling signs a member out immediately and can be reversed; officers cannot be disabled', async () => {
    const { browser, email, id } = await payingMember()
    const out = await president.post(`/api/console/members/${id}/disable`, { reason: 'Asked for it by telephone' })
    expect(out.body).toMatchObject({ state: 'DISABLED' })
    expect((await browser.get('/api/account/profile')).status).toBe(401)
    await app().drain()
    expect((await look(id)).subscription?.renewal).toBe('stopped')
    expect((await president.post(`/api/console/members/${id}/enable`, {})).body.state).toBe('ACTIVE')
    expect((await app().browser().logIn(email)).status).toBe(200)
    const { accountId } = await newOfficer(app(), ['editor'])
    const { browser: secretary } = await newOfficer(app(), ['secretary'])
    await recordSecondFactor(app(), secretary)
    const seen = (await secretary.get(`/api/console/members/${id}`)).body
    expect([seen.payments, seen.mayChange, seen.mayDecide, seen.mayChangeMoney]).toEqual([null, true, true, false])
    const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
    await recordSecondFactor(app(), treasurer)
    expect((await treasurer.get(`/api/console/members/${id}`)).body.mayDecide).toBe(false)
    const officer = await president.post(`/api/console/members/${accountId}/disable`, { reason: 'x' })
    expect([officer.status, officer.body.code]).toEqual([409, 'IS_AN_OFFICER'])
  })

  test('only failed emails about the member can be resent', async () => {
    const { id } = await payingMember()
    const { db } = app().database
    const rows = await db.selectFrom('outbox').select(['id', 'payload']).where('kind', '=', 'email.receipt').execute()
    const { payments } = await look(id)
    const mine = rows.find(({ payload }) => payload.includes(String(payments?.[0]?.id)))?.id ?? ''
    const again = (emailId: string) => president.post(`/api/console/members/${id}/letters/${emailId}/send`, {})
    expect((await again(mine)).status).toBe(404)
    await db.updateTable('outbox').set({ doneAt: null, deadAt: 1 }).where('id', '=', mine).execute()
    expect((await look(id)).letters.find((email) => email.id === mine)).toMatchObject({ state: 'failed' })
    const other = await payingMember()
    const foreign = await president.post(`/api/console/members/${other.id}/letters/${mine}/send`, {})
    expect(foreign.status).toBe(404)
    expect((await again('of-another-member')).status).toBe(404)
    expect((await again(mine)).status).toBe(200)
    await app().drain()
    expect((await look(id)).letters.find((email) => email.id === mine)).toMatchObject({ state: 'sent' })
  })
})

describe('money', () => {
  test('a check starts a membership once, with receipt and emails; the next one adds a year', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student' })
    const id = await idOf(email)
    const pay = (reference: string) => recordDues(president, id, { reference, paidOn: today() })
    const both = await Promise.all([pay('1042'), pay('1042')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await app().drain()
    const held = await look(id)
    expect(held.subscription).toMatchObject({ status: 'ACTIVE', renewal: 'by-hand' })
    expect(held.payments).toMatchObject([{ amount: 10_000, byHand: 'Check 1042', purpose: 'start' }])
    expect(held.letters.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Receipt', 'Welcome to the membership']),
    )
    const own = await browser.get('/api/billing/payments')
    expect(own.body.payments).toMatchObject([{ byHand: 'Check 1042', purpose: 'start' }])
    const again = await pay(' 1042 ')
    expect(again.faults).toMatchObject([
      { field: 'reference', message: expect.stringMatching(/^This is already recorded, with receipt R-/) as string },
    ])
    const next = await pay('1043')
    const years = new Date(String(next.member.endsAt)).getUTCFullYear() - new Date(String(held.endsAt)).getUTCFullYear()
    expect([next.status, years]).toEqual([200, 1])
    const paper = await download(`/api/console/members/${id}/payments/${held.payments?.[0]?.id}/receipt`)
    expect(paper).toMatch(/^%PDF/)
  })

  test('a term can be granted and moved with a reason, but not when it renews by card or has changed since', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student' })
    const id = await idOf(email)
    const { version } = await look(id)
    const endsOn = addDays(today(), 500)
    const term = { levelKey: 'medical_student', endsOn, reason: 'Honored by the board', version }
    const moved = await president.post(`/api/console/members/${id}/term`, term)
    expect(dayOf(Date.parse(moved.body.endsAt), 'America/New_York')).toBe(endsOn)
    expect((await president.post(`/api/console/members/${id}/term`, term)).body.code).toBe('CHANGED_MEANWHILE')
    const past = { ...term, version: moved.body.version as string, endsOn: addDays(today(), -1) }
    expect((await president.post(`/api/console/members/${id}/term`, past)).body.errors).toHaveProperty('endsOn')
    const life = { levelKey: 'life_member', reason: 'Past president', version: moved.body.version as string }
    const granted = await president.post(`/api/console/members/${id}/term`, life)
    expect(granted.body).toMatchObject({ endsAt: null, subscription: { kind: 'ONE_TIME', status: 'ACTIVE' } })

    const member = await payingMember()
    const charged = { ...term, levelKey: 'annual_member', version: (await look(member.id)).version }
    const refused = await president.post(`/api/console/members/${member.id}/term`, charged)
    expect(refused.body.code).toBe('RENEWS_BY_CARD')
  })

  test('a free term is shown as complimentary with its reason in lists, books and exports until a payment replaces it', async () => {
    const { email } = await app().browser().join({ levelKey: 'medical_student' })
    const id = await idOf(email)
    const reason = 'Speaker of the gala'
    const term = { levelKey: 'resident_fellow', endsOn: addDays(today(), 200), reason }
    const { version } = await look(id)
    const given = await president.post(`/api/console/members/${id}/term`, { ...term, version })
    expect(given.body.complimentary).toBe(reason)
    const listed = async () => (await president.get(`/api/console/members?q=${email}`)).body.members[0]
    expect((await listed()).complimentary).toBe(reason)
    expect(await download(`/api/console/members/export?q=${email}`)).toContain(`"${reason}"`)
    const month = monthQuery(today().slice(0, 7))
    const { lines } = (await president.get(`/api/console/payments?${month}&state=complimentary`)).body
    expect(lines).toContainEqual(
      expect.objectContaining({
        type: 'complimentary',
        accountId: id,
        amount: 0,
        paidBy: 'Complimentary',
        state: 'complimentary',
        note: reason,
      }),
    )
    expect(await download(`/api/console/payments/export?${month}`)).toMatch(
      new RegExp(`"Complimentary term","Resident or Fellow",.*"Complimentary",0.00,"USD","Complimentary","${reason}"`),
    )
    const paid = {
      levelKey: 'resident_fellow',
      method: 'cash',
      reference: 'gala',
      amount: '25',
      paidOn: today(),
    } as const
    const renewed = await recordDues(president, id, { ...paid, note: 'Half a year' })
    expect([renewed.status, renewed.faults]).toEqual([200, []])
    expect(renewed.member.complimentary).toBeUndefined()
    expect((await listed()).complimentary).toBeUndefined()
  })

  test('extending a term sends no email, another level sends a welcome email, as the page announces', async () => {
    const { email } = await app().browser().join({ levelKey: 'medical_student' })
    const id = await idOf(email)
    await app().drain()
    const mails = () => app().standins.mails(email).length
    const give = async (levelKey: string, endsOn: string) => {
      const before = mails()
      const { movesTermOf, version } = await look(id)
      const term = { levelKey, endsOn, reason: 'Honored by the board', version }
      expect((await president.post(`/api/console/members/${id}/term`, term)).status).toBe(200)
      await app().drain()
      return { isMoved: movesTermOf === levelKey, sent: mails() - before }
    }
    expect(await give('medical_student', addDays(today(), 500))).toEqual({ isMoved: true, sent: 0 })
    expect(await give('resident_fellow', addDays(today(), 300))).toEqual({ isMoved: false, sent: 1 })
    expect(await give('resident_fellow', addDays(today(), 301))).toEqual({ isMoved: true, sent: 0 })

    // A manual term replaces a stopped subscription of the same level, with a welcome email.
    const member = await payingMember()
    const reason = 'Asked for it'
    const { version } = await look(member.id)
    await president.post(`/api/console/members/${member.id}/stop-renewal`, { reason, version })
    await app().drain()
    const stopped = await look(member.id)
    const before = app().standins.mails(member.email).length
    const term = { levelKey: 'annual_member', endsOn: addDays(today(), 400), reason, version: stopped.version }
    expect((await president.post(`/api/console/members/${member.id}/term`, term)).status).toBe(200)
    await app().drain()
    expect([stopped.movesTermOf, app().standins.mails(member.email).length - before]).toEqual([null, 1])
  })

  test('stopping a renewal and refunding a payment happen once at the provider, and the membership ends', async () => {
    const { id } = await payingMember()
    const before = await look(id)
    expect(before.hasSubscription).toBe(true)
    const reason = 'Moved to Alabama'
    const stop = () => president.post(`/api/console/members/${id}/stop-renewal`, { reason, version: before.version })
    expect((await stop()).body.subscription).toMatchObject({ renewal: 'stopped' })
    expect((await stop()).body.code).toBe('CHANGED_MEANWHILE')
    const refund = () =>
      president.post(`/api/console/members/${id}/payments/${before.payments?.[0]?.id}/refund`, { reason })
    const { body } = await refund()
    expect(body.payments[0].amountRefunded).toBe(body.payments[0].amount)
    expect(body.state).toBe('CANCELED')
    expect((await refund()).body.code).toBe('CHANGED_MEANWHILE')
    const month = monthQuery(today().slice(0, 7))
    const { lines, sums } = (await president.get(`/api/console/payments?${month}&size=100`)).body
    const mine = lines.filter((line: { accountId: string }) => line.accountId === id)
    expect(mine.map(({ type, amount }: { type: string; amount: number }) => [type, amount]).toSorted()).toEqual([
      ['payment', 10_000],
      ['refund', -10_000],
    ])
    expect(mine[0]).toMatchObject({ kind: 'dues', paidBy: 'Card', state: 'refunded' })
    expect([sums.refunded >= 10_000, sums.revenue]).toEqual([true, sums.received - sums.refunded])
    expect(await download(`/api/console/payments/export?${month}`)).toContain('"Card",-100.00,"USD","Refunded"')
    expect((await president.get(`/api/console/payments?${monthQuery('2019-02')}`)).body).toMatchObject({
      lines: [],
      sums: { revenue: 0 },
    })
    const actions = (await look(id)).history.map(({ action }) => action)
    expect(actions).toEqual(
      expect.arrayContaining(['membership.stop_asked', 'payment.refund_asked', 'payment.returned']),
    )
  })
})

test('credentials are decided once, with evidence', async () => {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  const given = { npi: '1234567893', licenceState: 'GA' }
  await browser.call('PUT', '/api/account/credentials', given)
  const { body } = await president.get('/api/console/credentials')
  const [credential] = body.waiting as { id: string; npiFits: boolean; email: string }[]
  expect(credential).toMatchObject({ email, npiFits: true })
  const decide = (decision: string, evidence: string) =>
    president.post(`/api/console/credentials/${credential?.id}`, { decision, evidence })
  expect((await decide('approved', ' ')).body.errors).toHaveProperty('evidence')
  expect((await decide('declined', 'The licence has ended')).body.waiting).toEqual([])
  expect((await decide('approved', 'NPPES')).body.code).toBe('CHANGED_MEANWHILE')
  expect((await look(await idOf(email))).credentials).toMatchObject([
    { status: 'declined', evidence: 'The licence has ended' },
  ])
  expect((await viewer.get('/api/console/credentials')).body.code).toBe('NOT_ALLOWED')
})
