import { beforeEach, describe, expect, test } from 'vitest'
import type { LevelWithChanges, PriceEffect } from '#contract/console/dues.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, OFFICER_PASSWORD, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, join, subscriptionOf, rowsOf, emailTo, inPortal } = membershipLife(app)
const ANNUAL = '/api/console/dues/annual_member'
let treasurer: TestBrowser
let account: { email: string }

beforeEach(async () => {
  const officer = await newOfficer(app(), ['treasurer'])
  ;[treasurer, account] = [officer.browser, officer]
  await recordSecondFactor(app(), treasurer)
})

async function annual(): Promise<LevelWithChanges> {
  const { status, body } = await treasurer.get(ANNUAL)
  expect(status).toBe(200)
  return body
}

async function change(amount: string, scope: 'joining' | 'everybody', startsOn?: string) {
  const { level } = await annual()
  const body = { amount, scope, version: level.version, ...(startsOn && { startsOn }) }
  const answer = await treasurer.post(`${ANNUAL}/price`, body)
  await app().drain()
  await app().drain()
  return answer
}

async function preview(amount: string, scope: 'joining' | 'everybody', startsOn?: string): Promise<PriceEffect> {
  const { status, body } = await treasurer.post(`${ANNUAL}/effect`, { amount, scope, ...(startsOn && { startsOn }) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const today = () => dayOf(app().now(), app().config.timeZone)
const lastPaid = async (member: { email: string }) => (await rowsOf(member)).payments.at(-1)?.amount
const publicPrice = async () => {
  const { body } = await app().browser().get('/api/membership-levels')
  return (body as unknown as { key: string; unitAmount: number }[]).find(({ key }) => key === 'annual_member')
    ?.unitAmount
}

describe('a price change', () => {
  test('for new members: the preview shows the effect, new members pay it, others keep their price; the provider’s prices are added to, never changed', async () => {
    const member = await join()
    const effect = await preview('125', 'joining')
    expect(effect).toMatchObject({
      amountBefore: 10_000,
      amountAfter: 12_500,
      byCard: 1,
      keepPrice: 1,
      movesAtNext: 0,
      isToday: true,
      yearBefore: 10_000,
      yearAfter: 10_000,
    })
    const before = app().standins.stripe.prices()
    expect((await change('125', 'joining')).status).toBe(200)
    await app().app.refreshContent()
    expect(await publicPrice()).toBe(12_500)
    const after = app().standins.stripe.prices()
    expect(after.filter(({ id }) => before.some((price) => price.id === id))).toEqual(before)
    expect(after.filter(({ id }) => !before.some((price) => price.id === id))).toMatchObject([
      { unit_amount: 12_500, product: 'level_annual_member', metadata: { level_key: 'annual_member' } },
    ])
    expect(await lastPaid(await join())).toBe(12_500)
    await pass(366)
    expect(await lastPaid(member)).toBe(10_000)
    const browser = app().browser()
    const { body } = await browser.logIn(member.email)
    expect(body.subscription).toMatchObject({ membershipLevel: { unitAmount: 10_000 } })
  })

  test('an open checkout is paid at the price it showed, and its member moves to the new price at the first renewal', async () => {
    const { unitAmount } = (await annual()).level
    const browser = app().browser()
    const { start, person } = await browser.registerAndStart({ levelKey: 'annual_member' })
    expect((await preview('140', 'everybody')).openCheckouts).toBeGreaterThan(0)
    await change('140', 'everybody')
    await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
    await app().drain()
    expect(await lastPaid(person)).toBe(unitAmount)
    await pass(1)
    await app().drain()
    expect((await rowsOf(person)).current?.renewalAmount).toBe(14_000)
    await pass(366)
    expect(await lastPaid(person)).toBe(14_000)
  })

  test('for everyone: each member pays it from the next renewal and is emailed before; nothing is charged now', async () => {
    const member = await join()
    const { unitAmount, charged } = (await annual()).level
    const effect = await preview('150', 'everybody')
    expect(effect.movesAtNext + effect.paysOnceMore).toBe(effect.byCard)
    expect(effect.yearAfter).toBe(effect.byCard * 15_000 + effect.byHand * 15_000)
    expect(charged.reduce((sum, { members }) => sum + members, 0)).toBe(effect.byCard)
    const done = (await change('150', 'everybody')).body as unknown as LevelWithChanges
    expect(done.changes[0]).toMatchObject({ amountBefore: unitAmount, amountAfter: 15_000, state: 'begun' })
    const { changes } = await annual()
    expect(changes[0]?.moves).toEqual({ waiting: 0, moved: effect.movesAtNext, gone: 0 })
    expect((await rowsOf(member)).payments).toHaveLength(1)
    await pass(321)
    expect(emailTo(member.email, /^Your membership renews on/).subject).toContain('$150')
    await pass(45)
    expect(await lastPaid(member)).toBe(15_000)
  })

  test('a member already reminded of a renewal pays the price in the reminder once, and the new price a year later', async () => {
    const member = await join()
    const { unitAmount } = (await annual()).level
    await pass(325)
    await logInTreasurerAgain()
    const effect = await preview('160', 'everybody')
    expect(effect.paysOnceMore).toBeGreaterThan(0)
    await change('160', 'everybody')
    await pass(41)
    expect(await lastPaid(member)).toBe(unitAmount)
    await pass(2)
    expect((await rowsOf(member)).current?.renewalAmount).toBe(16_000)
    await pass(364)
    expect(await lastPaid(member)).toBe(16_000)
  })

  test('from a given day: it applies on that day, and members with later renewals are moved in advance', async () => {
    const member = await join()
    const { unitAmount } = (await annual()).level
    const startsOn = addDays(today(), 300)
    expect((await change('170', 'everybody', startsOn)).status).toBe(200)
    expect((await annual()).level).toMatchObject({ unitAmount, planned: { startsOn, amountAfter: 17_000 } })
    expect((await change('171', 'everybody')).body.code).toBe('PRICE_CHANGE_PLANNED')
    await pass(200)
    expect((await rowsOf(member)).current?.renewalAmount).toBe(unitAmount)
    await pass(50)
    expect((await rowsOf(member)).current?.renewalAmount).toBe(17_000)
    await logInTreasurerAgain()
    const { level, changes } = await annual()
    expect(level.unitAmount).toBe(unitAmount)
    const refused = await treasurer.post(`${ANNUAL}/changes/${changes[0]?.id}/withdraw`, {})
    expect(refused.body.code).toBe('PRICE_CHANGE_BEGUN')
    await pass(51)
    expect(await lastPaid(await join())).toBe(17_000)
    await pass(66)
    expect(await lastPaid(member)).toBe(17_000)
  })

  test('a withdrawn price change does not apply on its day', async () => {
    const { unitAmount } = (await annual()).level
    await change('999', 'everybody', addDays(today(), 100))
    const { changes } = await annual()
    const withdraw = () => treasurer.post(`${ANNUAL}/changes/${changes[0]?.id}/withdraw`, {})
    expect((await withdraw()).status).toBe(200)
    expect((await withdraw()).body.code).toBe('CHANGED_MEANWHILE')
    await pass(101)
    await logInTreasurerAgain()
    expect((await annual()).level).toMatchObject({ unitAmount, planned: null })
  })

  test('during a provider outage nothing is lost: members are moved afterwards', async () => {
    const member = await join()
    await app().standins.control({ stripe: 'error', times: 6 })
    await change('180', 'everybody')
    for (let turn = 0; turn < 8; turn++) await pass(0.02)
    expect((await rowsOf(member)).current?.renewalAmount).toBe(18_000)
    expect((await annual()).changes[0]?.moves.waiting).toBe(0)
    await app().standins.control({ stripe: 'ok' })
  })

  test('the second of two concurrent changes is rejected; invalid input is reported per field', async () => {
    const { level } = await annual()
    const stale = { amount: '190', scope: 'joining', version: 'older' }
    expect((await treasurer.post(`${ANNUAL}/price`, stale)).body.code).toBe('CHANGED_MEANWHILE')
    const wrong = async (fields: object) =>
      (await treasurer.post(`${ANNUAL}/effect`, { amount: '190', scope: 'joining', ...fields })).body.errors
    expect(await wrong({ amount: 'ten' })).toHaveProperty('amount')
    expect(await wrong({ amount: '0.50' })).toEqual({ amount: 'Please enter at least $1' })
    expect(await wrong({ amount: String(level.unitAmount / 100) })).toEqual({
      amount: 'This is already the price of the level',
    })
    expect(await wrong({ startsOn: addDays(today(), -1) })).toHaveProperty('startsOn')
    expect(await wrong({ startsOn: addDays(today(), 800) })).toHaveProperty('startsOn')
    const free = await treasurer.post('/api/console/dues/medical_student/effect', { amount: '10', scope: 'joining' })
    expect(free.body.errors).toHaveProperty('amount')
    expect((await treasurer.get('/api/console/dues/nothing')).status).toBe(404)
  })

  test('changing a price requires a recent second factor and the permission to change payments', async () => {
    const viewer = await officerWith(app(), ['viewer'])
    expect((await viewer.get('/api/console/dues')).body.mayChange).toBe(false)
    const { level } = await annual()
    const body = { amount: '190', scope: 'joining', version: level.version }
    expect((await viewer.post(`${ANNUAL}/price`, body)).body.code).toBe('NOT_ALLOWED')
    await app().advance(11 * 60_000)
    expect((await treasurer.post(`${ANNUAL}/price`, body)).body.code).toBe('SECOND_FACTOR_AGAIN')
  })

  test('the audit log has the price before and after', async () => {
    const { unitAmount } = (await annual()).level
    await change('200', 'joining')
    const { entries } = (await treasurer.get('/api/console/audit?q=dues.price_changed')).body as {
      entries: { details: unknown }[]
    }
    expect(entries[0]?.details).toEqual({
      before: { amount: unitAmount },
      after: { amount: 20_000, scope: 'joining', startsOn: today() },
    })
  })
})

describe('a level', () => {
  test('off sale: no one new can buy it, and current members keep being charged and can renew', async () => {
    const member = await join()
    const save = async (isOnSale: boolean) => {
      const { level } = await annual()
      const { name, description, version } = level
      return treasurer.call('PUT', ANNUAL, { name, description, isOnSale, version })
    }
    expect((await save(false)).status).toBe(200)
    await app().app.refreshContent()
    expect(await publicPrice()).toBeUndefined()
    const stranger = app().browser()
    await stranger.join({ levelKey: 'medical_student' })
    const refused = await stranger.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
    expect(refused.body.code).toBe('PLAN_NOT_FOUND')
    const own = await member.browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member' })
    expect(own.body.code).toBe('SUBSCRIPTION_EXISTS')
    await inPortal(member, 'cancel')
    await inPortal(member, 'resume')
    await pass(366)
    expect((await subscriptionOf(member)).status).toBe('ACTIVE')
    await logInTreasurerAgain()
    expect((await save(true)).status).toBe(200)
  })

  test('name, description and order are public immediately, and the provider’s page shows the new name', async () => {
    const { level } = await annual()
    const wanted = { name: 'Physician Member', description: 'For physicians.', isOnSale: true, version: level.version }
    expect((await treasurer.call('PUT', ANNUAL, wanted)).status).toBe(200)
    expect((await treasurer.call('PUT', ANNUAL, wanted)).body.code).toBe('CHANGED_MEANWHILE')
    const { levels } = (await treasurer.get('/api/console/dues')).body as { levels: { key: string }[] }
    const keys = levels.map(({ key }) => key).reverse()
    expect((await treasurer.call('PUT', '/api/console/dues', { keys })).status).toBe(200)
    expect((await treasurer.call('PUT', '/api/console/dues', { keys: keys.slice(1) })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
    await app().drain()
    await app().app.refreshContent()
    const shown = (await app().browser().get('/api/membership-levels')).body as unknown as {
      key: string
      name: string
    }[]
    expect(shown.map(({ key }) => key)).toEqual(keys)
    expect(shown.find(({ key }) => key === 'annual_member')?.name).toBe('Physician Member')
  })

  test('the last level on sale cannot be removed from sale', async () => {
    const { levels } = (await treasurer.get('/api/console/dues')).body as unknown as {
      levels: { key: string; name: string; description: string; version: string }[]
    }
    const answers = []
    for (const { key, ...level } of levels) {
      const { name, description, version } = level
      answers.push(
        await treasurer.call('PUT', `/api/console/dues/${key}`, { name, description, isOnSale: false, version }),
      )
    }
    expect(answers.map(({ status }) => status)).toEqual([...levels.slice(1).map(() => 200), 409])
    expect(answers.at(-1)?.body.code).toBe('LAST_LEVEL')
  })
})

/** After a long time the session and its second factor have expired. */
async function logInTreasurerAgain(): Promise<void> {
  const browser = app().browser()
  await browser.logIn(account.email, OFFICER_PASSWORD)
  treasurer = browser
  const { db } = app().database
  await db
    .updateTable('officerTerm')
    .set({ endsOn: addDays(today(), 300) })
    .execute()
  await recordSecondFactor(app(), treasurer)
}
