import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { askToCome, confirmByEmail, OFFER, openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { newOfficer, officerWith, prove } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { readCsv } from '#server/platform/csv.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const officer = () => officerWith(app(), ['editor'])
const letters = (email: string) => app().standins.mails(email)
const subjects = (email: string) => letters(email).map(({ subject }) => subject.split(':')[0])
const CONFIRM = 'Please confirm your RSVP'
const doorOf = async (id: string) => (await (await officer()).get(`/api/console/rsvp/${id}/door`)).body

test('of 50 at once for the last seat one gets it, the others wait, and each hears so by letter', async () => {
  const id = await openEvent(app(), { capacity: 1 })
  const people = Array.from({ length: 50 }, (_, turn) => `rush${turn}@example.com`)
  const answers = await Promise.all(people.map((email) => askToCome(app(), id, email)))
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
  expect(answers.filter(({ body }) => body.heldMinutes === 30)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.heldMinutes === null)).toHaveLength(49)
  await app().settle()
  const tokens: string[] = []
  for (const email of people) tokens.push(await rsvpToken(app(), email))
  const confirmed = await Promise.all(tokens.map((token) => app().browser().post('/api/rsvp/confirm', { token })))
  expect(confirmed.filter(({ body }) => body.place === 'coming')).toHaveLength(1)
  const { event } = await doorOf(id)
  expect(event).toMatchObject({ state: 'full', counts: { coming: 1, waiting: 49, arrived: 0 } })
  await app().settle()
  const told = people.map((email) => subjects(email)[0])
  expect(told.filter((subject) => subject === 'You are on the list')).toHaveLength(1)
  expect(told.filter((subject) => subject === 'You are on the waitlist')).toHaveLength(49)
})

test('an event that people are coming to is not deleted under them; one that nobody comes to is', async () => {
  const id = await openEvent(app(), { capacity: 2 })
  await sayComing(app(), id, 'awaited@example.com')
  const editor = await officer()
  const path = `/api/console/content/events/${id}`
  const remove = async () => editor.call('DELETE', `${path}?version=${(await editor.get(path)).body.version as string}`)
  const refused = await remove()
  expect([refused.status, refused.body.code]).toEqual([409, 'EVENT_AWAITED'])
  expect((await app().browser().get(`/api/events/${id}/rsvp`)).status).toBe(200)
  await app()
    .browser()
    .post('/api/rsvp/cancel', { token: await rsvpToken(app(), 'awaited@example.com') })
  expect((await remove()).status).toBe(200)
})

test('an RSVP is confirmed with a code for the door, changed and cancelled by its link, and gives its seats to whoever waits', async () => {
  const id = await openEvent(app(), { capacity: 2, meals: ['Vegetarian', 'Chicken'] })
  const first = await sayComing(app(), id, 'ana@example.com', { guests: 1, meals: ['Chicken', 'Vegetarian'] })
  expect([first.status, first.body]).toEqual([200, { place: 'coming' }])
  expect((await sayComing(app(), id, 'ben@example.com', { meals: ['Chicken'] })).body).toEqual({ place: 'waiting' })
  const token = await rsvpToken(app(), 'ana@example.com')
  const [letter] = letters('ana@example.com')
  expect(letter?.attachments).toMatchObject([{ filename: 'door-code.png', mimeType: 'image/png' }])
  expect(letter?.html).toContain('src="cid:door-code"')

  const visitor = app().browser()
  const large = await visitor.post('/api/rsvp/change', {
    token,
    name: 'Ana',
    guests: 2,
    meals: Array(3).fill('Chicken'),
  })
  expect(large.body.errors).toEqual({ guests: 'There are not that many seats left. Please choose fewer guests' })
  const small = await visitor.post('/api/rsvp/change', { token, name: 'Ana', guests: 0, meals: ['Vegetarian'] })
  expect(small.body).toMatchObject({ name: 'Ana', guests: 0, place: 'coming' })
  await app().settle()
  expect(subjects('ben@example.com')).toEqual(['A seat for you', 'You are on the waitlist', CONFIRM])
  expect((await doorOf(id)).meals).toEqual([
    { meal: 'Vegetarian', count: 1 },
    { meal: 'Chicken', count: 1 },
  ])

  await sayComing(app(), id, 'cara@example.com', { meals: ['Chicken'] })
  // However often: a letter's button may be pressed twice.
  for (let turn = 0; turn < 2; turn++)
    expect((await visitor.post('/api/rsvp/cancel', { token })).body).toMatchObject({ place: 'cancelled' })
  await app().settle()
  expect(subjects('ana@example.com').filter((subject) => subject === 'Your RSVP is cancelled')).toHaveLength(1)
  expect(subjects('cara@example.com')[0]).toBe('A seat for you')
  const forged = await visitor.post('/api/rsvp/read', { token: `${token.split('.')[0]}.${'A'.repeat(43)}` })
  expect([forged.status, forged.body.code]).toEqual([410, 'RSVP_LINK_INVALID'])
})

test('an address that comes already hears the same as a stranger, and keeps what it said', async () => {
  const id = await openEvent(app())
  const first = await sayComing(app(), id, 'known@example.com', { name: 'Known', guests: 2 })
  expect(first.body).toEqual({ place: 'coming' })
  const again = await askToCome(app(), id, 'KNOWN@example.com', { name: 'Somebody else' })
  const stranger = await askToCome(app(), id, 'stranger@example.com')
  expect(new Set([again, stranger].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  await confirmByEmail(app(), 'stranger@example.com')
  const { entries } = await doorOf(id)
  expect(entries.map(({ name, guests }: { name: string; guests: number }) => [name, guests])).toEqual([
    ['Known', 2],
    ['Leela Varghese', 0],
  ])
  const offer = await app().browser().get(`/api/events/${id}/rsvp`)
  expect(offer.body).toMatchObject({ state: 'open', guestsMax: 2, meals: [], words: '' })
  expect(offer.body.seatsLeft).toBeNull()
})

test('what does not fit the offer is refused, by field or as a whole', async () => {
  const id = await openEvent(app(), { meals: ['Fish'], guestsMax: 0 })
  const refused = await sayComing(app(), id, 'few@example.com', { guests: 1, meals: ['Fish'] })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['guests']])
  const bot = await app()
    .browser()
    .post(`/api/events/${id}/rsvp`, { name: 'A', email: 'a@b.example', guests: 0, meals: ['Fish'] })
  expect(bot.body.code).toBe('BOT_CHECK_FAILED')
  expect((await sayComing(app(), 'no-such-event', 'few@example.com')).body.code).toBe('RSVP_CLOSED')
  const saved = await (await officer()).call('PUT', `/api/console/rsvp/${id}`, { ...OFFER, isOpen: false, version: 1 })
  expect(saved.body.event.state).toBe('closed')
  const late = await sayComing(app(), id, 'few@example.com')
  expect([late.status, late.body.code]).toEqual([409, 'RSVP_CLOSED'])
})

test('two officers at one offer: the second is told; more seats promote whoever waits', async () => {
  const id = await openEvent(app(), { capacity: 1 })
  for (const email of ['one@example.com', 'two@example.com']) await sayComing(app(), id, email)
  const editor = await officer()
  const change = { ...OFFER, capacity: 2, version: 1 }
  expect((await editor.call('PUT', `/api/console/rsvp/${id}`, change)).body.event.counts).toMatchObject({
    coming: 2,
    waiting: 0,
  })
  const second = await editor.call('PUT', `/api/console/rsvp/${id}`, { ...change, capacity: 1 })
  expect([second.status, second.body.code]).toEqual([409, 'CHANGED_MEANWHILE'])
  const [entry] = (await (await officerWith(app(), ['secretary'])).get('/api/console/audit?q=event-offer.saved')).body
    .entries
  expect(entry.details).toMatchObject({ before: { capacity: 1 }, after: { capacity: 2 } })
})

test('marks of two phones count once each, in whatever order they come, and both then show the same', async () => {
  const id = await openEvent(app())
  for (const email of ['in@example.com', 'undone@example.com']) await sayComing(app(), id, email, { name: email })
  const { entries } = await doorOf(id)
  const [first, second] = entries as { id: string; code: string }[]
  expect(first?.code).toMatch(/^[0-9a-z]{26}\.[\w-]{22}$/)
  const now = app().now()
  const mark = (rsvpId: string | undefined, arrived: number, at: number) => ({ id: randomUUID(), rsvpId, arrived, at })
  const walkIn = { id: randomUUID(), name: '=HYPERLINK("x")', guests: 1 }
  const oldPhone = {
    walkIns: [walkIn],
    marks: [mark(first?.id, 1, now - 9_000), mark(second?.id, 1, now - 5_000), mark(walkIn.id, 2, now - 4_000)],
  }
  const newPhone = { walkIns: [], marks: [mark(first?.id, 1, now - 8_000), mark(second?.id, 0, now - 3_000)] }
  const editor = await officer()
  const send = (body: object) => editor.post(`/api/console/rsvp/${id}/marks`, body)
  const answers = [await send(newPhone), ...(await Promise.all([send(oldPhone), send(oldPhone)])), await send(newPhone)]
  const seen = (body: { entries: { name: string; arrived: number }[] }) =>
    Object.fromEntries(body.entries.map(({ name, arrived }) => [name, arrived]))
  expect(seen(answers.at(-1)?.body)).toEqual({ 'in@example.com': 1, 'undone@example.com': 0, [walkIn.name]: 2 })
  const marks = await app().database.db.selectFrom('check_in').select('id').execute()
  expect(marks).toHaveLength(5)

  const other = await openEvent(app())
  await editor.post(`/api/console/rsvp/${other}/marks`, { walkIns: [], marks: [mark(second?.id, 1, now)] })
  expect(seen(await doorOf(id))['undone@example.com']).toBe(0)

  const file = await fetch(`${app().url}/api/console/rsvp/${id}/list.csv`, {
    headers: { authorization: `Bearer ${editor.token}` },
  })
  const text = await file.text()
  expect([file.headers.get('content-type'), text.includes(`"'=HYPERLINK`)]).toEqual(['text/csv', true])
  expect(readCsv(text)).toHaveLength(4)
})

test('somebody taken off the list is told, finds that in their data, and an officer of another role may not', async () => {
  const id = await openEvent(app())
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'medical_student' })
  await sayComing(app(), id, email)
  const [{ id: rsvpId }] = (await doorOf(id)).entries
  const path = `/api/console/rsvp/${id}/people/${rsvpId}`
  expect((await (await officerWith(app(), ['treasurer'])).call('DELETE', path)).body.code).toBe('NOT_ALLOWED')
  expect((await (await officer()).call('DELETE', path)).body.entries).toEqual([])
  await app().settle()
  expect(subjects(email)[0]).toBe('Your RSVP was taken off')
  const { events } = (await member.get('/api/account/data')).body
  expect(events).toMatchObject([{ event: id, guests: 0, place: 'cancelled', arrived: 0 }])
})

test('whoever comes is reminded once, two days before; after the event whoever was there gets a certificate', async () => {
  const id = await openEvent(app(), { creditHours: 1.5 }, 5)
  for (const email of ['there@example.com', 'absent@example.com']) await sayComing(app(), id, email, { name: email })
  const { browser: president } = await newOfficer(app(), ['president'])
  await prove(app(), president)
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body.code).toBe('EVENT_NOT_OVER')
  await app().advance(4 * DAY_MS)
  for (let turn = 0; turn < 2; turn++) {
    await app().settle()
    await app().advance(HOUR_MS)
  }
  expect(subjects('there@example.com')).toEqual(['In two days', 'You are on the list', CONFIRM])

  await prove(app(), president)
  const { entries } = (await president.get(`/api/console/rsvp/${id}/door`)).body as {
    entries: { id: string; name: string }[]
  }
  const rsvpId = entries.find(({ name }) => name === 'there@example.com')?.id
  const mark = { id: randomUUID(), rsvpId, arrived: 1, at: app().now() }
  await president.post(`/api/console/rsvp/${id}/marks`, { walkIns: [], marks: [mark] })
  await app().advance(2 * DAY_MS)
  await prove(app(), president)
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body).toMatchObject({ certificates: 1 })
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body).toMatchObject({ certificates: 0 })
  const token = await rsvpToken(app(), 'there@example.com')
  const [letter] = letters('there@example.com')
  expect(letter?.attachments).toMatchObject([{ mimeType: 'application/pdf' }])
  expect(letter?.text).toContain('Credit hours: 1.5')
  const file = await fetch(`${app().url}/api/rsvp/certificate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
  const absent = await rsvpToken(app(), 'absent@example.com')
  expect((await app().browser().post('/api/rsvp/certificate', { token: absent })).status).toBe(410)
})
