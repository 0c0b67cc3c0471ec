import { describe, expect, test } from 'vitest'
import { RSVP_SETTINGS, openEvent, rsvpToken } from '#tests/support/events.ts'
import { MINUTE_MS, paidSeats, PRICE } from '#tests/support/paid-seats.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { editor, countsOf, checkInListOf, say, payFor, askReturn: askForRefund, subjects, sessionsOf } = paidSeats(app)

describe('prices', () => {
  test('the server sets the price: a guest pays for the whole party, whatever the browser sends', async () => {
    const id = await openEvent(app(), PRICE)
    const tampering = { price: 0, amount: 1, memberPrice: 0, isMember: true, guests: 1 }
    const { status, body } = await say(app().browser(), id, 'tamper@example.com', tampering)
    expect([status, body.place]).toEqual([200, 'paying'])
    const [session] = sessionsOf('tamper@example.com')
    expect(session?.amount_total).toBe(10_000)
    const settings = await app().browser().get(`/api/events/${id}/rsvp`)
    expect(settings.body).toMatchObject({
      price: { person: 5_000, member: 0, currency: 'usd', refundUntil: null },
      memberEmail: null,
    })
  })

  test('a signed-in member gets the member price only for the own address', async () => {
    const id = await openEvent(app(), PRICE)
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'annual_member' })
    expect((await member.get(`/api/events/${id}/rsvp`)).body.memberEmail).toBe(email)
    expect((await say(member, id, 'friend@example.com')).body.place).toBe('paying')
    expect((await say(member, id, email.toUpperCase())).body).toEqual({ place: 'coming' })
    expect((await say(app().browser(), id, 'someone@example.com')).body.place).toBe('paying')

    const other = await openEvent(app(), { ...PRICE, memberPrice: 2_500 })
    const { body } = await say(member, other, email, { guests: 2 })
    expect(sessionsOf(email).map(({ amount_total }) => amount_total)).toContain(12_500)
    expect(body.payAt).toContain('http')

    await member.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })
    const gone = await say(member, other, email)
    expect(gone.status).toBe(403)
  })

  test('a former member pays the regular price', async () => {
    const id = await openEvent(app(), PRICE)
    const former = app().browser()
    const { email } = await former.join({ levelKey: 'annual_member' })
    await app()
      .database.db.updateTable('membership')
      .set({ endedAt: app().now() - 1 })
      .where('accountId', 'in', (eb) => eb.selectFrom('account').select('id').where('emailKey', '=', email))
      .execute()
    expect((await former.get(`/api/events/${id}/rsvp`)).body.memberEmail).toBeNull()
    expect((await say(former, id, email)).body.place).toBe('paying')
  })

  test('contradictory prices are rejected per field', async () => {
    const id = await openEvent(app())
    const officer = await editor()
    for (const wrong of [{ memberPrice: 100 }, { price: 1_000, memberPrice: 2_000 }, { price: 10 }]) {
      const { status, body } = await officer.call('PUT', `/api/console/rsvp/${id}`, {
        ...RSVP_SETTINGS,
        ...wrong,
        version: 1,
      })
      expect([status, Object.keys(body.errors)]).toEqual([
        400,
        [wrong.memberPrice === undefined ? 'price' : 'memberPrice'],
      ])
    }
  })
})

describe('paid once, seated once', () => {
  test.each(['deliver', 'double', 'shuffle', 'drop'] as const)('webhook events: %s', async (webhooks) => {
    const id = await openEvent(app(), { ...PRICE, capacity: 5 })
    const email = `paid-${webhooks}@example.com`
    await app().standins.control({ webhooks })
    const page = await payFor(id, email, { guests: 1 })
    await app().drain()
    if (webhooks === 'drop') expect(await countsOf(id)).toMatchObject({ coming: 0, paying: 2 })
    // The return page is opened twice, the second time from another device.
    for (let turn = 0; turn < 2; turn++)
      expect((await askForRefund(page)).body).toEqual({ outcome: 'paid', eventId: id })
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 2, paying: 0 })
    expect(subjects(email).toSorted()).toEqual(['You are on the list', expect.stringMatching(/^Your receipt R-/)])
    const message = app()
      .standins.mails(email)
      .find(({ subject }) => subject.startsWith('Your receipt'))
    expect(message?.attachments).toMatchObject([{ mimeType: 'application/pdf' }])
    expect(message?.text).toContain('Amount: $100 USD')
    const [entry] = (await checkInListOf(id)).entries
    expect(entry).toMatchObject({ guests: 1, place: 'coming', paid: 10_000 })
  })

  test('all webhook events lost and return page never opened: the reconciler finds the payment', async () => {
    const id = await openEvent(app(), PRICE)
    await app().standins.control({ webhooks: 'drop' })
    await payFor(id, 'unheard@example.com')
    await app().advance(15 * MINUTE_MS)
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
  })

  test('paid on a page that was about to expire and was replaced: the guest has the seats', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 2 })
    const email = 'replaced@example.com'
    const visitor = app().browser()
    await app().standins.control({ webhooks: 'drop' })
    const { body } = await say(visitor, id, email, { guests: 1 })
    await app().advance(27 * MINUTE_MS)
    await visitor.pay(body.payAt as string)
    expect((await say(visitor, id, email, { guests: 1 })).body).toEqual({ place: 'coming' })
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 2, paying: 0 })
    expect(subjects(email)).not.toContain('Your refund of $100')
  })

  test('a return link with a wrong nonce reveals nothing', async () => {
    const id = await openEvent(app(), PRICE)
    const page = await payFor(id, 'mine@example.com')
    page.searchParams.set('nonce', 'x'.repeat(43))
    const answer = await askForRefund(page)
    expect([answer.status, answer.body.code]).toEqual([403, 'PAYMENT_LINK_INVALID'])
  })

  test('the same form sent again reuses the page; a different party gets a new one, and the first can no longer be paid', async () => {
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
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 3, paying: 0 })
  })

  test('an address with an RSVP gets the same response; a second payment for it is refunded', async () => {
    const id = await openEvent(app(), PRICE)
    const email = 'twice@example.com'
    await payFor(id, email)
    await app().drain()
    const page = await payFor(id, email, { name: 'Someone else', guests: 1 })
    await app().drain()
    await app().drain()
    expect((await askForRefund(page)).body).toEqual({ outcome: 'paid', eventId: id })
    expect((await checkInListOf(id)).entries).toMatchObject([{ name: 'Leela Varghese', guests: 0, paid: 5_000 }])
    expect(subjects(email)).toEqual(expect.arrayContaining(['Your refund of $100', 'Your RSVP']))
  })

  test('provider outage: nothing is charged, and a retry resumes', async () => {
    const id = await openEvent(app(), PRICE)
    await app().standins.control({ stripe: 'error' })
    const visitor = app().browser()
    const failed = await say(visitor, id, 'away@example.com')
    expect([failed.status, failed.body.code]).toEqual([502, 'CHECKOUT_FAILED'])
    await app().standins.control({ stripe: 'ok' })
    const { body } = await say(visitor, id, 'away@example.com')
    await visitor.pay(body.payAt as string)
    await app().drain()
    expect(sessionsOf('away@example.com')).toHaveLength(1)
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
  })
})

describe('the last seat', () => {
  test('one of 50 concurrent requests reserves it and the others join the waitlist; when it is abandoned, the next one may pay', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const people = Array.from({ length: 50 }, (_, turn) => `paid-rush${turn}@example.com`)
    const answers = await Promise.all(people.map((email) => say(app().browser(), id, email)))
    const statuses = answers.map(({ body }) => body.place as string)
    expect(statuses.filter((status) => status === 'paying')).toHaveLength(1)
    expect(statuses.filter((status) => status === 'waiting')).toHaveLength(49)
    expect(await countsOf(id)).toEqual({ coming: 0, waiting: 49, paying: 1, held: 0, arrived: 0 })
    const holder = people[statuses.indexOf('paying')] ?? ''
    const back = new URL(sessionsOf(holder)[0]?.cancel_url ?? '')
    const { order, nonce } = Object.fromEntries(back.searchParams)
    for (let turn = 0; turn < 2; turn++) {
      const answer = await app().browser().post('/api/rsvp/payment/give-up', { order, nonce })
      expect(answer.body).toEqual({ eventId: id })
    }
    await app().drain()
    expect(await countsOf(id)).toEqual({ coming: 0, waiting: 48, paying: 1, held: 0, arrived: 0 })
    const promoted = people.filter((email) => subjects(email).includes('Your seat is ready'))
    expect(promoted).toHaveLength(1)
    const token = await rsvpToken(app(), promoted[0] ?? '')
    const own = (await app().browser().post('/api/rsvp/read', { token })).body
    expect(own).toMatchObject({ place: 'paying', money: { owed: 5_000, paid: 0 } })
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    await app()
      .browser()
      .pay(payAt as string)
    await app().drain()
    expect(await countsOf(id)).toEqual({ coming: 1, waiting: 48, paying: 0, held: 0, arrived: 0 })
    const late = await app().browser().post('/api/rsvp/pay', { token })
    expect(late.body.code).toBe('RSVP_CLOSED')
  })

  test('an expired page releases its seats to the waitlist; a party that does not pay within two days loses them to the next', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const [first, second, third] = ['slow1@example.com', 'slow2@example.com', 'slow3@example.com']
    for (const email of [first, second, third]) await say(app().browser(), id, email)
    await app().advance(32 * MINUTE_MS)
    await app().drain()
    expect(subjects(second)[0]).toBe('Your seat is ready')
    expect(subjects(first)).toEqual([])
    await app().advance(47 * HOUR_MS)
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ paying: 1, waiting: 1 })
    await app().advance(2 * HOUR_MS)
    await app().drain()
    await app().drain()
    expect(subjects(second)[0]).toBe('Your seats were released')
    expect(subjects(third)[0]).toBe('Your seat is ready')
  })

  test('a party that is paying when the deadline passes keeps its seats, even if its address changed in the meantime', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const [first, second] = ['holds@example.com', 'moved@example.com']
    for (const email of [first, second]) await say(app().browser(), id, email)
    await app().advance(32 * MINUTE_MS)
    await app().drain()
    const token = await rsvpToken(app(), second)
    await app().advance(48 * HOUR_MS - 10 * MINUTE_MS)
    const { payAt } = (await app().browser().post('/api/rsvp/pay', { token })).body
    // Happens when a merge of two accounts is undone.
    const other = { email: 'back@example.com', emailKey: 'back@example.com' }
    await app().database.db.updateTable('rsvp').set(other).where('emailKey', '=', second).execute()
    await app().advance(15 * MINUTE_MS)
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ paying: 1 })
    await app()
      .browser()
      .pay(payAt as string)
    await app().drain()
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
  })

  test('a payment reported after its seats were given to others is refunded automatically, with an email', async () => {
    const id = await openEvent(app(), { ...PRICE, capacity: 1 })
    const email = 'late@example.com'
    await app().standins.control({ webhooks: 'drop' })
    const page = await payFor(id, email)
    // Simulates that the provider reported the session as expired.
    const [order] = await app().database.db.selectFrom('rsvpOrder').selectAll().where('email', '=', email).execute()
    await app()
      .database.db.updateTable('rsvpOrder')
      .set({ state: 'expired', openKey: null })
      .where('id', '=', order?.id ?? '')
      .execute()
    const other = await payFor(id, 'quick@example.com')
    expect((await askForRefund(other)).body).toEqual({ outcome: 'paid', eventId: id })
    for (let turn = 0; turn < 2; turn++)
      expect((await askForRefund(page)).body).toEqual({ outcome: 'returned', eventId: id })
    await app().drain()
    await app().drain()
    expect(subjects(email)).toEqual(['Your refund of $50'])
    expect(await countsOf(id)).toMatchObject({ coming: 1, paying: 0 })
    const row = await app()
      .database.db.selectFrom('rsvpOrder')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirst()
    expect(row).toMatchObject({ state: 'paid', isSeated: 0, amountRefunded: 5_000 })
  })
})
