import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const PORTAL = '/api/billing/portal-session'

async function member(levelKey: string) {
  const browser = app().browser()
  const person = await browser.join({ levelKey })
  await app().drain()
  return { browser, ...person }
}

describe('where a member manages billing', () => {
  test('a subscriber: the provider’s portal for their own customer, which leads back to the account page', async () => {
    const { browser, email } = await member('annual_member')
    for (const body of [undefined, {}]) {
      const { status, body: answer } = await browser.post(PORTAL, body)
      expect(status).toBe(200)
      expect(answer).toEqual({ url: expect.stringContaining('/portal/bps_') as string })
      const session = app().standins.stripe.account.portalSessions.get((answer.url as string).split('/').at(-1) ?? '')
      const customer = app()
        .standins.stripe.customers()
        .find(({ id }) => id === session?.customer)
      expect(customer).toMatchObject({ email })
      expect(session).toMatchObject({ return_url: 'http://localhost:3000/auth/account?fromStripe=true', flow: null })
    }
  })

  test('a subscriber who names a level: the portal’s page for changing the plan', async () => {
    const { browser } = await member('annual_member')
    const { body } = await browser.post(PORTAL, { levelKey: 'resident_fellow' })
    const session = app().standins.stripe.account.portalSessions.get((body.url as string).split('/').at(-1) ?? '')
    expect(session?.flow).toMatchObject({ type: 'subscription_update' })
    const page = await (await fetch(body.url as string)).text()
    expect(page).toContain('Change plan to Resident or Fellow')
    expect(page).toContain('Change plan to Associate Member')
    expect(page).not.toContain('Life Member')
    expect(page).not.toContain('Medical Student')
  })

  test('a lifetime member: nothing to manage', async () => {
    const { browser } = await member('life_member')
    for (const body of [undefined, { levelKey: 'annual_member' }]) {
      const answer = await browser.post(PORTAL, body)
      expect(answer.status).toBe(409)
      expect(answer.body.code).toBe('LIFETIME_MEMBERSHIP')
    }
  })

  test('a student who names a paid level: a checkout', async () => {
    const { browser } = await member('medical_student')
    const { body } = await browser.post(PORTAL, { levelKey: 'annual_member' })
    expect(body.url).toContain('/checkout/cs_test_')
    await browser.pay(body.url as string)
    await app().drain()
    expect((await browser.get('/api/account/profile')).body.subscription.membershipLevel.key).toBe('annual_member')
  })

  test('a student who names no level renews the free level: the success page', async () => {
    const { browser } = await member('medical_student')
    expect((await browser.post(PORTAL)).body).toEqual({ url: 'http://localhost:3000/stripe/success?free=1' })
  })

  test('a membership paid by check: a checkout for the same level', async () => {
    const { browser, email } = await member('medical_student')
    const { db } = app().database
    const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
    await db.updateTable('membership').set({ levelKey: 'annual_member' }).where('accountId', '=', id).execute()
    const { body } = await browser.post(PORTAL)
    expect(body.url).toContain('/checkout/cs_test_')
    expect(app().standins.stripe.sessions().at(-1)).toMatchObject({ amount_total: 10_000 })
    const { body: profile } = await browser.get('/api/account/profile')
    expect(profile.subscription).toMatchObject({
      status: 'ACTIVE',
      nextBillDate: null,
      cancelDate: expect.any(String) as string,
    })
  })

  test('a subscription that ended: a checkout', async () => {
    const { browser, email } = await member('annual_member')
    const portal = await browser.post(PORTAL)
    await fetch(`${portal.body.url as string}/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    await app().drain()
    await app().advance(367 * DAY_MS)
    await app().drain()
    await browser.logIn(email)
    expect((await browser.post(PORTAL)).body.url).toContain('/checkout/cs_test_')
  })

  test('without a membership: NO_MEMBERSHIP', async () => {
    const { browser, email } = await member('medical_student')
    const { db } = app().database
    const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
    await db.deleteFrom('membership').where('accountId', '=', id).execute()
    const answer = await browser.post(PORTAL)
    expect(answer.status).toBe(409)
    expect(answer.body.code).toBe('NO_MEMBERSHIP')
    expect((await browser.get('/api/account/profile')).body.subscription).toBeNull()
  })

  test('an unknown level: Plan not found; a value that is not text: rejected', async () => {
    for (const levelKey of ['annual_member', 'medical_student']) {
      const { browser } = await member(levelKey)
      const unknown = await browser.post(PORTAL, { levelKey: 'gold_member' })
      expect(unknown.status).toBe(404)
      expect(unknown.body.code).toBe('PLAN_NOT_FOUND')
      expect((await browser.post(PORTAL, { levelKey: 7 })).status).toBe(400)
      expect((await browser.post(PORTAL, { customer: 'cus_x', returnUrl: 'https://evil.example' })).status).toBe(200)
    }
  })

  test('during a provider outage: an error message, and it works afterwards', async () => {
    const { browser } = await member('annual_member')
    await app().standins.control({ stripe: 'error' })
    const answer = await browser.post(PORTAL)
    expect(answer.status).toBe(502)
    expect(answer.body).toEqual({ message: 'Failed to open billing portal', code: 'PORTAL_FAILED' })
    await app().standins.control({ stripe: 'ok' })
    expect((await browser.post(PORTAL)).status).toBe(200)
  })

  test('the portal’s URL is not logged', async () => {
    const { browser } = await member('annual_member')
    const { body } = await browser.post(PORTAL)
    const id = (body.url as string).split('/').at(-1) ?? ''
    expect(app().logLines.join('')).not.toContain(id)
  })
})
