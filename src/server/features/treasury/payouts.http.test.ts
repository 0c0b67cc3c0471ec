import { beforeAll, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let treasurer: TestBrowser
let arrivesOn = ''

beforeAll(async () => {
  const browser = app().browser()
  const { start } = await browser.registerAndStart({ firstName: 'Ila', lastName: 'Sen' })
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().drain()
  // Funds take two days to become available and one to reach the bank, in the provider's time zone.
  arrivesOn = addDays(dayOf(app().now(), 'UTC'), 3)
  await app().advance(4 * DAY_MS)
  treasurer = (await newOfficer(app(), ['treasurer'])).browser
  await recordSecondFactor(app(), treasurer)
})

const month = () => arrivesOn.slice(0, 7)

test('the treasurer sees payouts, their payers and the provider’s fees', async () => {
  const { payouts } = (await treasurer.get(`/api/console/payouts?month=${month()}`)).body
  expect(payouts).toHaveLength(1)
  const [payout] = payouts
  expect(payout).toMatchObject({ arrivesOn, state: 'arrived' })

  const { lines, fees } = (await treasurer.get(`/api/console/payouts/${payout.id as string}`)).body
  expect(lines).toMatchObject([
    { kind: 'payment', name: 'Ila Sen', receiptNumber: expect.stringMatching(/^R-\d{4}-/) as string },
  ])
  expect(fees).toBe(lines[0].fee)
  expect(lines[0].amount - fees).toBe(payout.amount)
})

test('the export has every line and is recorded in the audit log', async () => {
  const response = await fetch(`${app().url}/api/console/payouts/export?month=${month()}`, {
    headers: { authorization: `Bearer ${treasurer.token}` },
  })
  const file = await response.text()
  expect(response.headers.get('content-disposition')).toContain(`payouts-${month()}.csv`)
  expect(file.trim().split('\r\n')).toHaveLength(2)
  expect(file).toContain('"Ila Sen"')
  const { entries } = (await treasurer.get('/api/console/audit?q=payouts.exported')).body
  expect(entries[0].details).toEqual({ month: month(), lines: 1 })
})

test('an unknown payout is not found, a month without payouts is empty, and a provider outage is reported', async () => {
  expect((await treasurer.get('/api/console/payouts/po_1Nothing')).status).toBe(404)
  expect((await treasurer.get('/api/console/payouts/nothing')).status).toBe(400)
  expect((await treasurer.get('/api/console/payouts?month=2001-01')).body).toEqual({ payouts: [] })
  await app().standins.control({ stripe: 'error' })
  const away = await treasurer.get(`/api/console/payouts?month=${month()}`)
  expect([away.status, away.body.code]).toEqual([502, 'PROVIDER_AWAY'])
})

test('a refund is a negative number in the export, so that the sum matches the bank statement', async () => {
  await app().standins.control({ stripe: 'ok' })
  const browser = app().browser()
  const { start } = await browser.registerAndStart()
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().drain()
  const intent = app().standins.stripe.account.paymentIntents.all().at(-1)?.id ?? ''
  const refunded = await fetch(`${app().standins.url}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_standin' },
    body: new URLSearchParams({ payment_intent: intent, amount: '2500' }),
  })
  expect(refunded.status).toBe(200)
  const reaches = addDays(dayOf(app().now(), 'UTC'), 3).slice(0, 7)
  await app().advance(4 * DAY_MS)
  const officer = (await newOfficer(app(), ['treasurer'])).browser
  await recordSecondFactor(app(), officer)
  const { payouts } = (await officer.get(`/api/console/payouts?month=${reaches}`)).body
  const response = await fetch(`${app().url}/api/console/payouts/export?month=${reaches}`, {
    headers: { authorization: `Bearer ${officer.token}` },
  })
  const text = await response.text()
  const [heading = [], ...rows] = readCsv(text)
  const column = (name: string) => rows.map((cells) => cells[heading.indexOf(name)] ?? '')
  expect(column('amount')).toContain('-25.00')
  expect(text).toContain(',-25.00,')
  const inTheBank = payouts.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  expect(Math.round(column('net').reduce((sum, net) => sum + Number(net), 0) * 100)).toBe(inTheBank)
})
