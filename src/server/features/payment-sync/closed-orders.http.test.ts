import { expect, test } from 'vitest'
import { membershipLife } from '#tests/support/membership-life.ts'
import { openEvent } from '#tests/support/events.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { MINUTE_MS, paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { sponsorSessions, startSponsoring } from '#tests/support/sponsors.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

/** Orders that were closed here but paid anyway, with all webhook events lost. */
const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { countsOf, say, sessionsOf, subjects } = paidSeats(app)
const ANNOUNCEMENT = { announcement: 'The hall has flooded.' }

const { provider } = membershipLife(app)
const db = () => app().database.db

async function runReconciler(): Promise<void> {
  await app().advance(15 * MINUTE_MS)
  for (let turn = 0; turn < 3; turn++) await app().drain()
}

async function seatsOf(email: string) {
  const row = await db().selectFrom('rsvpOrder').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  return { state: row.state, kept: row.amount - row.amountRefunded }
}

async function cancelEvent(id: string) {
  const officer = await officerWith(app(), ['president'])
  await recordSecondFactor(app(), officer)
  return officer.post(`/api/console/rsvp/${id}/call-off`, ANNOUNCEMENT)
}

/** Runs `act` while the order's session is being created, before the provider has responded. */
async function whileCreating(table: 'checkout' | 'sponsorship' | 'rsvpOrder', act: () => Promise<unknown>) {
  await expect
    .poll(async () => db().selectFrom(table).select('id').where('state', '=', 'creating').executeTakeFirst(), {
      interval: 10,
    })
    .toBeDefined()
  await act()
}

test('an event canceled during a payment whose page cannot be expired: the payment is refunded within 15 minutes', async () => {
  const id = await openEvent(app(), PRICE)
  const [visitor, email] = [app().browser(), 'paid.closed@example.com']
  const { body } = await say(visitor, id, email)
  await app().standins.control({ webhooks: 'drop', stripe: 'error' })
  expect((await cancelEvent(id)).status).toBe(200)
  await app().standins.control({ stripe: 'ok' })
  await visitor.pay(body.payAt as string)
  expect(await seatsOf(email)).toEqual({ state: 'failed', kept: 5_000 })
  await runReconciler()
  expect(await seatsOf(email)).toEqual({ state: 'paid', kept: 0 })
  expect(subjects(email)).toContain('Your refund of $50')
})

test('an event canceled while a payment page is being created: the page is not returned and cannot be paid', async () => {
  const id = await openEvent(app(), PRICE)
  const email = 'creating.closed@example.com'
  await app().standins.control({ stripe: 'slow', slowMs: 1_500, times: 1 })
  const request = say(app().browser(), id, email)
  await whileCreating('rsvpOrder', () => cancelEvent(id))
  const { status, body } = await request
  expect([status, body.code]).toEqual([502, 'CHECKOUT_FAILED'])
  expect(sessionsOf(email).map((session) => session.status)).toEqual(['expired'])
  expect(await countsOf(id)).toMatchObject({ coming: 0, paying: 0 })
})

test.each(['expired', 'failed'] as const)(
  'dues paid after their order was marked %s start the membership',
  async (state) => {
    await app().standins.control({ webhooks: 'drop' })
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    const session = start.body.sessionId as string
    await db().updateTable('checkout').set({ state, openKey: null }).where('stripeSessionId', '=', session).execute()
    await runReconciler()
    const { state: now } = await db()
      .selectFrom('checkout')
      .select('state')
      .where('stripeSessionId', '=', session)
      .executeTakeFirstOrThrow()
    expect(now).toBe('completed')
    expect(subjects(person.email)).toContain('Welcome to the association')
  },
)

test('a dues order closed while its page is being created: the page is expired, and a retry creates another', async () => {
  const browser = app().browser()
  const { person } = await browser.register()
  await browser.verify(person.email)
  const ask = () => browser.post('/api/stripe/checkout/start', { levelKey: 'annual_member', email: person.email })
  await app().standins.control({ stripe: 'slow', slowMs: 1_500, times: 1 })
  const request = ask()
  await whileCreating('checkout', () =>
    db().updateTable('checkout').set({ state: 'failed', openKey: null }).where('state', '=', 'creating').execute(),
  )
  const { status, body } = await request
  expect([status, body.code]).toEqual([502, 'CHECKOUT_FAILED'])
  expect((await ask()).status).toBe(200)
  expect(
    sessionsOf(person.email)
      .map((session) => session.status)
      .toSorted(),
  ).toEqual(['expired', 'open'])
})

test.each(['expired', 'failed'] as const)(
  'a sponsor who paid an order marked %s gets the thank-you email',
  async (state) => {
    await app().standins.control({ webhooks: 'drop' })
    const { body, answer } = await startSponsoring(app())
    await app()
      .browser()
      .pay(answer.body.sessionUrl as string)
    await db().updateTable('sponsorship').set({ state, openKey: null }).where('email', '=', body.email).execute()
    await runReconciler()
    expect(subjects(body.email)).toEqual([expect.stringContaining('Thank you for your sponsorship')])
  },
)

test('a sponsorship closed while its page is being created: the page is not returned and cannot be paid', async () => {
  await app().standins.control({ stripe: 'slow', slowMs: 1_500, times: 1 })
  const request = startSponsoring(app())
  await whileCreating('sponsorship', () =>
    db().updateTable('sponsorship').set({ state: 'failed', openKey: null }).where('state', '=', 'creating').execute(),
  )
  const { body, answer } = await request
  expect([answer.status, answer.body.code]).toEqual([502, 'CHECKOUT_FAILED'])
  expect(sponsorSessions(app(), body.email).map((session) => session.status)).toEqual(['expired'])
})

test('a closed order that was refunded in the provider’s dashboard stays closed', async () => {
  await app().standins.control({ webhooks: 'drop' })
  const { body, answer } = await startSponsoring(app())
  await app()
    .browser()
    .pay(answer.body.sessionUrl as string)
  await db()
    .updateTable('sponsorship')
    .set({ state: 'failed', openKey: null })
    .where('email', '=', body.email)
    .execute()
  const [session] = sponsorSessions(app(), body.email)
  await provider('refunds', { payment_intent: String(session?.payment_intent) })
  await runReconciler()
  expect(subjects(body.email)).toEqual([])
})
