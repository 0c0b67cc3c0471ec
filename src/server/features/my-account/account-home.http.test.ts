import { beforeEach, describe, expect, test } from 'vitest'
import { formatDay } from '#contract/dates/days.ts'
import { askToCome, openEvent, sayComing } from '#tests/support/events.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const HOME = '/api/account/home'
const DAY_MS = 86_400_000

// The clock moves in some tests, and a second factor expires.
beforeEach(async () => recordSecondFactor(app(), await officerWith(app(), ['editor'])))

async function newMember(levelKey = 'medical_student') {
  const browser = app().browser()
  const { email } = await browser.join({ levelKey })
  const { db } = app().database
  const { id } = await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()
  return { browser, email, id }
}

/** An RSVP sent by a member for the member's own address. */
async function answerAsMember(browser: TestBrowser, eventId: string, email: string, guests = 0) {
  const recaptchaToken = await browser.botToken('event_rsvp')
  const body = { name: 'Leela Varghese', email, guests, meals: [], recaptchaToken }
  return browser.post(`/api/events/${eventId}/rsvp`, body)
}

const home = async (browser: TestBrowser) => (await browser.get(HOME)).body
const unanswered = async (browser: TestBrowser) =>
  (await home(browser)).unanswered.map(({ event }: { event: { id: string } }) => event.id)

describe('RSVPs', () => {
  test('are those of the own address, soonest first, with a link that changes them', async () => {
    const { browser, email } = await newMember()
    const later = await openEvent(app(), {}, 20)
    const sooner = await openEvent(app(), {}, 15)
    const canceled = await openEvent(app(), {}, 16)
    await answerAsMember(browser, later, email, 1)
    await answerAsMember(browser, sooner, email)
    await answerAsMember(browser, canceled, email)
    await sayComing(app(), sooner, 'someone.else@example.com')
    const tokenOf = (url: string) => new URLSearchParams(url.split('#')[1]).get('token') ?? ''
    const before = await home(browser)
    const last = before.rsvps.find(({ event }: { event: { id: string } }) => event.id === canceled)
    expect(
      (
        await app()
          .browser()
          .post('/api/rsvp/cancel', { token: tokenOf(last.url) })
      ).status,
    ).toBe(200)

    const { rsvps } = await home(browser)
    expect(rsvps).toMatchObject([
      { event: { id: sooner, location: 'Duluth' }, place: 'coming', guests: 0, money: null },
      { event: { id: later }, place: 'coming', guests: 1 },
    ])
    expect(rsvps[0].event.date).toBe(formatDay(rsvps[0].event.startsOn))
    const read = await app()
      .browser()
      .post('/api/rsvp/read', { token: tokenOf(rsvps[0].url) })
    expect(read.body).toMatchObject({ event: { id: sooner }, place: 'coming' })
  })

  test('of a visitor wait for confirmation, and those of an event that is over are gone', async () => {
    const { browser, email } = await newMember()
    const id = await openEvent(app(), {}, 3)
    await askToCome(app(), id, email)
    expect((await home(browser)).rsvps).toMatchObject([{ event: { id }, place: 'unconfirmed' }])
    await app().advance(4 * DAY_MS)
    expect((await home(browser)).rsvps).toEqual([])
  })
})

describe('an event that waits for an answer', () => {
  test('is named until the member accepts or declines, which can be undone', async () => {
    const { browser, email } = await newMember()
    const [first, second] = [await openEvent(app(), {}, 1), await openEvent(app(), {}, 2)]
    expect(await unanswered(browser)).toEqual(expect.arrayContaining([first, second]))
    const DECLINED = `/api/account/declined-events/${first}`
    for (let turn = 0; turn < 2; turn++) expect((await browser.call('PUT', DECLINED)).status).toBe(204)
    await answerAsMember(browser, second, email)
    const left = await unanswered(browser)
    expect([left.includes(first), left.includes(second)]).toEqual([false, false])
    expect((await browser.get('/api/account/data')).body.declinedEvents).toMatchObject([{ event: first }])
    for (let turn = 0; turn < 2; turn++) expect((await browser.call('DELETE', DECLINED)).status).toBe(204)
    expect(await unanswered(browser)).toContain(first)
    expect(await unanswered((await newMember()).browser)).toEqual(expect.arrayContaining([first, second]))
  })

  test('has seats and is not far away; at most three are named', async () => {
    const { browser } = await newMember()
    const full = await openEvent(app(), { capacity: 1 }, 1)
    await sayComing(app(), full, 'quick@example.com')
    const far = await openEvent(app(), {}, 75)
    const closed = await openEvent(app(), { isOpen: false }, 1)
    await Promise.all([1, 1, 1, 1].map((days) => openEvent(app(), {}, days)))
    const found = await unanswered(browser)
    expect(found).toHaveLength(3)
    for (const id of [full, far, closed]) expect(found).not.toContain(id)
  })
})

test('names the new address until it is confirmed or expires, and the state of the credentials', async () => {
  const { browser, email } = await newMember()
  expect(await home(browser)).toMatchObject({ pendingEmail: null, credentials: 'missing' })
  const password = 'monsoon-in-macon'
  const asked = await browser.post('/api/account/email', { email: `new.${email}`, password })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
  expect(await home(browser)).toMatchObject({ pendingEmail: `new.${email}`, credentials: 'waiting' })
  await app().advance(2 * DAY_MS)
  expect((await home(browser)).pendingEmail).toBeNull()
})

test('an officer who views the site as the member sees it without links, and without payments if the role has none', async () => {
  const { browser, email, id } = await newMember('annual_member')
  const event = await openEvent(app(), { price: 5_000, memberPrice: 4_000 }, 4)
  const paying = await answerAsMember(browser, event, email)
  await browser.pay(paying.body.payAt as string)
  await app().drain()
  expect((await home(browser)).rsvps).toMatchObject([{ place: 'coming', money: { paid: 4_000, owed: 0 } }])

  for (const [role, money] of [
    ['president', { paid: 4_000 }],
    ['secretary', null],
  ] as const) {
    const { browser: officer } = await newOfficer(app(), [role])
    await recordSecondFactor(app(), officer)
    const begun = await officer.post(`/api/console/members/${id}/view-as`, { reason: 'Cannot find the ticket' })
    const view = app().browser()
    view.token = begun.body.token as string
    expect((await home(view)).rsvps).toMatchObject([{ event: { id: event }, url: null, money }])
    expect((await view.call('PUT', `/api/account/declined-events/${event}`)).status).toBe(409)
    expect((await view.get('/api/account/views')).status).toBe(409)
  }
  const views = (await browser.get('/api/account/views')).body
  expect(views).toMatchObject([{ reason: 'Cannot find the ticket' }, { reason: 'Cannot find the ticket' }])
})
