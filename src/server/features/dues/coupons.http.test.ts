import { beforeAll, expect, test } from 'vitest'
import type { ConsoleCoupon } from '#contract/console/coupons.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { moneyInvariants } from '#server/monitoring/invariants/money.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { monthQuery } from '#tests/support/orders/treasury.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { rowsOf, emailTo, pass } = membershipLife(app)
const COUPONS = '/api/console/coupons'
let treasurer: TestBrowser

beforeAll(async () => {
  treasurer = (await newOfficer(app(), ['treasurer'])).browser
  await recordSecondFactor(app(), treasurer)
})

async function createCoupon(code: string, over: object = {}) {
  const answer = await treasurer.post(COUPONS, { code, kind: 'percent', off: '25', levels: ['annual_member'], ...over })
  await app().drain()
  return answer
}

async function coupon(code: string): Promise<ConsoleCoupon> {
  const { coupons } = (await treasurer.get(COUPONS)).body as { coupons: ConsoleCoupon[] }
  const found = coupons.find((one) => one.code === code)
  if (!found) throw new Error(`There is no coupon ${code}`)
  return found
}

/** Enters a code on the provider's page. */
async function enterCode(
  sessionUrl: unknown,
  code: string,
): Promise<{ status: number; total?: number; message?: string }> {
  const response = await fetch(`${String(sessionUrl)}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

async function joinWith(code: string, levelKey = 'annual_member') {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey })
  const entered = await enterCode(start.body.sessionUrl, code)
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().drain()
  return { person, typed: entered, browser }
}

/** Ids of the payments that `npm run admin -- check` would report. */
async function findBrokenPayments(): Promise<string[]> {
  const { db } = app().database
  const tools = {
    db,
    now: app().now(),
    secrets: createSecrets('for tests only, and of fair length'),
    mediaDirectory: '',
  }
  return (await Promise.all(moneyInvariants.map(({ findViolations: find }) => find(tools)))).flat()
}

test('a code discounts the first term and appears on the payment and receipt; the next renewal is at full price', async () => {
  expect((await createCoupon('welcome')).status).toBe(200)
  expect(await coupon('WELCOME')).toMatchObject({ state: 'active', off: '25% off', levels: ['Annual Member'], uses: 0 })
  const { person, typed: entered } = await joinWith('Welcome')
  expect(entered).toEqual({ status: 200, total: 7_500 })
  const { payments, current } = await rowsOf(person)
  expect(payments).toMatchObject([{ amount: 7_500, discount: 2_500, couponCode: 'WELCOME' }])
  expect(current).toMatchObject({ stripeStatus: 'active', renewalAmount: 10_000 })
  expect(emailTo(person.email, /receipt/i).text).toMatch(/Price: \$100\s+Code WELCOME: -\$25\s+Amount: \$75/)
  expect((await coupon('WELCOME')).uses).toBe(1)
  const month = dayOf(app().now(), app().config.timeZone).slice(0, 7)
  const { lines } = (await treasurer.get(`/api/console/payments?${monthQuery(month)}`)).body as { lines: object[] }
  expect(lines).toContainEqual(expect.objectContaining({ amount: 7_500, note: 'Coupon WELCOME, $25 off' }))
  const csv = await fetch(`${app().url}/api/console/payments/export?${monthQuery(month)}`, {
    headers: { authorization: `Bearer ${treasurer.token}` },
  })
  expect(await csv.text()).toContain('Coupon WELCOME, $25 off')
  expect(await findBrokenPayments()).toEqual([])
})

test('a 100% code starts a yearly or lifetime membership without a charge', async () => {
  await createCoupon('GUEST', { off: '100', levels: ['annual_member', 'life_member'], mostUses: 2 })
  for (const levelKey of ['annual_member', 'life_member']) {
    const { person, typed: entered } = await joinWith('GUEST', levelKey)
    expect(entered.total).toBe(0)
    const { payments, current } = await rowsOf(person)
    expect(payments).toMatchObject([{ amount: 0, couponCode: 'GUEST' }])
    expect(current).toMatchObject({ levelKey, endedAt: null })
  }
  expect(await coupon('GUEST')).toMatchObject({ state: 'used-up', uses: 2 })
  const { start } = await app().browser().registerAndStart({ levelKey: 'life_member' })
  expect((await enterCode(start.body.sessionUrl, 'GUEST')).status).toBe(400)
  expect(await findBrokenPayments()).toEqual([])
})

test('a code works for its levels until it is ended, after which pages already open reject it', async () => {
  await createCoupon('ASSOC', { levels: ['associate_member'] })
  const { start } = await app().browser().registerAndStart({ levelKey: 'annual_member' })
  expect((await enterCode(start.body.sessionUrl, 'ASSOC')).message).toBe('This code can’t be used for this.')
  const other = await app().browser().registerAndStart({ levelKey: 'associate_member' })
  const { id } = await coupon('ASSOC')
  expect((await treasurer.post(`${COUPONS}/${id}/end`, {})).status).toBe(200)
  await app().drain()
  expect((await enterCode(other.start.body.sessionUrl, 'ASSOC')).message).toBe('This code is invalid.')
  expect((await treasurer.post(`${COUPONS}/${id}/end`, {})).body.code).toBe('CHANGED_MEANWHILE')
  expect((await coupon('ASSOC')).state).toBe('ended')
})

test('a checkout started before a code existed is replaced by one that accepts it on retry', async () => {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey: 'resident_fellow' })
  expect((await enterCode(start.body.sessionUrl, 'LATER')).status).toBe(400)
  await createCoupon('LATER', { levels: ['resident_fellow'], kind: 'amount', off: '$5' })
  const again = () => browser.post('/api/stripe/checkout/start', { levelKey: 'resident_fellow', email: person.email })
  const { body } = await again()
  expect(body.sessionUrl).not.toBe(start.body.sessionUrl)
  expect((await enterCode(body.sessionUrl, 'LATER')).total).toBe(2_000)
  expect((await again()).body).toMatchObject({ reused: true, sessionUrl: body.sessionUrl })
})

test('a code expires after its last day on the association’s calendar', async () => {
  const today = dayOf(app().now(), app().config.timeZone)
  await createCoupon('SHORT', { validUntil: addDays(today, 2) })
  expect(await coupon('SHORT')).toMatchObject({ validUntil: addDays(today, 2), state: 'active' })
  await pass(4)
  await recordSecondFactor(app(), treasurer)
  expect((await coupon('SHORT')).state).toBe('expired')
})

test('invalid input is reported per field; a code is unique, also at the provider', async () => {
  const problem = async (over: object, code = 'OTHER') =>
    (await createCoupon(code, over)).body.errors as Record<string, string>
  expect(await problem({}, 'WELCOME')).toEqual({ code: 'This code already exists. Please choose another.' })
  expect(await problem({}, 'no spaces please')).toHaveProperty('code')
  expect(await problem({ off: '120' })).toHaveProperty('off')
  expect(await problem({ kind: 'amount', off: '99.80' })).toHaveProperty('off')
  expect(await problem({ levels: [] })).toHaveProperty('levels')
  expect(await problem({ levels: ['medical_student'] })).toHaveProperty('levels')
  expect(await problem({ validUntil: '2020-01-01' })).toHaveProperty('validUntil')
  expect(await problem({ mostUses: 0 })).toHaveProperty('mostUses')
  const { url } = app().standins
  const form = (path: string, body: Record<string, string>) =>
    fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_other' },
      body: new URLSearchParams(body),
    })
  await form('coupons', { id: 'elsewhere', percent_off: '50', duration: 'once' })
  await form('promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': 'elsewhere', code: 'TAKEN' })
  await createCoupon('TAKEN')
  expect((await coupon('TAKEN')).state).toBe('refused')
})

test('during a provider outage a coupon waits, and it becomes active afterwards', async () => {
  await app().standins.control({ stripe: 'error', times: 4 })
  await createCoupon('PATIENT')
  expect((await coupon('PATIENT')).state).toBe('waiting')
  await app().standins.control({ stripe: 'ok' })
  for (let turn = 0; turn < 3; turn++) await pass(0.02)
  expect((await coupon('PATIENT')).state).toBe('active')
})

test('an officer who may only view payments cannot create coupons', async () => {
  const viewer = await officerWith(app(), ['viewer'])
  expect((await viewer.get(COUPONS)).body.mayChange).toBe(false)
  const refused = await viewer.post(COUPONS, { code: 'MINE', kind: 'percent', off: '100', levels: ['life_member'] })
  expect(refused.body.code).toBe('NOT_ALLOWED')
})
