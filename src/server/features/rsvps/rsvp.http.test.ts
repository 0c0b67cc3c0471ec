import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { askToCome, confirmByEmail, RSVP_SETTINGS, openEvent, rsvpToken, sayComing } from '#tests/support/events.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { HOUR_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { readCsv } from '#server/lib/csv/csv.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const DAY_MS = 24 * HOUR_MS
const officer = () => officerWith(app(), ['editor'])
const emails = (email: string) => app().standins.mails(email)
const subjects = (email: string) => emails(email).map(({ subject }) => subject.split(':')[0])
const CONFIRM = 'Please confirm your RSVP'
const checkInList = async (id: string) => (await (await officer()).get(`/api/console/rsvp/${id}/door`)).body

test('one of 50 concurrent guests gets the last seat, the others join the waitlist, and each is emailed', async () => {
  const id = await openEvent(app(), { capacity: 1 })
  const people = Array.from({ length: 50 }, (_, turn) => `rush${turn}@example.com`)
  const answers = await Promise.all(people.map((email) => askToCome(app(), id, email)))
  expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200))
  expect(answers.filter(({ body }) => body.heldMinutes === 30)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.heldMinutes === null)).toHaveLength(49)
  await app().drain()
  const tokens: string[] = []
  for (const email of people) tokens.push(await rsvpToken(app(), email))
  const confirmed = await Promise.all(tokens.map((token) => app().browser().post('/api/rsvp/confirm', { token })))
  expect(confirmed.filter(({ body }) => body.place === 'coming')).toHaveLength(1)
  const { event } = await checkInList(id)
  expect(event).toMatchObject({ state: 'full', counts: { coming: 1, waiting: 49, arrived: 0 } })
  await app().drain()
  const subjectsOfAll = people.map((email) => subjects(email)[0])
  expect(subjectsOfAll.filter((subject) => subject === 'You are on the list')).toHaveLength(1)
  expect(subjectsOfAll.filter((subject) => subject === 'You are on the waitlist')).toHaveLength(49)
})

test('an event with guests cannot be deleted; one without guests can', async () => {
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

test('an RSVP is confirmed with a check-in code, changed and canceled by its link, and releases its seats to the waitlist', async () => {
  const id = await openEvent(app(), { capacity: 2, meals: ['Vegetarian', 'Chicken'] })
  const first = await sayComing(app(), id, 'ana@example.com', { guests: 1, meals: ['Chicken', 'Vegetarian'] })
  expect([first.status, first.body]).toEqual([200, { place: 'coming' }])
  expect((await sayComing(app(), id, 'ben@example.com', { meals: ['Chicken'] })).body).toEqual({ place: 'waiting' })
  const token = await rsvpToken(app(), 'ana@example.com')
  const [message] = emails('ana@example.com')
  expect(message?.attachments).toMatchObject([{ filename: 'door-code.png', mimeType: 'image/png' }])
  expect(message?.html).toContain('src="cid:door-code"')

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
  await app().drain()
  expect(subjects('ben@example.com')).toEqual(['You have a seat', 'You are on the waitlist', CONFIRM])
  expect((await checkInList(id)).meals).toEqual([
    { meal: 'Vegetarian', count: 1 },
    { meal: 'Chicken', count: 1 },
  ])

  await sayComing(app(), id, 'cara@example.com', { meals: ['Chicken'] })
  // Idempotent: the button in an email may be clicked twice.
  for (let turn = 0; turn < 2; turn++)
    expect((await visitor.post('/api/rsvp/cancel', { token })).body).toMatchObject({ place: 'cancelled' })
  await app().drain()
  expect(subjects('ana@example.com').filter((subject) => subject === 'Your RSVP is canceled')).toHaveLength(1)
  expect(subjects('cara@example.com')[0]).toBe('You have a seat')
  const forged = await visitor.post('/api/rsvp/read', { token: `${token.split('.')[0]}.${'A'.repeat(43)}` })
  expect([forged.status, forged.body.code]).toEqual([410, 'RSVP_LINK_INVALID'])
})

test('an address with an RSVP gets the same response as a new one, and its RSVP is unchanged', async () => {
  const id = await openEvent(app())
  const first = await sayComing(app(), id, 'known@example.com', { name: 'Known', guests: 2 })
  expect(first.body).toEqual({ place: 'coming' })
  const again = await askToCome(app(), id, 'KNOWN@example.com', { name: 'Someone else' })
  const stranger = await askToCome(app(), id, 'stranger@example.com')
  expect(new Set([again, stranger].map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  await confirmByEmail(app(), 'stranger@example.com')
  const { entries } = await checkInList(id)
  expect(entries.map(({ name, guests }: { name: string; guests: number }) => [name, guests])).toEqual([
    ['Known', 2],
    ['Leela Varghese', 0],
  ])
  const settings = await app().browser().get(`/api/events/${id}/rsvp`)
  expect(settings.body).toMatchObject({ state: 'open', guestsMax: 2, meals: [], words: '' })
  expect(settings.body.seatsLeft).toBeNull()
})

test('an RSVP that violates the settings is rejected, per field or as a whole', async () => {
  const id = await openEvent(app(), { meals: ['Fish'], guestsMax: 0 })
  const refused = await sayComing(app(), id, 'few@example.com', { guests: 1, meals: ['Fish'] })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['guests']])
  const bot = await app()
    .browser()
    .post(`/api/events/${id}/rsvp`, { name: 'A', email: 'a@b.example', guests: 0, meals: ['Fish'] })
  expect(bot.body.code).toBe('BOT_CHECK_FAILED')
  expect((await sayComing(app(), 'no-such-event', 'few@example.com')).body.code).toBe('RSVP_CLOSED')
  const saved = await (
    await officer()
  ).call('PUT', `/api/console/rsvp/${id}`, { ...RSVP_SETTINGS, isOpen: false, version: 1 })
  expect(saved.body.event.state).toBe('closed')
  const late = await sayComing(app(), id, 'few@example.com')
  expect([late.status, late.body.code]).toEqual([409, 'RSVP_CLOSED'])
})

test('the second of two concurrent edits of RSVP settings is rejected; more seats promote the waitlist', async () => {
  const id = await openEvent(app(), { capacity: 1 })
  for (const email of ['one@example.com', 'two@example.com']) await sayComing(app(), id, email)
  const editor = await officer()
  const change = { ...RSVP_SETTINGS, capacity: 2, version: 1 }
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

test('check-ins of two devices count once each in any order, and both devices converge', async () => {
  const id = await openEvent(app())
  for (const email of ['in@example.com', 'undone@example.com']) await sayComing(app(), id, email, { name: email })
  const { entries } = await checkInList(id)
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
  const marks = await app().database.db.selectFrom('checkIn').select('id').execute()
  expect(marks).toHaveLength(5)

  const other = await openEvent(app())
  await editor.post(`/api/console/rsvp/${other}/marks`, { walkIns: [], marks: [mark(second?.id, 1, now)] })
  expect(seen(await checkInList(id))['undone@example.com']).toBe(0)

  const file = await fetch(`${app().url}/api/console/rsvp/${id}/list.csv`, {
    headers: { authorization: `Bearer ${editor.token}` },
  })
  const text = await file.text()
  expect([file.headers.get('content-type'), text.includes(`"'=HYPERLINK`)]).toEqual(['text/csv', true])
  expect(readCsv(text)).toHaveLength(4)
})

test('a removed guest is emailed and has it in the data download; officers of other roles cannot remove guests', async () => {
  const id = await openEvent(app())
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'medical_student' })
  await sayComing(app(), id, email)
  const [{ id: rsvpId }] = (await checkInList(id)).entries
  const path = `/api/console/rsvp/${id}/people/${rsvpId}`
  expect((await (await officerWith(app(), ['treasurer'])).call('DELETE', path)).body.code).toBe('NOT_ALLOWED')
  expect((await (await officer()).call('DELETE', path)).body.entries).toEqual([])
  await app().drain()
  expect(subjects(email)[0]).toBe('Your RSVP was removed')
  const { events } = (await member.get('/api/account/data')).body
  expect(events).toMatchObject([{ event: id, guests: 0, place: 'cancelled', arrived: 0 }])
})

test('guests are reminded once, two days before; after the event those who attended get a certificate', async () => {
  const id = await openEvent(app(), { creditHours: 1.5 }, 5)
  for (const email of ['there@example.com', 'absent@example.com']) await sayComing(app(), id, email, { name: email })
  const { browser: president } = await newOfficer(app(), ['president'])
  await recordSecondFactor(app(), president)
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body.code).toBe('EVENT_NOT_OVER')
  await app().advance(4 * DAY_MS)
  for (let turn = 0; turn < 2; turn++) {
    await app().drain()
    await app().advance(HOUR_MS)
  }
  expect(subjects('there@example.com')).toEqual(['In two days', 'You are on the list', CONFIRM])

  await recordSecondFactor(app(), president)
  const { entries } = (await president.get(`/api/console/rsvp/${id}/door`)).body as {
    entries: { id: string; name: string }[]
  }
  const rsvpId = entries.find(({ name }) => name === 'there@example.com')?.id
  const mark = { id: randomUUID(), rsvpId, arrived: 1, at: app().now() }
  await president.post(`/api/console/rsvp/${id}/marks`, { walkIns: [], marks: [mark] })
  await app().advance(2 * DAY_MS)
  await recordSecondFactor(app(), president)
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body).toMatchObject({ certificates: 1 })
  expect((await president.post(`/api/console/rsvp/${id}/close`, {})).body).toMatchObject({ certificates: 0 })
  const token = await rsvpToken(app(), 'there@example.com')
  const [message] = emails('there@example.com')
  expect(message?.attachments).toMatchObject([{ mimeType: 'application/pdf' }])
  expect(message?.text).toContain('Credit hours: 1.5')
  const file = await fetch(`${app().url}/api/rsvp/certificate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
  const absent = await rsvpToken(app(), 'absent@example.com')
  expect((await app().browser().post('/api/rsvp/certificate', { token: absent })).status).toBe(410)
})
