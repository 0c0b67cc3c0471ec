import { beforeAll, describe, expect, test } from 'vitest'
import { officerLimits, type Role } from '#contract/access.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { memberPage, officerWithSecondFactor, subjectsTo, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { deleteUnusedMember } from '../import/member-import.repository.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const today = () => dayOf(app().now(), app().config.timeZone)
let president: TestOfficer
let desk: TestOfficer

beforeAll(async () => {
  president = await officerWithSecondFactor(app(), 'president')
  desk = await officerWithSecondFactor(app(), 'membership')
})

let people = 0
function person(given: Record<string, unknown> = {}) {
  const number = ++people
  return {
    email: `added${number}@example.com`,
    firstName: 'Added',
    lastName: `Person ${String.fromCodePoint(64 + number)}`,
    levelKey: 'annual_member',
    startedOn: addDays(today(), -30),
    endsOn: addDays(today(), 335),
    paidBy: 'free',
    reason: 'Honored by the board',
    invites: false,
    ...given,
  }
}
const add = (by: TestOfficer, body: object) => by.browser.post('/api/console/members', body)

describe('adding one member', () => {
  test('free: the term is complimentary with its reason, and the invitation lets the member choose a password', async () => {
    const body = person({ invites: true })
    const added = await add(desk, body)
    expect(added.status).toBe(201)
    const page = await memberPage(president, added.body.id as string)
    expect(page).toMatchObject({
      email: body.email,
      state: 'ACTIVE',
      complimentary: 'Honored by the board',
      payments: [],
      subscription: { membershipLevel: { key: 'annual_member' } },
    })
    expect(dayOf(Date.parse(page.endsAt ?? ''), 'America/New_York')).toBe(body.endsOn)
    expect(page.history[0]).toMatchObject({ action: 'member.added', details: { paidBy: 'free', reason: body.reason } })
    await app().drain()
    const [email] = app().standins.mails(body.email)
    expect(email?.text).toContain('Our office added you as a member of the association')
    const link = await app().browser().linkInMail(body.email, '/reset-password')
    const chosen = await app()
      .browser()
      .post('/api/email/reset-password', { ...Object.fromEntries(link.searchParams), newPassword: 'a-quieter-veranda' })
    expect(chosen.status).toBe(200)
    expect((await app().browser().logIn(body.email, 'a-quieter-veranda')).status).toBe(200)
  })

  test('paid by check: the payment is in the books with its receipt, and the term is the one that was entered', async () => {
    const paidOn = addDays(today(), -3)
    const body = person({ paidBy: 'cheque', reference: '2044', amount: '100', paidOn, reason: undefined })
    const added = await add(president, body)
    expect(added.status).toBe(201)
    const page = await memberPage(president, added.body.id as string)
    expect(page.payments).toMatchObject([{ amount: 10_000, byHand: 'Check 2044', purpose: 'start' }])
    expect(dayOf(Date.parse(page.endsAt ?? ''), 'America/New_York')).toBe(body.endsOn)
    expect(page).not.toHaveProperty('complimentary')
    await app().drain()
    expect(subjectsTo(app(), body.email)).toEqual([expect.stringMatching(/^Receipt R-.* for \$100$/)])
  })

  test('a free level needs no reason, and a lifetime level no end date', async () => {
    const student = person({ levelKey: 'medical_student', reason: undefined })
    expect((await add(desk, student)).status).toBe(201)
    const life = await add(desk, person({ levelKey: 'life_member', endsOn: undefined }))
    expect(await memberPage(desk, life.body.id as string)).toMatchObject({ endsAt: null, state: 'ACTIVE' })
  })

  test('can be undone like an import, even with a pending change of address', async () => {
    const body = person()
    const id = (await add(desk, body)).body.id as string
    const change = { email: 'right@example.com', reason: 'Typing error', seen: body.email }
    expect((await desk.browser.post(`/api/console/members/${id}/email`, change)).status).toBe(200)
    const { db } = app().database
    expect(await db.transaction().execute((tx) => deleteUnusedMember(tx, id))).toBe(true)
    for (const table of ['emailChange', 'complimentaryTerm'] as const) {
      expect(await db.selectFrom(table).selectAll().where('accountId', '=', id).execute()).toEqual([])
    }
  })

  test('without an invitation no email is sent', async () => {
    const body = person()
    await add(desk, body)
    await app().drain()
    expect(subjectsTo(app(), body.email)).toEqual([])
  })
})

describe('invalid input is reported under its field', () => {
  test.each([
    [{ email: 'no address' }, 'email'],
    [{ firstName: '' }, 'firstName'],
    [{ levelKey: 'gold' }, 'levelKey'],
    [{ startedOn: '2026-02-30' }, 'startedOn'],
    [{ endsOn: undefined }, 'endsOn'],
    [{ endsOn: '2020-01-01' }, 'endsOn'],
    [{ reason: undefined }, 'reason'],
    [{ paidBy: 'gold' }, 'paidBy'],
    [{ paidBy: 'cash' }, 'reference'],
    [{ paidBy: 'cash', reference: '1' }, 'amount'],
    [{ paidBy: 'cash', reference: '1', amount: '100' }, 'paidOn'],
    [{ paidBy: 'cash', reference: '1', amount: '100', paidOn: '2099-01-01' }, 'paidOn'],
  ])('%o: %s', async (given, field) => {
    const body = person(given)
    const { status, body: answer } = await add(president, body)
    expect(status).toBe(400)
    expect(Object.keys(answer.errors as object)).toContain(field)
    const { db } = app().database
    expect(await db.selectFrom('account').select('id').where('email', '=', body.email).execute()).toEqual([])
  })

  test('rejects an address in use and names its account, which does not change', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student', firstName: 'Zubin', lastName: 'Mehta' })
    const { body } = await add(desk, person({ email: email.toUpperCase() }))
    expect(body.errors.email).toBe('Zubin Mehta has an account with this address.')
    expect((await browser.get('/api/account/profile')).body.profile.name).toEqual({ first: 'Zubin', last: 'Mehta' })
  })

  test('a likely duplicate is named, and added only after the officer confirms it is another person', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student', firstName: 'Leela', lastName: 'Iyer' })
    const body = person({ firstName: 'leela', lastName: 'Iyer' })
    const refused = await add(desk, body)
    expect(refused.body.errors.isSomebodyElse).toBe(
      `This may be someone who already has an account: Leela Iyer, ${email} (the same name).`,
    )
    expect((await add(desk, { ...body, isSomebodyElse: true })).status).toBe(201)
  })

  test('is named before the second factor is asked for again, so that no code is used up', async () => {
    const { email } = await app().browser().join({ levelKey: 'medical_student', firstName: 'Uma', lastName: 'Das' })
    const stale = await officerWithSecondFactor(app(), 'membership')
    const provedAt = app().now() - officerLimits.freshForMs - 1
    await app()
      .database.db.updateTable('sessionProof')
      .set({ provedAt })
      .where('accountId', '=', stale.accountId)
      .execute()
    const body = person({ firstName: 'Uma', lastName: 'Das' })
    expect((await add(stale, body)).body.errors).toMatchObject({
      isSomebodyElse: expect.stringContaining(email) as string,
    })
    expect((await add(stale, person({ email }))).body.errors.email).toMatch(/^Uma Das has an account/)
    const confirmed = await add(stale, { ...body, isSomebodyElse: true })
    expect([confirmed.status, confirmed.body.code]).toEqual([403, 'SECOND_FACTOR_AGAIN'])
  })

  test('accepts the address of a deleted account', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student', firstName: 'Gone', lastName: 'Once' })
    await browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    expect((await add(desk, person({ email }))).status).toBe(201)
  })

  test('two concurrent requests create one account and one payment', async () => {
    const body = person({ paidBy: 'cash', reference: 'envelope', amount: '100', paidOn: today(), isSomebodyElse: true })
    const answers = await Promise.all([add(president, body), add(president, body)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    const { db } = app().database
    const accounts = await db.selectFrom('account').select('id').where('email', '=', body.email).execute()
    expect(accounts).toHaveLength(1)
    const payments = await db
      .selectFrom('payment')
      .select('id')
      .where('accountId', '=', accounts[0]?.id ?? '')
      .execute()
    expect(payments).toHaveLength(1)
  })
})

describe('permissions', () => {
  const ROLES: [Role, number, number][] = [
    ['president', 201, 201],
    ['secretary', 201, 403],
    ['membership', 201, 403],
    ['treasurer', 403, 403],
    ['editor', 403, 403],
    ['viewer', 403, 403],
  ]
  test.each(ROLES)('%s: free %i, with a payment %i', async (role, free, paid) => {
    const officer = await officerWithSecondFactor(app(), role)
    expect((await add(officer, person())).status).toBe(free)
    const payment = { paidBy: 'cash', reference: `by ${role}`, amount: '100', paidOn: today() }
    expect((await add(officer, person(payment))).status).toBe(paid)
  })

  test('the form lists the levels and whether the officer may record a payment', async () => {
    const form = await president.browser.get('/api/console/member-form')
    expect(form.body).toMatchObject({ mayRecordPayments: true, today: today() })
    expect(form.body.levels).toContainEqual(
      expect.objectContaining({ key: 'annual_member', unitAmount: 10_000, isLifetime: false, interval: 'year' }),
    )
    expect((await desk.browser.get('/api/console/member-form')).body.mayRecordPayments).toBe(false)
  })
})
