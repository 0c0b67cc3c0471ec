import { expect, test } from 'vitest'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { inPortal, pass } = membershipLife(app)

/** Creates a code as a newly appointed treasurer and resolves to that treasurer's browser. */
async function createCoupon(code: string): Promise<TestBrowser> {
  const { browser } = await newOfficer(app(), ['treasurer'])
  await recordSecondFactor(app(), browser)
  const wanted = { code, kind: 'percent', off: '50', levels: ['annual_member', 'life_member'] }
  expect((await browser.post('/api/console/coupons', wanted)).status).toBe(200)
  await app().drain()
  return browser
}

/** The response of the card provider's page to a code: 200, or 400 if it accepts none. */
async function enterCode(browser: TestBrowser, code: string, levelKey = 'annual_member'): Promise<number> {
  const { body } = await browser.post('/api/stripe/checkout/start', { levelKey })
  const response = await fetch(`${String(body.sessionUrl)}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return response.status
}

async function joinWith(code: string) {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart({ levelKey: 'annual_member' })
  await fetch(`${String(start.body.sessionUrl)}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const { body } = await browser.verifySession(await browser.pay(start.body.sessionUrl as string))
  browser.token = body.token as string
  await app().drain()
  return { browser, ...person }
}

test('a code is for a first term: a year later the same person gets no page that accepts codes, even with a new account', async () => {
  await createCoupon('FIRST')
  const member = await joinWith('FIRST')
  await inPortal(member, 'cancel')
  await pass(370)
  const back = app().browser()
  expect((await back.logIn(member.email)).body.subscription.status).toBe('CANCELED')
  await createCoupon('SECOND')
  for (const code of ['FIRST', 'SECOND']) expect([code, await enterCode(back, code)]).toEqual([code, 400])
  expect(await enterCode(back, 'FIRST', 'life_member')).toBe(400)

  expect((await back.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
  const again = app().browser()
  const { start } = await again.registerAndStart({ email: member.email, levelKey: 'annual_member' })
  expect(
    (
      await fetch(`${String(start.body.sessionUrl)}/code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: 'SECOND' }),
      })
    ).status,
  ).toBe(400)
})

test('a member of a free level still has a first paid term; the officer who created a code cannot use it', async () => {
  const treasurer = await createCoupon('THIRD')
  const student = app().browser()
  await student.join({ levelKey: 'medical_student' })
  expect(await enterCode(student, 'THIRD')).toBe(200)
  expect(await enterCode(treasurer, 'THIRD')).toBe(400)
})

test('a page that accepts codes is replaced once the person has had a paid term', async () => {
  await createCoupon('FOURTH')
  const browser = app().browser()
  const { email } = await browser.join({ levelKey: 'medical_student' })
  expect(await enterCode(browser, 'FOURTH')).toBe(200)
  const { db } = app().database
  const { id } = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await db
    .updateTable('membership')
    .set({ levelKey: 'annual_member', endedAt: 1 })
    .where('accountId', '=', id)
    .execute()
  expect(await enterCode(browser, 'FOURTH')).toBe(400)
})

test('an officer with an open page that accepts codes cannot use an own code there', async () => {
  const { browser, accountId } = await newOfficer(app(), ['treasurer'])
  await createCoupon('COLLEAGUE')
  expect(await enterCode(browser, 'COLLEAGUE')).toBe(200)
  await recordSecondFactor(app(), browser)
  const wanted = { code: 'MYSELF', kind: 'percent', off: '100', levels: ['annual_member'] }
  expect((await browser.post('/api/console/coupons', wanted)).status).toBe(200)
  await app().drain()
  const { db } = app().database
  const open = await db.selectFrom('checkout').select('id').where('openKey', '=', accountId).execute()
  expect(open).toEqual([])
  expect(await enterCode(browser, 'MYSELF')).toBe(400)
})
