import { beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { RollCall, RollCallPerson } from '#contract/console/people/roll-call.ts'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { HOME } from '#tests/support/emails/member-emails.ts'
import { useMerging } from '#tests/support/merging.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { officerWithSecondFactor, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const people = useMerging(app)
const PATH = '/api/console/roll-calls'
let desk: TestOfficer

beforeEach(async () => {
  desk = await officerWithSecondFactor(app(), 'membership')
  const { calls } = (await desk.browser.get(PATH)).body as { calls: RollCall[] }
  const open = calls.find(({ isOpen }) => isOpen)
  if (open) await desk.browser.post(`${PATH}/${open.id}/close`, {})
})

const joinLife = () => joinForDirectory(app(), { levelKey: 'life_member' })
const closesOn = () => addDays(dayOf(app().now(), app().config.timeZone), 30)
const start = (given: object = {}) =>
  desk.browser.post(PATH, { levels: ['life_member'], closesOn: closesOn(), ...given })

async function begin(): Promise<RollCall> {
  const { status, body } = await start()
  expect(status, JSON.stringify(body)).toBe(201)
  await app().drain()
  return body as RollCall
}

const emails = (to: string) =>
  app()
    .standins.mails(to)
    .filter(({ subject }) => /still here\?/.test(subject))
const linkIn = (to: string) => /\/still-here#token=(\S+)/.exec(emails(to)[0]?.text ?? '')?.[1] ?? ''
const answer = (token: string, given: string) =>
  app()
    .browser()
    .post('/api/roll-call/answer', { token: decodeURIComponent(token), answer: given })
const listOf = async (id: string, part = 'all') =>
  (await desk.browser.get(`${PATH}/${id}?part=${part}`)).body as { people: RollCallPerson[]; call: RollCall }
const personIn = async (id: string, accountId: string) =>
  (await listOf(id)).people.find((person) => person.accountId === accountId)
const state = async (id: string) => (await desk.browser.get(`/api/console/members/${id}/state`)).body

// First, because the officers of merges do not log in again when days pass.
test('a merge moves the answers, its undo returns them, and a deletion removes them', async () => {
  const merged = await people.join()
  expect((await start({ levels: ['medical_student'] })).status).toBe(201)
  const kept = await people.join()
  await app().drain()
  await answer(linkIn(merged.email), 'here')
  const { db } = app().database
  const rows = (id: string) => db.selectFrom('rollCallMember').select('answer').where('accountId', '=', id).execute()
  const { status, body } = await people.merge(kept, merged)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(await rows(kept.id)).toEqual([{ answer: 'here' }])
  expect(
    (await people.undo(kept.id, (body as unknown as { merges: { id: string }[] }).merges[0]?.id ?? '')).status,
  ).toBe(200)
  expect([await rows(kept.id), await rows(merged.id)]).toEqual([[], [{ answer: 'here' }]])
  await merged.browser.logIn(merged.email)
  expect((await merged.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
  expect(await rows(merged.id)).toEqual([])
})

test('one tap answers without a log-in, twice; a GET of the page or the address answers nothing', async () => {
  const member = await joinLife()
  const student = await joinForDirectory(app())
  const call = await begin()
  expect(emails(member.email)).toHaveLength(1)
  expect(emails(student.email)).toHaveLength(0)
  const token = linkIn(member.email)
  await fetch(`${app().url}/still-here?token=${token}`)
  await app().browser().get(`/api/roll-call/answer?token=${token}&answer=here`)
  expect(await personIn(call.id, member.id)).toMatchObject({ answer: null, way: 'email' })
  for (let time = 0; time < 2; time++) expect((await answer(token, 'here')).body).toEqual({ outcome: 'saved' })
  expect(await personIn(call.id, member.id)).toMatchObject({ answer: 'here', how: 'link', answeredBy: null })
  expect((await answer(`${token}x`, 'here')).body.code).toBe('STILL_HERE_LINK_INVALID')
  expect((await member.browser.get('/api/account/data')).body.rollCalls.at(-1)).toMatchObject({ answer: 'here' })
  expect((await listOf(call.id)).call.counts).toMatchObject({ here: 1, reached: 1 })
})

test('“moved” is stored by the link, and the address is changed only behind a log-in', async () => {
  const member = await joinLife()
  const call = await begin()
  const token = linkIn(member.email)
  expect((await answer(token, 'moved')).body).toEqual({ outcome: 'saved' })
  const visitor = app().browser()
  visitor.token = token
  expect((await visitor.call('PUT', '/api/account/record', { version: '', values: {}, audiences: {} })).status).toBe(
    401,
  )
  expect(await personIn(call.id, member.id)).toMatchObject({ answer: 'moved' })
  // Logged in, without the link.
  expect((await member.browser.get('/api/account/roll-call')).body).toMatchObject({ call: { answer: 'moved' } })
  expect((await member.browser.post('/api/account/roll-call', { answer: 'here' })).body).toEqual({ outcome: 'saved' })
  expect(await personIn(call.id, member.id)).toMatchObject({ answer: 'here', how: 'login' })
})

test('“died” is a report, once for all clicks; “here” afterward ends it', async () => {
  const member = await joinLife()
  const call = await begin()
  const token = linkIn(member.email)
  for (let time = 0; time < 2; time++) await answer(token, 'died')
  await answer(token, 'not-me')
  await answer(token, 'died')
  expect(await state(member.id)).toMatchObject({
    state: 'living',
    decidableFrom: null,
    reports: [{ reportedBy: null }],
  })
  expect((await member.browser.get('/api/account/profile')).status).toBe(200)
  await answer(token, 'here')
  expect(await state(member.id)).toMatchObject({ state: 'living', reports: [] })
  expect((await listOf(call.id)).call.counts.died).toBe(0)
})

test('an officer records an answer by phone, but not one’s own; silent ones with an address are posted to', async () => {
  await publishFields(app(), [lineField('home', { kind: 'address', widest: 'officers' })])
  const [called, silent] = [await joinLife(), await joinLife()]
  for (const one of [called, silent]) await one.put({ home: HOME }, { home: 'officers' })
  const call = await begin()
  const record = (accountId: string) =>
    desk.browser.post(`${PATH}/${call.id}/answers`, { accountId, answer: 'here', how: 'phone' })
  expect((await record(called.id)).status).toBe(200)
  expect(await personIn(call.id, called.id)).toMatchObject({ answer: 'here', how: 'phone' })
  expect((await personIn(call.id, called.id))?.answeredBy).not.toBeNull()
  const own = { levels: ['life_member', 'medical_student'] }
  await desk.browser.post(`${PATH}/${call.id}/close`, {})
  const { body: second } = await start(own)
  const onSelf = { accountId: desk.accountId, answer: 'here', how: 'phone' }
  expect((await desk.browser.post(`${PATH}/${second.id}/answers`, onSelf)).body.code).toBe('OWN_ACCOUNT')

  const file = async (name: string) =>
    fetch(`${app().url}${PATH}/${call.id}/${name}`, { headers: { authorization: `Bearer ${desk.browser.token}` } })
  expect((await (await file('labels.csv')).text()).match(/12 Azalea Way/g)).toHaveLength(1)
  expect((await file('post.pdf')).headers.get('content-type')).toBe('application/pdf')
  const viewer = await officerWithSecondFactor(app(), 'viewer')
  expect((await viewer.browser.get(`${PATH}/${call.id}`)).status).toBe(200)
  expect((await viewer.browser.get(`${PATH}/${call.id}/labels.csv`)).body.code).toBe('NOT_ALLOWED')
})

test('who is silent twice is proposed and recorded as lost; an answer ends that, also by an old link', async () => {
  const [silent, late] = [await joinLife(), await joinLife()]
  const first = await begin()
  expect((await start()).body.code).toBe('ROLL_CALL_OPEN')
  const oldLink = linkIn(silent.email)
  expect((await listOf(first.id, 'proposed')).people.map(({ accountId }) => accountId)).not.toContain(silent.id)
  await app().advance(31 * DAY_MS)
  desk = await officerWithSecondFactor(app(), 'membership')
  expect((await answer(oldLink, 'not-me')).body).toEqual({ outcome: 'closed' })
  const second = await begin()
  await answer(linkIn(late.email), 'here')
  const proposed = (await listOf(second.id, 'proposed')).people.map(({ accountId }) => accountId)
  expect(proposed).toContain(silent.id)
  expect(proposed).not.toContain(late.id)
  const lose = async () =>
    (
      await desk.browser.post(`${PATH}/${second.id}/lost`, {
        accountIds: [silent.id, late.id],
        reason: 'Silent in two roll calls',
      })
    ).body
  // Members still answer.
  expect(await lose()).toMatchObject({ code: 'ROLL_CALL_OPEN' })
  await desk.browser.post(`${PATH}/${second.id}/close`, {})
  expect(await lose()).toEqual({ recorded: 1, skipped: 1 })
  expect(await state(silent.id)).toMatchObject({ state: 'lost' })
  expect((await listOf(second.id)).call.counts.lost).toBe(1)
  expect((await answer(oldLink, 'here')).body).toEqual({ outcome: 'saved' })
  expect(await state(silent.id)).toMatchObject({ state: 'living' })
  // Found again, so not proposed again.
  expect(await lose()).toEqual({ recorded: 0, skipped: 2 })
})

test('a late “here” counts, a late “died” is a report, and a later answer ends what an earlier roll call proposes', async () => {
  const [tardy, later, widowed] = [await joinLife(), await joinLife(), await joinLife()]
  const calls: RollCall[] = []
  for (let round = 0; round < 2; round++) {
    const call = await begin()
    calls.push(call)
    await desk.browser.post(`${PATH}/${call.id}/close`, {})
    await app().advance(DAY_MS)
    desk = await officerWithSecondFactor(app(), 'membership')
  }
  const [, second] = calls
  const proposed = async () => {
    const { people: listed } = await listOf(second?.id ?? '', 'proposed')
    return [tardy, later].filter(({ id }) => listed.some(({ accountId }) => accountId === id))
  }
  expect(await proposed()).toEqual([tardy, later])
  // The newest email is of the second roll call.
  expect((await answer(linkIn(tardy.email), 'here')).body).toEqual({ outcome: 'saved' })
  expect(await personIn(second?.id ?? '', tardy.id)).toMatchObject({ answer: 'here', how: 'link' })
  expect((await answer(linkIn(widowed.email), 'died')).body).toEqual({ outcome: 'saved' })
  expect(await state(widowed.id)).toMatchObject({ state: 'living', reports: [{ reportedBy: null }] })
  await begin()
  await later.browser.logIn(later.email)
  await later.browser.post('/api/account/roll-call', { answer: 'here' })
  expect(await proposed()).toEqual([])
})
