import { beforeAll, expect, test } from 'vitest'
import { readCsv } from '#server/lib/csv/csv.ts'
import { openEvent } from '#tests/support/events.ts'
import { DISPUTED, membershipLife } from '#tests/support/membership-life.ts'
import { officerWith } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { treasury } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })
const { join, rowsOf, pass, subjectsTo } = membershipLife(app)
const { treasurer, row, record, act, download, list, today, expectSound } = treasury(app)
let member: Awaited<ReturnType<typeof join>>
let year = 0

beforeAll(async () => {
  member = await join()
  await join({ card: DISPUTED })
  const { payments } = await rowsOf(member)
  await act('dues', payments[0]?.id ?? '', 'refund', { amount: 2_500 })
  const eventId = await openEvent(app(), { price: 5_000 })
  await record([
    row({ kind: 'seats', email: member.email, eventId, guests: '1', amount: '100' }),
    row({ kind: 'sponsorship', email: 'kaveri@example.com', tierName: 'Silver', amount: '1000', method: 'wire' }),
  ])
  year = Number(today().slice(0, 4))
  await app().advance(4 * DAY_MS)
  await app().drain()
})

const span = () => `from=${year}-01-01&to=${year + 1}-12-31`

test('the year has totals by kind and month that agree with the list, and the year before', async () => {
  const found = (await (await treasurer()).get(`/api/console/year?year=${year}`)).body
  const { sums } = await list(`from=${year}-01-01&to=${year}-12-31`)
  expect(found).toMatchObject({
    year,
    label: String(year),
    total: { received: sums.received, refunded: sums.refunded, revenue: sums.revenue, before: 0 },
  })
  expect(found.months).toHaveLength(12)
  expect(found.months.reduce((sum: number, { revenue }: { revenue: number }) => sum + revenue, 0)).toBe(sums.revenue)
  expect(found.kinds).toMatchObject([
    { kind: 'dues', received: 20_000, refunded: 2_500 },
    { kind: 'seats', revenue: 10_000 },
    { kind: 'sponsorship', revenue: 100_000 },
  ])
  const after = (await (await treasurer()).get(`/api/console/year?year=${year + 1}`)).body
  expect(after.total.before).toBe(sums.revenue)
  const file = readCsv(await download(`/api/console/year/export?year=${year}`))
  expect(file.at(-1)).toEqual(['Total', '175.00', '100.00', '1000.00', '25.00', '1275.00', '0.00'])
})

test('the journal is balanced, has refunds and fees, and the account names of the officers', async () => {
  const accounts = {
    bank: 'Bank:Main',
    clearing: 'Stripe',
    undeposited: 'Undeposited',
    dues: '4010 Dues',
    seats: 'Events',
    sponsorships: 'Sponsors',
    fees: 'Fees',
    disputes: 'Disputes',
  }
  const saved = await (await treasurer()).call('PUT', '/api/console/accounting', { fiscalYearBeginsIn: 7, accounts })
  expect(saved.status).toBe(200)
  const rows = readCsv(await download(`/api/console/journal/export?${span()}`)).slice(1)
  const cents = (text = '') => Math.round(Number(text) * 100)
  const total = (column: number, account?: string) =>
    rows
      .filter((line) => account === undefined || line[2] === account)
      .reduce((sum, line) => sum + cents(line[column]), 0)
  expect(total(3)).toBe(total(4))
  expect(total(4, '4010 Dues') - total(3, '4010 Dues')).toBe(17_500)
  expect(total(3, 'Fees')).toBeGreaterThan(0)
  expect(total(3, 'Bank:Main')).toBeGreaterThan(0)
  expect(new Set(rows.map((line) => line[2])).has('Dues')).toBe(false)
  const quickBooks = await download(`/api/console/journal/export?${span()}&format=quickbooks`)
  expect(quickBooks.startsWith('"JournalNo","JournalDate","AccountName","Debits","Credits","Description"')).toBe(true)
  const entries = Map.groupBy(readCsv(quickBooks).slice(1), ([number]) => number)
  for (const lines of entries.values()) {
    expect(lines.reduce((sum, line) => sum + cents(line[3]) - cents(line[4]), 0)).toBe(0)
    expect(lines[0]?.[1]).toMatch(/^\d{2}\/\d{2}\/\d{4}$/)
  }
  const fiscal = (await (await treasurer()).get('/api/console/year?basis=fiscal')).body
  expect(fiscal).toMatchObject({ from: expect.stringMatching(/-07-01$/) as string, accounts })
  await app().standins.control({ stripe: 'error' })
  expect((await (await treasurer()).get(`/api/console/journal/export?${span()}`)).body.code).toBe('PROVIDER_AWAY')
  await app().standins.control({ stripe: 'ok' })
})

test('a member has a statement of the year, and officers email it to everyone who paid, once each', async () => {
  const { browser } = member
  await browser.logIn(member.email)
  expect((await browser.get('/api/billing/statements')).body).toEqual({
    years: [{ year, amount: 17_500, currency: 'usd' }],
  })
  const pdf = await fetch(`${app().url}/api/billing/statements/${year}`, {
    headers: { authorization: `Bearer ${browser.token}` },
  })
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await browser.get(`/api/billing/statements/${year - 1}`)).status).toBe(404)
  const officer = await treasurer()
  const before = (await officer.get(`/api/console/statements/${year}`)).body
  expect(before).toMatchObject({ members: 2, sent: 0, state: 'none' })
  expect((await officer.post(`/api/console/statements/${year}`, { members: 1 })).body.code).toBe('CHANGED_MEANWHILE')
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => officer.post(`/api/console/statements/${year}`, { members: 2 })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  for (let turn = 0; turn < 4; turn++) await app().drain()
  expect((await officer.get(`/api/console/statements/${year}`)).body).toMatchObject({
    sent: 2,
    skipped: 0,
    state: 'done',
  })
  await officer.post(`/api/console/statements/${year}`, { members: 2 })
  await pass(1)
  expect(subjectsTo(member.email).filter((subject) => subject === `Your statement for ${year}`)).toHaveLength(1)
})

test('a viewer sees the year and changes nothing', async () => {
  const viewer = await officerWith(app(), ['viewer'])
  expect((await viewer.get('/api/console/year')).body.mayChange).toBe(false)
  expect((await viewer.post(`/api/console/statements/${year}`, { members: 2 })).status).toBe(403)
  await expectSound()
})
