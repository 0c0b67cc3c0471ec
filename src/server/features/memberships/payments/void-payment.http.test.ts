import type { PaymentLine, PaymentSums } from '#contract/console/money/payments.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleMember, MemberPaymentRecord } from '#contract/console/member.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { payments as paymentsCommand } from '#server/admin/payments.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { newOfficer, OFFICER_PASSWORD, recordSecondFactor } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { monthQuery } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { recordDues } from '#tests/support/orders/record-dues.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let treasurer: TestBrowser
let treasurerId = ''
let treasurerEmail = ''
let president: TestBrowser
let presidentEmail = ''

beforeAll(async () => {
  const officer = await newOfficer(app(), ['treasurer'])
  treasurer = officer.browser
  treasurerId = officer.accountId
  treasurerEmail = officer.email
  const first = await newOfficer(app(), ['president'])
  president = first.browser
  presidentEmail = first.email
  await recordSecondFactor(app(), treasurer)
  await recordSecondFactor(app(), president)
})

const today = () => dayOf(app().now(), app().config.timeZone)
const look = async (id: string) => (await president.get(`/api/console/members/${id}`)).body as ConsoleMember
const subjects = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject)
let checks = 1000

/** A member with a free membership who paid for another level by check. */
async function paidByCheck(levelKey = 'annual_member') {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  const found = await president.get(`/api/console/members?q=${encodeURIComponent(email)}`)
  const id = found.body.members[0].id as string
  const before = await look(id)
  const [payment] = await pay(id, { levelKey })
  return { browser, email, id, before, payment: payment as MemberPaymentRecord }
}

async function pay(id: string, given: object = {}): Promise<MemberPaymentRecord[]> {
  const check = { note: 'As agreed', reference: String(checks++), paidOn: today() }
  const { status, faults, member } = await recordDues(treasurer, id, { ...check, ...given })
  expect([status, faults]).toEqual([200, []])
  await app().drain()
  return member.payments ?? []
}

async function cancel(id: string, paymentId: string, by = treasurer) {
  const { version } = await look(id)
  return by.post(`/api/console/members/${id}/payments/${paymentId}/void`, { reason: 'The bank returned it', version })
}

async function correct(id: string, paymentId: string, given: object = {}) {
  const { version } = await look(id)
  const check = {
    levelKey: 'annual_member',
    method: 'cheque',
    reference: String(checks++),
    amount: '100',
    paidOn: today(),
  }
  const wanted = { ...check, ...given, reason: 'A typing mistake', version }
  return treasurer.post(`/api/console/members/${id}/payments/${paymentId}/correct`, wanted)
}

describe('voiding a check', () => {
  test('ends its term, resumes the replaced membership, keeps the receipt number, and reports all of it', async () => {
    const { browser, email, id, before, payment } = await paidByCheck()
    expect(payment).toMatchObject({ ifReturned: 'ends', refund: { amount: 0 }, voided: null })
    const { status, body } = await cancel(id, payment.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'ACTIVE',
      endsAt: before.endsAt,
      subscription: { membershipLevel: { key: 'medical_student' } },
      payments: [
        { receiptNumber: payment.receiptNumber, voided: { reason: 'The bank returned it' }, byHand: payment.byHand },
      ],
    })
    await app().drain()
    expect(subjects(email)[0]).toBe(`Receipt ${payment.receiptNumber} was canceled`)
    expect(app().standins.mails(email)[0]?.text).toContain('Your membership as Medical Student continues until')
    const own = (await browser.get('/api/billing/payments')).body.payments
    expect(own[0]).toMatchObject({ receiptNumber: payment.receiptNumber, canceledAt: expect.any(String) as string })
    const { history } = await look(id)
    const entry = history.find(({ action }) => action === 'payment.voided')
    expect(entry?.details).toMatchObject({ reason: 'The bank returned it', after: { membership: 'resumed' } })
  })

  test('repeated requests void it once', async () => {
    const { id, payment } = await paidByCheck()
    const both = await Promise.all([cancel(id, payment.id), cancel(id, payment.id, president)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await cancel(id, payment.id)).body.code).toBe('CHANGED_MEANWHILE')
    expect((await correct(id, payment.id)).body.code).toBe('CHANGED_MEANWHILE')
    const { history } = await look(id)
    expect(history.filter(({ action }) => action === 'payment.voided')).toHaveLength(1)
  })

  test('requires permission, and rejects a card payment, another member’s payment, a stale page and the officer’s own account', async () => {
    const { id, payment } = await paidByCheck()
    const secretary = (await newOfficer(app(), ['secretary'])).browser
    await recordSecondFactor(app(), secretary)
    expect((await cancel(id, payment.id, secretary)).body.code).toBe('NOT_ALLOWED')
    const stale = { reason: 'x', version: 'of yesterday' }
    const path = `/api/console/members/${id}/payments/${payment.id}/void`
    expect((await treasurer.post(path, stale)).body.code).toBe('CHANGED_MEANWHILE')
    const other = await paidByCheck()
    expect((await cancel(other.id, payment.id)).status).toBe(404)
    const browser = app().browser()
    const { start, person } = await browser.registerAndStart()
    await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
    await app().drain()
    const found = await president.get(`/api/console/members?q=${encodeURIComponent(person.email)}`)
    const card = await look(found.body.members[0].id as string)
    expect((await cancel(card.id, card.payments?.[0]?.id ?? '')).body.code).toBe('NOT_BY_HAND')
    const { member } = await recordDues(president, treasurerId, { method: 'cash', reference: 'own', paidOn: today() })
    const own = member.payments?.[0]?.id ?? ''
    const refused = await cancel(treasurerId, own)
    expect(refused.body).toMatchObject({
      code: 'OWN_ACCOUNT',
      message: 'Ask another officer to do this for your own account.',
    })
    expect((await cancel(treasurerId, own, president)).status).toBe(200)
  })

  test('a refund of it is rejected with the reason', async () => {
    const { id, payment } = await paidByCheck()
    const answer = await treasurer.post(`/api/console/members/${id}/payments/${payment.id}/refund`, { reason: 'x' })
    expect([answer.status, answer.body.code]).toEqual([409, 'NOT_REFUNDABLE'])
    expect(answer.body.message).toBe(payment.refund.refusal)
    expect(answer.body.message).toMatch(/not paid by card/)
    const { db } = app().database
    await db.updateTable('payment').set({ reference: 'sample-1' }).where('id', '=', payment.id).execute()
    const [sample] = (await look(id)).payments ?? []
    expect(sample?.refund).toEqual({ amount: 0, refusal: expect.stringMatching(/^No card was charged/) as string })
  })
})

describe('correcting a recorded check', () => {
  test('amount, number and date: a new receipt names the canceled one, the term stays, one email is sent', async () => {
    const { email, id, payment } = await paidByCheck()
    const held = await look(id)
    const before = subjects(email).length
    const day = addDays(today(), -3)
    const { status, body } = await correct(id, payment.id, { method: 'cash', amount: '90.50', paidOn: day })
    expect(status).toBe(200)
    const [first, second] = body.payments as MemberPaymentRecord[]
    const [replacement, old] = first?.replaces ? [first, second] : [second, first]
    expect(replacement).toMatchObject({
      amount: 9_050,
      replaces: payment.receiptNumber,
      voided: null,
      ifReturned: 'ends',
    })
    expect(old).toMatchObject({ receiptNumber: payment.receiptNumber, replacedBy: replacement?.receiptNumber })
    expect([body.endsAt, body.version]).toEqual([held.endsAt, held.version])
    await app().drain()
    expect(subjects(email).length).toBe(before + 1)
    const mail = app().standins.mails(email)[0]
    expect(mail?.subject).toBe(`Receipt ${replacement?.receiptNumber} for $90.50`)
    expect(mail?.text).toContain(`Replaces: ${payment.receiptNumber}, which is canceled`)
    // The correction replaces the payment: voiding it ends the membership.
    expect((await cancel(id, replacement?.id ?? '')).body.subscription.membershipLevel.key).toBe('medical_student')
  })

  test('to another level: the term is replaced, starting on the day the payment was recorded', async () => {
    const { id, payment } = await paidByCheck('resident_fellow')
    const began = app().now()
    await app().advance(5 * DAY_MS)
    await recordSecondFactor(app(), treasurer)
    await recordSecondFactor(app(), president)
    const { status, body } = await correct(id, payment.id, { levelKey: 'annual_member' })
    expect(status).toBe(200)
    expect(body.subscription).toMatchObject({ status: 'ACTIVE', membershipLevel: { key: 'annual_member' } })
    expect(Math.abs(Date.parse(body.endsAt) - began - 365 * DAY_MS)).toBeLessThan(2 * DAY_MS)
    const { history } = await look(id)
    expect(history.find(({ action }) => action === 'payment.corrected')?.details).toMatchObject({
      before: { receiptNumber: payment.receiptNumber, level: 'resident_fellow' },
      after: { level: 'annual_member' },
    })
  })

  test('of two concurrent corrections one succeeds', async () => {
    const { id, payment } = await paidByCheck()
    const both = await Promise.all([
      correct(id, payment.id, { amount: '10' }),
      correct(id, payment.id, { amount: '20' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await look(id)).payments).toHaveLength(2)
  })
})

test('a past month does not change: voids and corrections are booked on their own date', async () => {
  const { id, payment } = await paidByCheck()
  const [other] = await pay(id)
  const month = today().slice(0, 7)
  const books = async (wanted: string) => {
    const { lines, sums } = (await treasurer.get(`/api/console/payments?${monthQuery(wanted)}&size=100`)).body
    return { lines: lines as PaymentLine[], ...(sums as PaymentSums) }
  }
  const closed = await books(month)
  await app().advance(32 * DAY_MS)
  await treasurer.logIn(treasurerEmail, OFFICER_PASSWORD)
  await president.logIn(presidentEmail, OFFICER_PASSWORD)
  await recordSecondFactor(app(), treasurer)
  await recordSecondFactor(app(), president)
  expect((await cancel(id, payment.id)).status).toBe(200)
  expect((await correct(id, other?.id ?? '', { amount: '40', paidOn: `${month}-01` })).status).toBe(200)
  const { received, refunded, revenue } = await books(month)
  expect({ received, refunded, revenue }).toEqual({
    received: closed.received,
    refunded: closed.refunded,
    revenue: closed.revenue,
  })
  const now = await books(today().slice(0, 7))
  expect(now.revenue).toBe(4_000 - 20_000)
  expect(now.lines.map(({ type, amount }) => [type, amount])).toEqual(
    expect.arrayContaining([
      ['canceled', -10_000],
      ['canceled', -10_000],
      ['payment', 4_000],
    ]),
  )
  const response = await fetch(`${app().url}/api/console/payments/export?${monthQuery(today().slice(0, 7))}`, {
    headers: { authorization: `Bearer ${treasurer.token}` },
  })
  const [heading = [], ...rows] = readCsv(await response.text())
  const sum = rows.reduce((total, cells) => total + Number(cells[heading.indexOf('Amount')]), 0)
  expect(Math.round(sum * 100)).toBe(now.revenue)
  const said: string[] = []
  const tools = { database: app().database, config: app().config, clock: { now: () => app().now(), close() {} } }
  await paymentsCommand([today().slice(0, 7)], { ...tools, say: (line: string) => void said.push(line) })
  expect(said.at(-1)).toContain('-$160 net')
})

test('the webmaster voids and corrects by command, with a reason', async () => {
  const { id, payment } = await paidByCheck()
  const said: string[] = []
  const tools = { database: app().database, config: app().config, clock: { now: () => app().now(), close() {} } }
  const command = (...args: string[]) => paymentsCommand(args, { ...tools, say: (line) => void said.push(line) })
  expect(await command('void', payment.receiptNumber)).toBe(2)
  expect(await command('void', 'R-2026-NOTHING', 'why')).toBe(2)
  expect(await command('correct', payment.receiptNumber, '--amount', 'ten', 'why')).toBe(2)
  expect(await command('correct', payment.receiptNumber, '--paid-on', '2999-01-01', 'why')).toBe(1)
  expect(said.at(-1)).toBe('This date is in the future')
  expect(
    await command('correct', payment.receiptNumber, '--amount', '75', '--method', 'cash', 'Counted', 'again'),
  ).toBe(0)
  const corrected = (await look(id)).payments?.find(({ replaces }) => replaces === payment.receiptNumber)
  expect(corrected).toMatchObject({ amount: 7_500, byHand: payment.byHand?.replace('Check', 'Cash') })
  expect(said.at(-1)).toContain(`replaced by ${corrected?.receiptNumber}`)
  expect(await command('void', corrected?.receiptNumber ?? '', 'Wrong', 'member')).toBe(0)
  expect(await command('void', corrected?.receiptNumber ?? '', 'Wrong', 'member')).toBe(1)
  const entry = (await look(id)).history.find(({ action }) => action === 'payment.voided')
  expect(entry?.details).toMatchObject({ reason: 'Wrong member' })
})

test('all money and membership invariants hold afterwards', async () => {
  await app().drain()
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  const broken: string[] = []
  for (const { name, findViolations: find } of invariants) {
    // One test deliberately creates a payment like those of the samples.
    if (name !== 'job-comes-round' && (await find(tools)).length > 0) broken.push(name)
  }
  expect(broken).toEqual([])
})
