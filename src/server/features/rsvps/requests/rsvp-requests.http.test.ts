import { changeRecord } from '#tests/support/content/stored-records.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { describe, expect, test } from 'vitest'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { askToCome, confirmByEmail, openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const MINUTE_MS = 60_000
/** An officer with a fresh second factor, however much time has passed. */
async function officer(): Promise<TestBrowser> {
  const editor = await officerWith(app(), ['editor'])
  await recordSecondFactor(app(), editor)
  return editor
}
const countsOf = async (id: string) => (await (await officer()).get(`/api/console/rsvp/${id}`)).body.event.counts
const seatsLeft = async (id: string) => (await app().browser().get(`/api/events/${id}/rsvp`)).body.seatsLeft as number
const subjects = (email: string) =>
  app()
    .standins.mails(email)
    .map(({ subject }) => subject.split(':')[0])

/** Advances the clock and runs everything that is due. */
async function pass(minutes: number): Promise<void> {
  await app().advance(minutes * MINUTE_MS)
  await app().drain()
}

async function send(visitor: TestBrowser, id: string, email: string, given: object = {}) {
  const recaptchaToken = await visitor.botToken('event_rsvp')
  return visitor.post(`/api/events/${id}/rsvp`, {
    name: 'Leela Varghese',
    email,
    guests: 0,
    meals: [],
    recaptchaToken,
    ...given,
  })
}

describe('free seats for an unconfirmed address', () => {
  test('are held for half an hour and taken on confirmation; opening the link alone does nothing', async () => {
    const id = await openEvent(app(), { capacity: 5 })
    const asked = await askToCome(app(), id, 'new@example.com', { guests: 1 })
    expect([asked.status, asked.body]).toEqual([200, { place: 'unconfirmed', heldMinutes: 30 }])
    expect([await countsOf(id), await seatsLeft(id)]).toMatchObject([{ coming: 0, held: 2 }, 3])
    const token = await rsvpToken(app(), 'new@example.com')
    const visitor = app().browser()
    for (let look = 0; look < 3; look++) {
      const page = await visitor.post('/api/rsvp/read', { token })
      expect(page.body).toMatchObject({ place: 'unconfirmed', guests: 1, heldUntil: expect.any(String) })
    }
    expect(await countsOf(id)).toMatchObject({ coming: 0, held: 2 })
    for (let press = 0; press < 2; press++)
      expect((await visitor.post('/api/rsvp/confirm', { token })).body).toMatchObject({ place: 'coming', guests: 1 })
    expect(await countsOf(id)).toMatchObject({ coming: 2, held: 0 })
    await app().drain()
    expect(subjects('new@example.com')).toEqual(['You are on the list', 'Please confirm your RSVP'])
    // From now on, the links of both emails open the same RSVP.
    expect((await visitor.post('/api/rsvp/read', { token })).body).toMatchObject({ place: 'coming' })
  })

  test('made-up addresses block seats for half an hour only; then the waitlist moves up', async () => {
    const id = await openEvent(app(), { capacity: 3 })
    for (let turn = 0; turn < 3; turn++) await askToCome(app(), id, `made.up${turn}@example.com`)
    expect(await seatsLeft(id)).toBe(0)
    expect((await sayComing(app(), id, 'real@example.com')).body).toEqual({ place: 'waiting' })
    await pass(31)
    expect(await seatsLeft(id)).toBe(2)
    expect(await countsOf(id)).toMatchObject({ coming: 1, waiting: 0, held: 0 })
    expect(subjects('real@example.com')[0]).toBe('You have a seat')
  })

  test('confirmed late: given while seats are left, otherwise waitlisted', async () => {
    const id = await openEvent(app(), { capacity: 1 })
    for (const email of ['late@example.com', 'later@example.com']) {
      await askToCome(app(), id, email)
      await pass(31)
    }
    const page = await app()
      .browser()
      .post('/api/rsvp/read', { token: await rsvpToken(app(), 'late@example.com') })
    expect(page.body).toMatchObject({ place: 'unconfirmed', heldUntil: null })
    expect((await confirmByEmail(app(), 'late@example.com')).body).toMatchObject({ place: 'coming' })
    expect((await confirmByEmail(app(), 'later@example.com')).body).toMatchObject({ place: 'waiting' })
  })

  test('can be withdrawn by the link and are released when the event is canceled', async () => {
    const id = await openEvent(app(), { capacity: 1 })
    await askToCome(app(), id, 'changed.mind@example.com')
    await sayComing(app(), id, 'next@example.com')
    const token = await rsvpToken(app(), 'changed.mind@example.com')
    const gone = await app().browser().post('/api/rsvp/cancel', { token })
    expect(gone.body).toMatchObject({ place: 'cancelled' })
    await app().drain()
    expect(subjects('next@example.com')[0]).toBe('You have a seat')
    expect((await app().browser().post('/api/rsvp/confirm', { token })).body.code).toBe('RSVP_LINK_INVALID')

    const off = await openEvent(app())
    await askToCome(app(), off, 'off@example.com')
    const late = await rsvpToken(app(), 'off@example.com')
    await (await officer()).post(`/api/console/rsvp/${off}/call-off`, { announcement: 'Snow.' })
    expect((await app().browser().post('/api/rsvp/confirm', { token: late })).body.code).toBe('RSVP_LINK_INVALID')
    expect(await countsOf(off)).toMatchObject({ coming: 0, held: 0 })
  })

  test('after RSVPs close, held seats can still be confirmed, expired holds cannot', async () => {
    const id = await openEvent(app())
    for (const email of ['in.time@example.com', 'too.late@example.com']) await askToCome(app(), id, email)
    const editor = await officer()
    const { offer } = (await editor.get(`/api/console/rsvp/${id}`)).body
    const { eventId: _, ...fields } = offer
    await editor.call('PUT', `/api/console/rsvp/${id}`, { ...fields, isOpen: false })
    expect((await confirmByEmail(app(), 'in.time@example.com')).body).toMatchObject({ place: 'coming' })
    await pass(31)
    expect((await confirmByEmail(app(), 'too.late@example.com')).body.code).toBe('RSVP_CLOSED')
  })
})

test('a signed-in member gets seats immediately, only for the own address', async () => {
  const id = await openEvent(app(), { capacity: 2 })
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'medical_student' })
  expect((await send(member, id, 'a.friend@example.com')).body).toEqual({ place: 'unconfirmed', heldMinutes: 30 })
  expect((await send(member, id, email.toUpperCase())).body).toEqual({ place: 'coming' })
  expect(await countsOf(id)).toMatchObject({ coming: 1, held: 1 })
})

test('the number of seats left does not reveal guests: seats are also held for an address that already has some', async () => {
  const id = await openEvent(app(), { capacity: 10 })
  await sayComing(app(), id, 'known@example.com')
  const left: number[] = []
  const answers: unknown[] = []
  for (const email of ['known@example.com', 'unknown@example.com']) {
    const before = await seatsLeft(id)
    answers.push((await askToCome(app(), id, email, { guests: 2 })).body)
    left.push(before - (await seatsLeft(id)))
  }
  expect(left).toEqual([3, 3])
  expect(answers[0]).toEqual(answers[1])
  await app().drain()
  expect(subjects('known@example.com')[0]).toBe('Your RSVP')
  await pass(31)
  expect(await countsOf(id)).toMatchObject({ coming: 1, held: 0 })
})

test('spellings of one mailbox hold and get the seats of one party only', async () => {
  const id = await openEvent(app(), { capacity: 20, guestsMax: 2 })
  for (const email of ['one@gmail.com', 'one+a@gmail.com', 'o.n.e+b@gmail.com'])
    await askToCome(app(), id, email, { guests: 2 })
  expect(await countsOf(id)).toMatchObject({ held: 3 })
  expect((await confirmByEmail(app(), 'one@gmail.com')).body).toMatchObject({ place: 'coming' })
  const refused = await confirmByEmail(app(), 'one+a@gmail.com')
  expect([refused.status, refused.body.code]).toEqual([409, 'RSVP_MAILBOX_FULL'])
  expect(await countsOf(id)).toMatchObject({ coming: 3 })
})

test('a guest who declined the waitlist is not put on it', async () => {
  const id = await openEvent(app(), { capacity: 2, price: 5_000 })
  const visitor = app().browser()
  const refused = await send(visitor, id, 'three@example.com', { guests: 2, waitlist: false })
  expect([refused.status, refused.body.code]).toEqual([409, 'RSVP_FULL'])
  expect(await countsOf(id)).toMatchObject({ waiting: 0, held: 0, paying: 0 })
  expect((await send(visitor, id, 'three@example.com', { guests: 1, waitlist: false })).body.place).toBe('paying')
  expect(await seatsLeft(id)).toBe(0)
})

test('a waitlist confirmation at a paid event never becomes a free seat', async () => {
  const id = await openEvent(app(), { capacity: 1, price: 5_000 })
  const payer = app().browser()
  await send(payer, id, 'payer@example.com')
  expect((await askToCome(app(), id, 'hopes@example.com')).body).toEqual({ place: 'unconfirmed', heldMinutes: null })
  await pass(40)
  expect(await seatsLeft(id)).toBe(1)
  expect((await confirmByEmail(app(), 'hopes@example.com')).body).toMatchObject({
    place: 'paying',
    money: { owed: 5_000 },
  })
})

describe('limits', () => {
  test('seats held from one IP address: thirty in half an hour', async () => {
    const id = await openEvent(app(), { guestsMax: 9 })
    const visitor = app().browser()
    for (let turn = 0; turn < 3; turn++)
      expect((await send(visitor, id, `many${turn}@example.com`, { guests: 9 })).status).toBe(200)
    const refused = await send(visitor, id, 'many4@example.com')
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'RATE_LIMITED', limit: 30, window: 1_800 }])
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body.retryAfter)
    expect((await askToCome(app(), id, 'elsewhere@example.com')).status).toBe(200)
    await pass(31)
    expect((await send(visitor, id, 'many4@example.com')).status).toBe(200)
  })

  test('payment pages: five per hour and email, thirty per IP address', async () => {
    const id = await openEvent(app(), { price: 5_000 })
    const email = 'cards@example.com'
    for (let turn = 0; turn < 5; turn++) {
      const answer = await send(app().browser(), id, email, { guests: turn % 3 })
      const order = await app()
        .database.db.selectFrom('rsvpOrder')
        .selectAll()
        .where('email', '=', email)
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow()
      expect(answer.status).toBe(200)
      await app()
        .database.db.updateTable('rsvpOrder')
        .set({ state: 'expired', openKey: null })
        .where('id', '=', order.id)
        .execute()
    }
    expect((await send(app().browser(), id, email)).body).toMatchObject({ code: 'RATE_LIMITED', limit: 5 })

    const robot = app().browser()
    const statuses: number[] = []
    for (let turn = 0; turn < 30; turn++) statuses.push((await send(robot, id, `robot${turn}@example.com`)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await pass(11)
    const further = await send(robot, id, 'robot31@example.com')
    expect([further.status, further.body]).toMatchObject([429, { limit: 30, window: 3_600 }])
  })

  test('overall limits do not apply to signed-in members, and officers are alerted once', async () => {
    const free = await openEvent(app())
    const paid = await openEvent(app(), { price: 5_000 })
    const member = app().browser()
    const { email } = await member.join({ levelKey: 'medical_student' })
    await app().drain()
    const { db } = app().database
    const tight = { limit: 5, windowSeconds: 3_600 }
    const tighter = { rsvpSeatsHeldOverall: tight, rsvpCheckoutOverall: tight, rsvpRefusals: tight }
    const rateLimits = settingKind('rateLimits')
    const before = await changeRecord(db, rateLimits, (value) => ({ ...value, ...tighter }))
    await incrementContentVersion(db)
    await app().app.refreshContent()
    await pass(61)
    const turns = Array.from({ length: 10 }, (_, turn) => turn)
    for (const id of [free, paid]) {
      const answers = []
      for (const turn of turns) answers.push(await send(app().browser(), id, `crowd${turn}@example.com`))
      expect(answers.map(({ status }) => status)).toEqual(turns.map((turn) => (turn < 5 ? 200 : 429)))
      expect((await send(member, id, email)).status).toBe(200)
    }
    await app().drain()
    const alerts = subjects('office@example.org').filter((subject) => subject === 'Website alert')
    expect(alerts).toHaveLength(1)
    expect(app().standins.mails('office@example.org')[0]?.subject).toContain('stolen cards')
    await changeRecord(db, rateLimits, () => before)
    await incrementContentVersion(db)
    await app().app.refreshContent()
  })
})

// This test runs last: after this much time, officers have to log in again.
test('unconfirmed requests are deleted after a week', async () => {
  const id = await openEvent(app())
  await askToCome(app(), id, 'forgotten@example.com')
  await pass(8 * 24 * 60)
  const rows = await app().database.db.selectFrom('rsvpRequest').selectAll().where('eventId', '=', id).execute()
  expect(rows).toEqual([])
})
