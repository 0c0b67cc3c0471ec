import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#contract/dates.ts'
import { addDays } from '#contract/days.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { OFFER, openEvent, rsvpToken } from '#tests/support/events.ts'
import { newOfficer, officerWith, prove } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const MINUTE_MS = 60_000
const PRICE = { price: 5_000, memberPrice: 0 }

const subjects = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject.split(':')[0])
const sessionsOf = (email: string) =>
  app()
    .standins.stripe.sessions()
    .filter(({ customer_email }) => customer_email === email)
/** Whose second factor is fresh, however much time went by. */
async function editor(): Promise<TestBrowser> {
  const officer = await officerWith(app(), ['editor'])
  await prove(app(), officer)
  return officer
}

const doorOf = async (id: string) => (await (await editor()).get(`/api/console/rsvp/${id}/door`)).body
const countsOf = async (id: string) => (await doorOf(id)).event.counts
const dayAhead = (days: number) => addDays(dayOf(app().now(), app().config.timeZone), days)

async function say(visitor: TestBrowser, eventId: string, email: string, given: Record<string, unknown> = {}) {
  const recaptchaToken = await visitor.botToken('event_rsvp')
  const body = { name: 'Leela Varghese', email, guests: 0, meals: [], ...given, recaptchaToken }
  return visitor.post(`/api/events/${eventId}/rsvp`, body)
}

/** Says that they come, and pays. Answers where the provider sends them back to. */
async function payFor(eventId: string, email: string, given: Record<string, unknown> = {}): Promise<URL> {
  const visitor = app().browser()
  const { body } = await say(visitor, eventId, email, given)
  return visitor.pay(body.payAt as string)
}

async function askReturn(page: URL) {
  const { session_id, nonce } = Object.fromEntries(page.searchParams)
  return app().browser().post('/api/rsvp/payment', { session_id, nonce })
}

/** What must always hold of seats and money. */
async function expectSound(): Promise<void> {
  const secrets = createSecrets('a secret for tests, and for tests only, of fair length')
  const tools = { db: app().database.db, now: app().now(), secrets, mediaDirectory: null }
  for (const { name, find } of invariants.filter((one) => /seat|order|paid|receipt|refund/.test(one.name)))
    expect([name, await find(tools)]).toEqual([name, []])
}

beforeEach(async () => void (await editor()))

afterEach(async () => {
  await app().standins.control({ webhooks: 'deliver', stripe: 'ok' })
  await app().settle()
  await expectSound()
})

describe('who pays what', () => {
  test('the server decides: a guest pays for everybody, whatever the browser says', async () => {
    const id = await openEvent(app(), PRICE)
    const tampering = { price: 0, amount: 1, memberPrice: 0, isMember: true, guests: 1 }
    const { status, body } = await say(app().browser(), id, 'tamper@example.com', tampering)
    expect([status, body.place]).toEqual([200, 'paying'])
    const [session] = sessionsOf('tamper@example.com')
    expect(session?.amount_total).toBe(10_000)
    const offer = await app().browser().get(`/api/events/${id}/rsvp`)
    expect(offer.body).toMatchObject({
      price: { person: 5_000, member: 0, currency: 'usd', refundUntil: null },
      memberEmail: null,
    })
  })

  test('a signed-in member has the member price for their own address, and only for it', async () => {
    const id = await openEvent(app(), PRICE)
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'annual_member' })
    expect((await member.get(`/api/events/${id}/rsvp`)).body.memberEmail).toBe(email)
    expect((await say(member, id, 'friend@example.com')).body.place).toBe('paying')
    expect((await say(member, id, email.toUpperCase())).body).toEqual({ place: 'coming' })
    expect((await say(app().browser(), id, 'somebody@example.com')).body.place).toBe('paying')

    const other = await openEvent(app(), { ...PRICE, memberPrice: 2_500 })
    const { body } = await say(member, other, email, { guests: 2 })
    expect(sessionsOf(email).map(({ amount_total }) => amount_total)).toContain(12_500)
    expect(body.payAt).toContain('http')

    await member.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    const gone = await say(member, other, email)
    expect(gone.status).toBe(403)
  })

  test('somebody whose membership has ended pays like everybody', async () => {
    const id = await openEvent(app(), PRICE)
    const former = app().browser()
    const { email } = await former.join({ levelKey: 'annual_member' })
    await app()
      .database.db.updateTable('membership')
      .set({ ended_at: app().now() - 1 })
      .where('account_id', 'in', (eb) => eb.selectFrom('account').select('id').where('email_key', '=', email))
      .execute()
    expect((await former.get(`/api/events/${id}/rsvp`)).body.memberEmail).toBeNull()
    expect((await say(former, id, email)).body.place).toBe('paying')
  })

  test('prices that contradict each other are refused at their field', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    for (const wrong of [{ memberPrice: 100 }, { price: 1_000, memberPrice: 2_000 }, { price: 10 }]) {
      const { status, body } = await officer.call('PUT', `/api/console/rsvp/${id}`, { ...OFFER, ...wrong, version: 1 })
      expect([status, Object.keys(body.errors)]).toEqual([
        400,
        [wrong.memberPrice === undefined ? 'price' : 'memberPrice'],
      ])
    }
  })
})

describe('paid once, seated once', () => {
  test.each(['deliver', 'double', 'shuffle', 'drop'] as const)('notices: %s', async (webhooks) => {
    const id = await openEvent(app(), { ...PRICE, capacity: 5 })
    const email = `paid-${webhooks}@example.com`
    await app().standins.control({ webhooks })
    const page = await payFor(id, email, { guests: 1 })
    await app().settle()
    if (webhooks === 'drop') expect(await countsOf(id)).toMatchObject({ coming: 0, paying: 2 })
    // The return page, twice, and from another device.
    for (let turn = 0; turn < 2; turn++) expect((await askReturn(page)).body).toEqual({ outcome: 'paid' })
    await app().settle()
    expect(await countsOf(id)).toMatchObject({ coming: 2, paying: 0 })
    expect(subjects(email).toSorted()).toEqual(['You are on the list', expect.stringMatching(/^Your receipt R-/)])
    const letter = app()
      .standins.mails(email)
      .find(({ subject }) => subject.startsWith('Your receipt'))
    expect(letter?.attachments).toMatchObject([{ mimeType: 'application/pdf' }])
    expect(letter?.text).toContain('Amount: $100 USD')
    const [entry] = (await doorOf(id)).entries
    expect(entry).toMatchObject({ guests: 1, place: 'coming', paid: 10_000 })
  })

  test('every notice lost, page never opened: the reconciler finds it', async () => {
    const id = await openEvent(app(), PRICE)
    await app().standins.control({ webhooks: 'drop' })
    await payFor(id, 'unheard@example.com')
    await app().advance(15 * MINUTE_MS)
    await app().settle()
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
  })

  test('a stranger’s return link tells nothing', async () => {
    const id = await openEvent(app(), PRICE)
    const page = await payFor(id, 'mine@example.com')
    page.searchParams.set('nonce', 'x'.repeat(43))
    const answer = await askReturn(page)
    expect([answer.status, answer.body.code]).toEqual([403, 'PAYMENT_LINK_INVALID'])
  })

  test('the same form sent again leads to the same page; another party to another, and the first can not be paid any more', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 3 })
    const visitor = app().browser()
    const email = 'again@example.com'
    const [one, two] = await Promise.all([say(visitor, id, email), say(visitor, id, email)])
    expect(one.body.payAt).toBe(two.body.payAt)
    expect(sessionsOf(email)).toHaveLength(1)
    const larger = await say(visitor, id, email, { guests: 2 })
    expect(larger.body.place).toBe('paying')
    expect(await countsOf(id)).toMatchObject({ paying: 3 })
    await expect(visitor.pay(one.body.payAt as string)).rejects.toThrow()
    await visitor.pay(larger.body.payAt as string)
    await app().settle()
    expect(await countsOf(id)).toMatchObject({ coming: 3, paying: 0 })
  })

  test('an address that comes already hears the same; what is paid for it again goes back', async () => {
    const id = await openEvent(app(), PRICE)
    const email = 'twice@example.com'
    await payFor(id, email)
    await app().settle()
    const page = await payFor(id, email, { name: 'Somebody else', guests: 1 })
    await app().settle()
    await app().settle()
    expect((await askReturn(page)).body).toEqual({ outcome: 'paid' })
    expect((await doorOf(id)).entries).toMatchObject([{ name: 'Leela Varghese', guests: 0, paid: 5_000 }])
    expect(subjects(email)).toEqual(expect.arrayContaining(['$100 on the way back', 'Your RSVP']))
  })

  test('the provider away: nothing is charged, trying again goes on', async () => {
    const id = await openEvent(app(), PRICE)
    await app().standins.control({ stripe: 'error' })
    const visitor = app().browser()
    const failed = await say(visitor, id, 'away@example.com')
    expect([failed.status, failed.body.code]).toEqual([502, 'CHECKOUT_FAILED'])
    await app().standins.control({ stripe: 'ok' })
    const { body } = await say(visitor, id, 'away@example.com')
    await visitor.pay(body.payAt as string)
    await app().settle()
    expect(sessionsOf('away@example.com')).toHaveLength(1)
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
  })
})

describe('the last seat', () => {
  test('of 50 at once one has it reserved, the others wait; given up, the next one may pay', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const people = Array.from({ length: 50 }, (_, turn) => `paid-rush${turn}@example.com`)
    const answers = await Promise.all(people.map((email) => say(app().browser(), id, email)))
    const places = answers.map(({ body }) => body.place as string)
    expect(places.filter((place) => place === 'paying')).toHaveLength(1)
    expect(places.filter((place) => place === 'waiting')).toHaveLength(49)
    expect(await countsOf(id)).toEqual({ coming: 0, waiting: 49, paying: 1, arrived: 0 })
    const holder = people[places.indexOf('paying')] ?? ''
    const back = new URL(sessionsOf(holder)[0]?.cancel_url ?? '')
    const { order, nonce } = Object.fromEntries(back.searchParams)
    for (let turn = 0; turn < 2; turn++) {
      const answer = await app().browser().post('/api/rsvp/payment/give-up', { order, nonce })
      expect(answer.body).toEqual({ eventId: id })
    }
    await app().settle()
    expect(await countsOf(id)).toEqual({ coming: 0, waiting: 48, paying: 1, arrived: 0 })
    const told = people.filter((email) => subjects(email).includes('A seat for you, to be paid'))
    expect(told).toHaveLength(1)
    const token = await rsvpToken(app(), told[0] ?? '')
    const own = (await app().browser().post('/api/rsvp/read', { token })).body
    expect(own).toMatchObject({ place: 'paying', money: { owed: 5_000, paid: 0 } })
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    await app()
      .browser()
      .pay(payAt as string)
    await app().settle()
    expect(await countsOf(id)).toEqual({ coming: 1, waiting: 48, paying: 0, arrived: 0 })
    const late = await app().browser().post('/api/rsvp/pay', { token })
    expect(late.body.code).toBe('RSVP_CLOSED')
  })

  test('a page that ends gives its seats to whoever waits; whoever does not pay in two days loses theirs to the next', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const [first, second, third] = ['slow1@example.com', 'slow2@example.com', 'slow3@example.com']
    for (const email of [first, second, third]) await say(app().browser(), id, email)
    await app().advance(32 * MINUTE_MS)
    await app().settle()
    expect(subjects(second)[0]).toBe('A seat for you, to be paid')
    expect(subjects(first)).toEqual([])
    await app().advance(47 * HOUR_MS)
    await app().settle()
    expect(await countsOf(id)).toMatchObject({ paying: 1, waiting: 1 })
    await app().advance(2 * HOUR_MS)
    await app().settle()
    await app().settle()
    expect(subjects(second)[0]).toBe('Your seats went to the next')
    expect(subjects(third)[0]).toBe('A seat for you, to be paid')
  })

  test('paid, heard of after the seats were given away: the money goes back by itself, and a letter says so', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const email = 'late@example.com'
    await app().standins.control({ webhooks: 'drop' })
    const page = await payFor(id, email)
    // As if the provider had told us that the page had ended.
    const [order] = await app().database.db.selectFrom('rsvp_order').selectAll().where('email', '=', email).execute()
    await app()
      .database.db.updateTable('rsvp_order')
      .set({ state: 'expired', open_key: null })
      .where('id', '=', order?.id ?? '')
      .execute()
    const other = await payFor(id, 'quick@example.com')
    expect((await askReturn(other)).body).toEqual({ outcome: 'paid' })
    for (let turn = 0; turn < 2; turn++) expect((await askReturn(page)).body).toEqual({ outcome: 'returned' })
    await app().settle()
    await app().settle()
    expect(subjects(email)).toEqual(['$50 on the way back'])
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
    const row = await app()
      .database.db.selectFrom('rsvp_order')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst()
    expect(row).toMatchObject({ state: 'paid', is_seated: 0, amount_refunded: 5_000 })
  })
})

describe('changing and cancelling', () => {
  test('more guests pay the difference, fewer get it back in time, and cancelling returns the rest', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 3, refundUntil: dayAhead(5) })
    const email = 'changes@example.com'
    await payFor(id, email, { guests: 0 })
    await app().settle()
    const token = await rsvpToken(app(), email)
    const visitor = app().browser()
    const change = (guests: number) =>
      visitor.post('/api/rsvp/change', { token, name: 'Leela Varghese', guests, meals: [] })
    const more = await change(2)
    expect(more.body).toMatchObject({ guests: 0, money: { paid: 5_000, isRefundable: true } })
    expect(
      sessionsOf(email)
        .map(({ amount_total }) => amount_total)
        .toSorted(),
    ).toEqual([10_000, 5_000])
    await visitor.pay(more.body.payAt as string)
    await app().settle()
    expect(await countsOf(id)).toMatchObject({ coming: 3, paying: 0 })

    expect((await change(1)).body).toMatchObject({ guests: 1, money: { paid: 10_000 } })
    await app().settle()
    await app().settle()
    expect(subjects(email)).toContain('$50 on the way back')
    expect((await visitor.post('/api/rsvp/cancel', { token })).body).toMatchObject({
      place: 'cancelled',
      money: { paid: 0 },
    })
    await app().settle()
    await app().settle()
    const orders = await app().database.db.selectFrom('rsvp_order').selectAll().where('email', '=', email).execute()
    expect(orders.map(({ amount, amount_refunded }) => amount - amount_refunded)).toEqual([0, 0])
    const refunds = await app().database.db.selectFrom('rsvp_refund').selectAll().execute()
    expect(refunds.every(({ done_at }) => done_at !== null)).toBe(true)
  })

  test('without a day, or after it, nothing goes back', async () => {
    const id = await openEvent(app(), { ...PRICE, refundUntil: dayAhead(1) })
    const email = 'kept@example.com'
    await payFor(id, email)
    await app().settle()
    const token = await rsvpToken(app(), email)
    await app().advance(3 * DAY_MS)
    const own = (await app().browser().post('/api/rsvp/read', { token })).body
    expect(own.money).toMatchObject({ isRefundable: false, paid: 5_000 })
    await app().browser().post('/api/rsvp/cancel', { token })
    await app().settle()
    expect(subjects(email)).not.toContain('$50 on the way back')
  })
})

describe('officers', () => {
  test('the treasurer gives money back, once, and the seats with it or without; the door does not', async () => {
    const id = await openEvent(app(), PRICE)
    const [kept, lost] = ['keeps@example.com', 'loses@example.com']
    for (const email of [kept, lost]) await payFor(id, email)
    await app().settle()
    const { browser: treasurer } = await newOfficer(app(), ['treasurer'])
    await prove(app(), treasurer)
    const month = dayOf(app().now(), app().config.timeZone).slice(0, 7)
    const found = (await treasurer.get(`/api/console/payments?month=${month}`)).body
    expect(found.mayRefund).toBe(true)
    const paymentOf = (email: string) => found.payments.find((one: { email: string }) => one.email === email)
    expect(paymentOf(kept)).toMatchObject({ kind: 'event', amount: 5_000, paidBy: 'Card' })

    const { entries } = await doorOf(id)
    const rsvpId = entries[0].id
    const removed = await (await editor()).call('DELETE', `/api/console/rsvp/${id}/people/${rsvpId}`)
    expect([removed.status, removed.body.code]).toEqual([409, 'RSVP_IS_PAID'])

    const refund = (email: string, keepsSeats: boolean) =>
      treasurer.post(`/api/console/payments/rsvp/${paymentOf(email).id}/refund`, { reason: 'A mistake', keepsSeats })
    expect((await refund(kept, true)).body).toEqual({ amount: 5_000 })
    expect((await refund(lost, false)).body).toEqual({ amount: 5_000 })
    expect((await refund(kept, true)).body.code).toBe('CHANGED_MEANWHILE')
    await app().settle()
    await app().settle()
    expect(subjects(lost)).toEqual(expect.arrayContaining(['Your RSVP was taken off', '$50 on the way back']))
    expect((await doorOf(id)).entries).toMatchObject([{ email: kept, paid: 0, place: 'coming' }])
    const file = await fetch(`${app().url}/api/console/payments/export?month=${month}`, {
      headers: { authorization: `Bearer ${treasurer.token}` },
    })
    expect(await file.text()).toMatch(/,"event",.*"keeps@example\.com","Card","50\.00","50\.00","0\.00"/)
  })

  test('money returned at the provider’s own pages is in the books as well', async () => {
    const id = await openEvent(app(), PRICE)
    const email = 'dashboard@example.com'
    await payFor(id, email)
    await app().settle()
    const order = () =>
      app().database.db.selectFrom('rsvp_order').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const { payment_reference: intent } = await order()
    await fetch(`${app().standins.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_standin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ payment_intent: intent ?? '' }),
    })
    await app().settle()
    await app().advance(15 * MINUTE_MS)
    await app().settle()
    expect((await order()).amount_refunded).toBe(5_000)
  })

  test('a member finds what they paid in their data', async () => {
    const id = await openEvent(app(), { ...PRICE, memberPrice: 2_500 })
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'annual_member' })
    const { body } = await say(member, id, email)
    await member.pay(body.payAt as string)
    await app().settle()
    const { eventPayments } = (await member.get('/api/account/data')).body
    expect(eventPayments).toMatchObject([{ amount: 2_500, amountRefunded: 0, currency: 'usd' }])
  })
})
