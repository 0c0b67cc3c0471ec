import { afterEach, beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { DISPUTED, membershipLife } from '#tests/support/membership-life.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { monthQuery } from '#tests/support/orders/treasury.ts'
import { startSponsoring } from '#tests/support/sponsors.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { openDispute } from '#standins/stripe/payments/disputes.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, provider, subjectsTo } = membershipLife(app)
const OFFICERS = 'office@example.org'
const QUARTER_HOUR_MS = 15 * 60_000
const DISPUTE = 'Website alert: A payment is disputed'
let treasurer: TestBrowser
let companies = 0

beforeEach(async () => {
  treasurer = await officerWith(app(), ['treasurer'])
  await recordSecondFactor(app(), treasurer)
})
afterEach(() => app().standins.control({ webhooks: 'deliver' }))

/** A paid sponsorship of the Gold tier, with remarks, table and logo. */
async function sponsor(card?: string) {
  const company = `Returned ${++companies}`
  const { body, answer } = await startSponsoring(app(), { company, tierName: 'Gold', amount: 2_000 })
  await app()
    .browser()
    .pay(answer.body.sessionUrl as string, card)
  await app().drain()
  const row = () =>
    app().database.db.selectFrom('sponsorship').selectAll().where('email', '=', body.email).executeTakeFirstOrThrow()
  const { id, paymentReference: intent } = await row()
  return { id, company, row, intent: intent ?? '', disputeId: () => disputeOf(intent ?? '') }
}

function disputeOf(intent: string): string {
  const disputes = app().standins.stripe.account.disputes.all()
  return disputes.find(({ payment_intent }) => payment_intent === intent)?.id ?? ''
}

async function monthOf({ id }: { id: string }) {
  const month = dayOf(app().now(), app().config.timeZone).slice(0, 7)
  const { lines, sums } = (await treasurer.get(`/api/console/payments?${monthQuery(month)}&size=100`)).body
  const file = await fetch(`${app().url}/api/console/payments/export?${monthQuery(month)}`, {
    headers: { authorization: `Bearer ${treasurer.token}` },
  })
  const payment = lines.filter((one: { paymentId: string }) => one.paymentId === id)
  return { payment, returned: sums.refunded, file: await file.text() }
}

async function listed(show: 'open' | 'all', { company }: { company: string }) {
  const { sponsorships } = (await treasurer.get(`/api/console/sponsors?show=${show}&q=${company}`)).body
  return sponsorships as { amountRefunded: number; dispute: string | null; promises: { kind: string }[] }[]
}

async function openPromises(): Promise<number> {
  const { tasks } = (await treasurer.get('/api/console/today')).body
  return tasks.find(({ key }: { key: string }) => key === 'promises')?.count ?? 0
}

async function speakers(): Promise<string[]> {
  const { waiting } = (await treasurer.get('/api/console/run-of-show/2031-02-14')).body
  return waiting.map(({ sponsorshipId }: { sponsorshipId: string }) => sponsorshipId)
}

test('a full refund of a sponsorship is recorded, and its benefits are no longer due', async () => {
  const one = await sponsor()
  const before = { promises: await openPromises(), returned: (await monthOf(one)).returned as number }
  await treasurer.call('PUT', `/api/console/sponsors/${one.id}/promises/table`, { isKept: true })
  expect(await speakers()).toContain(one.id)
  await provider('refunds', { payment_intent: one.intent })
  expect(await one.row()).toMatchObject({ amountRefunded: 200_000, refundedAt: expect.any(Number), state: 'paid' })
  const { payment, returned, file } = await monthOf(one)
  expect(payment.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([-200_000, 200_000])
  expect(payment[0]).toMatchObject({ kind: 'sponsorship', state: 'refunded' })
  expect(returned).toBe(before.returned + 200_000)
  expect(file).toMatch(new RegExp(`"${one.company}",.*-2000\\.00,"USD","Refunded"`))
  expect(await listed('open', one)).toEqual([])
  const [shown] = await listed('all', one)
  expect(shown).toMatchObject({ amountRefunded: 200_000, dispute: null, promises: [{ kind: 'table' }] })
  expect(await openPromises()).toBe(before.promises - 3)
  expect(await speakers()).not.toContain(one.id)
  const { entries } = (await treasurer.get(`/api/console/audit?q=${one.id}`)).body
  expect(entries.map(({ action }: { action: string }) => action)).toContain('sponsorship.returned')
  const late = await treasurer.call('PUT', `/api/console/sponsors/${one.id}/promises/remarks`, { isKept: true })
  expect(late.status).toBe(404)
})

test('a partial refund leaves all benefits due', async () => {
  const one = await sponsor()
  await provider('refunds', { payment_intent: one.intent, amount: '50000' })
  expect((await listed('open', one))[0]).toMatchObject({
    amountRefunded: 50_000,
    promises: [{ kind: 'remarks' }, { kind: 'table' }, { kind: 'logo' }],
  })
  expect(await speakers()).toContain(one.id)
})

test('a dispute alerts the officers immediately, and a lost one counts as refunded', async () => {
  const one = await sponsor()
  const { account } = app().standins.stripe
  const charge = account.charges.all().find(({ payment_intent }) => payment_intent === one.intent)
  if (!charge) throw new Error('it was paid')
  openDispute(account, charge)
  await app().drain()
  expect(await one.row()).toMatchObject({ disputeState: 'open' })
  expect(subjectsTo(OFFICERS)).toContain(DISPUTE)
  expect((await listed('open', one))[0]).toMatchObject({ dispute: 'open' })
  expect((await monthOf(one)).file).toMatch(new RegExp(`"${one.company}",.*"Disputed"`))
  await pass(1)
  await provider(`disputes/${one.disputeId()}/close`, {})
  await recordSecondFactor(app(), treasurer)
  expect((await listed('all', one))[0]).toMatchObject({ dispute: 'lost', promises: [] })
  expect(await listed('open', one)).toEqual([])
})

test('the reconciler finds refunds and disputes whose webhook events are lost', async () => {
  await pass(1)
  await app().standins.control({ webhooks: 'drop' })
  const [back, disputed] = [await sponsor(), await sponsor(DISPUTED)]
  await app().advance(QUARTER_HOUR_MS)
  await app().drain()
  await app().drain()
  const [paid, doubted] = [await back.row(), await disputed.row()]
  await provider('refunds', { payment_intent: paid.paymentReference ?? '' })
  await app().advance(QUARTER_HOUR_MS)
  await app().drain()
  await app().drain()
  expect((await back.row()).amountRefunded).toBe(200_000)
  expect(doubted.disputeState).toBe('open')
})
