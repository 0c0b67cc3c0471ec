import { beforeAll, expect, test } from 'vitest'
import type { ConsoleCoupon } from '#contract/console-coupons.ts'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, officerWith, prove } from '#tests/support/officers.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { moneyInvariants } from '#server/watching/invariants/money.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { rowsOf, letterTo, pass } = membershipLife(app)
const COUPONS = '/api/console/coupons'
let treasurer: TestBrowser

beforeAll(async () => {
  treasurer = (await newOfficer(app(), ['treasurer'])).browser
  await prove(app(), treasurer)
})

async function give(code: string, over: object = {}) {
  const answer = await treasurer.post(COUPONS, { code, kind: 'percent', off: '25', levels: ['annual_member'], ...over })
  await app().settle()
  return answer
}

async function coupon(code: string): Promise<ConsoleCoupon> {
  const { coupons } = (await treasurer.get(COUPONS)).body as { coupons: ConsoleCoupon[] }
  const found = coupons.find((one) => one.code === code)
  if (!found) throw new Error(`There is no coupon ${code}`)
  return found
}

/** Types a code on the provider's page. */
async function type(sessionUrl: unknown, code: string): Promise<{ status: number; total?: number; message?: string }> {
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
  const typed = await type(start.body.sessionUrl, code)
  await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  await app().settle()
  return { person, typed, browser }
}

/** Ids of payments that `npm run admin -- check` would name. */
async function broken(): Promise<string[]> {
  const { db } = app().database
  const tools = {
    db,
    now: app().now(),
    secrets: createSecrets('for tests only, and of fair length'),
    mediaDirectory: '',
  }
  return (await Promise.all(moneyInvariants.map(({ find }) => find(tools)))).flat()
}

test('a code takes its part off the first term; payment and receipt tell it; the next renewal is whole', async () => {
  expect((await give('welcome')).status).toBe(200)
  expect(await coupon('WELCOME')).toMatchObject({ state: 'active', off: '25% off', levels: ['Annual Member'], uses: 0 })
  const { person, typed } = await joinWith('Welcome')
  expect(typed).toEqual({ status: 200, total: 7_500 })
  const { payments, current } = await rowsOf(person)
  expect(payments).toMatchObject([{ amount: 7_500, discount: 2_500, coupon_code: 'WELCOME' }])
  expect(current).toMatchObject({ stripe_status: 'active', renewal_amount: 10_000 })
  expect(letterTo(person.email, /receipt/i).text).toMatch(/Price: \$100\s+Code WELCOME: -\$25\s+Amount: \$75/)
  expect((await coupon('WELCOME')).uses).toBe(1)
  const month = dayOf(app().now(), app().config.timeZone).slice(0, 7)
  const { payments: listed } = (await treasurer.get(`/api/console/payments?month=${month}`)).body as {
    payments: object[]
  }
  expect(listed).toContainEqual(expect.objectContaining({ amount: 7_500, coupon: { code: 'WELCOME', amount: 2_500 } }))
  const csv = await fetch(`${app().url}/api/console/payments/export?month=${month}`, {
    headers: { authorization: `Bearer ${treasurer.token}` },
  })
  expect(await csv.text()).toContain('code WELCOME, 25.00 off')
  expect(await broken()).toEqual([])
})

test('a code for everything makes a member without a payment, of a yearly and of a lifetime level', async () => {
  await give('GUEST', { off: '100', levels: ['annual_member', 'life_member'], mostUses: 2 })
  for (const levelKey of ['annual_member', 'life_member']) {
    const { person, typed } = await joinWith('GUEST', levelKey)
    expect(typed.total).toBe(0)
    const { payments, current } = await rowsOf(person)
    expect(payments).toMatchObject([{ amount: 0, coupon_code: 'GUEST' }])
    expect(current).toMatchObject({ level_key: levelKey, ended_at: null })
  }
  expect(await coupon('GUEST')).toMatchObject({ state: 'used-up', uses: 2 })
  const { start } = await app().browser().registerAndStart({ levelKey: 'life_member' })
  expect((await type(start.body.sessionUrl, 'GUEST')).status).toBe(400)
  expect(await broken()).toEqual([])
})

test('a code is for its levels, until it is ended; whoever has a page open cannot use it afterwards', async () => {
  await give('ASSOC', { levels: ['associate_member'] })
  const { start } = await app().browser().registerAndStart({ levelKey: 'annual_member' })
  expect((await type(start.body.sessionUrl, 'ASSOC')).message).toBe('This code can’t be used for this.')
  const other = await app().browser().registerAndStart({ levelKey: 'associate_member' })
  const { id } = await coupon('ASSOC')
  expect((await treasurer.post(`${COUPONS}/${id}/end`, {})).status).toBe(200)
  await app().settle()
  expect((await type(other.start.body.sessionUrl, 'ASSOC')).message).toBe('This code is invalid.')
  expect((await treasurer.post(`${COUPONS}/${id}/end`, {})).body.code).toBe('CHANGED_MEANWHILE')
  expect((await coupon('ASSOC')).state).toBe('ended')
})

test('whoever began to pay before a code was out gets a page that takes it when they ask again', async () => {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey: 'resident_fellow' })
  expect((await type(start.body.sessionUrl, 'LATER')).status).toBe(400)
  await give('LATER', { levels: ['resident_fellow'], kind: 'amount', off: '$5' })
  const again = () => browser.post('/api/stripe/checkout/start', { levelKey: 'resident_fellow', email: person.email })
  const { body } = await again()
  expect(body.sessionUrl).not.toBe(start.body.sessionUrl)
  expect((await type(body.sessionUrl, 'LATER')).total).toBe(2_000)
  expect((await again()).body).toMatchObject({ reused: true, sessionUrl: body.sessionUrl })
})

test('a code ends with its last day, on the association’s calendar', async () => {
  const today = dayOf(app().now(), app().config.timeZone)
  await give('SHORT', { validUntil: addDays(today, 2) })
  expect(await coupon('SHORT')).toMatchObject({ validUntil: addDays(today, 2), state: 'active' })
  await pass(4)
  await prove(app(), treasurer)
  expect((await coupon('SHORT')).state).toBe('expired')
})

test('what cannot be is said under its field; a code is given out once, also when the provider knows it from elsewhere', async () => {
  const problem = async (over: object, code = 'OTHER') => (await give(code, over)).body.errors as Record<string, string>
  expect(await problem({}, 'WELCOME')).toEqual({ code: 'This code was given out before. Please choose another.' })
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
  await give('TAKEN')
  expect((await coupon('TAKEN')).state).toBe('refused')
})

test('while the provider is away a coupon waits, and is out when it is back', async () => {
  await app().standins.control({ stripe: 'error', times: 4 })
  await give('PATIENT')
  expect((await coupon('PATIENT')).state).toBe('waiting')
  await app().standins.control({ stripe: 'ok' })
  for (let turn = 0; turn < 3; turn++) await pass(0.02)
  expect((await coupon('PATIENT')).state).toBe('active')
})

test('whoever may look at money may not give any away', async () => {
  const viewer = await officerWith(app(), ['viewer'])
  expect((await viewer.get(COUPONS)).body.mayChange).toBe(false)
  const refused = await viewer.post(COUPONS, { code: 'MINE', kind: 'percent', off: '100', levels: ['life_member'] })
  expect(refused.body.code).toBe('NOT_ALLOWED')
})
