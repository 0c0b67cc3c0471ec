import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { Roll, RollDetail } from '#contract/console/people/roll.ts'
import type { OwnRoll } from '#contract/public/my-account/own-rolls.ts'
import { createContentCache } from '#server/features/content/content-cache.service.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { figureKind } from '#server/features/content-store/kinds/text.kinds.ts'
import { storeRecord } from '#tests/support/content/stored-records.ts'
import { joinForDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { HOME } from '#tests/support/emails/member-emails.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { memberPage, officerWithSecondFactor, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const PATH = '/api/console/rolls'
let desk: TestOfficer
let other: TestOfficer

beforeEach(async () => {
  desk = await officerWithSecondFactor(app(), 'membership')
  other = await officerWithSecondFactor(app(), 'secretary')
})

const today = () => dayOf(app().now(), app().config.timeZone)
const rule = { levels: ['life_member'], graceDays: 0, includesLost: true }
const freeze = (by = desk, given: object = {}) =>
  by.browser.post(PATH, {
    name: 'Annual meeting',
    recordDay: addDays(today(), -1),
    objectionsUntil: addDays(today(), 5),
    rule,
    ...given,
  })
const detailOf = async (id: string) => (await desk.browser.get(`${PATH}/${id}?size=100`)).body as unknown as RollDetail
const ownOf = async ({ browser }: Pick<DirectoryMember, 'browser'>, id: string) =>
  ((await browser.get('/api/account/rolls')).body.rolls as OwnRoll[]).find((roll) => roll.id === id)

/** What pages show, as another instance of the site reads it. */
async function contentOf() {
  const cache = await createContentCache({
    db: app().database.db,
    clock: { now: app().now, close() {} },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    timeZone: app().config.timeZone,
    siteUrl: 'http://localhost',
    polling: false,
  })
  return {
    refresh: () => cache.refresh(),
    figures: () => cache.content().figures,
    async [Symbol.asyncDispose]() {
      cache.stop()
    },
  }
}

/** Members of yesterday, of whom the last joined today, and a roll of yesterday. */
async function frozen(lastName = 'Rao') {
  await publishFields(app(), [lineField('home', { kind: 'address', widest: 'officers' })])
  const life = await joinForDirectory(app(), { levelKey: 'life_member', firstName: 'Zoya', lastName: 'Ábel' })
  await life.put({ home: HOME }, { home: 'officers' })
  const second = await joinForDirectory(app(), { levelKey: 'life_member', firstName: 'Ben', lastName })
  const student = await joinForDirectory(app())
  await app().advance(2 * DAY_MS)
  desk = await officerWithSecondFactor(app(), 'membership')
  other = await officerWithSecondFactor(app(), 'secretary')
  const late = await joinForDirectory(app(), { levelKey: 'life_member', lastName: 'Late' })
  const { status, body } = await freeze()
  expect(status, JSON.stringify(body)).toBe(201)
  return { roll: body as unknown as Roll, life, second, student, late }
}

test('a roll names who was entitled on its day, and the day has to be over', async () => {
  const { roll, life, second, student, late } = await frozen()
  const { entries } = await detailOf(roll.id)
  const ids = entries.map(({ accountId }) => accountId)
  expect(ids).toContain(life.id)
  for (const { id } of [student, late]) expect(ids).not.toContain(id)
  expect(entries.map(({ name }) => name).slice(0, 1)).toEqual(['Ábel, Zoya'])
  // Contact that was lost and found since closed no account.
  for (const [state, seen] of [
    ['lost', 'living'],
    ['living', 'lost'],
  ])
    await desk.browser.post(`/api/console/members/${second.id}/state`, { state, seen, reason: 'She called' })
  const { body: again } = await freeze(desk, { rule: { ...rule, graceDays: 1 } })
  expect((await detailOf(String(again.id))).entries.map(({ accountId }) => accountId)).toContain(second.id)
  expect((await freeze(desk, { recordDay: today() })).body.errors).toHaveProperty('recordDay')
  expect((await freeze(desk, { objectionsUntil: addDays(today(), -1) })).body.errors).toHaveProperty('objectionsUntil')
  expect((await freeze(desk, { rule: { ...rule, levels: ['no such level'] } })).status).toBe(400)
})

test('two officers who freeze at once make one roll', async () => {
  await app().advance(30 * DAY_MS)
  desk = await officerWithSecondFactor(app(), 'membership')
  other = await officerWithSecondFactor(app(), 'secretary')
  const given = { rule: { ...rule, graceDays: 60 } }
  const answers = await Promise.all([freeze(desk, given), freeze(other, { ...given, name: 'Meeting' })])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[0].body.id).toBe(answers[1].body.id)
})

test('members on it read names and levels, each look is logged; others get 401 or 403, and all may object', async () => {
  const { roll, life, student, late } = await frozen()
  const path = `/api/rolls/${roll.id}`
  expect((await app().browser().get(path)).status).toBe(401)
  for (const one of [student, late]) {
    const { status, body } = await one.browser.get(path)
    expect([status, body.code]).toEqual([403, 'ACTIVE_MEMBERSHIP_REQUIRED'])
  }
  const { body } = await life.browser.get(path)
  expect(body.people).toContainEqual({ name: 'Ábel, Zoya', level: 'Life Member' })
  expect(JSON.stringify(body)).not.toMatch(/@|Azalea/)
  const looks = app().database.db.selectFrom('audit').select('actor').where('action', '=', 'roll.viewed')
  expect(await looks.where('subjectId', '=', roll.id).execute()).toEqual([{ actor: life.id }])

  expect(await ownOf(late, roll.id)).toMatchObject({ isOnRoll: false, objections: [] })
  expect((await late.browser.post(`${path}/objections`, { text: 'I paid yesterday.' })).status).toBe(200)
  const { objections } = await detailOf(roll.id)
  expect(objections).toMatchObject([{ accountId: late.id, isOnRoll: false, answer: null }])
  const answer = (change: object | null, by = desk) =>
    by.browser.post(`${PATH}/${roll.id}/objections/${objections[0]?.id}`, { answer: 'The check came in time.', change })
  expect((await answer({ what: 'add', accountId: desk.accountId })).body.code).toBe('OWN_ACCOUNT')
  expect((await answer({ what: 'add', accountId: life.id })).body.code).toBe('CHANGED_MEANWHILE')
  const gone = await joinForDirectory(app())
  expect((await gone.browser.call('DELETE', '/api/account', { password: 'monsoon-in-macon' })).status).toBe(200)
  expect((await answer({ what: 'add', accountId: gone.id })).body.code).toBe('ACCOUNT_CLOSED')
  expect((await answer({ what: 'add', accountId: late.id })).status).toBe(200)
  expect((await answer(null, other)).body.code).toBe('CHANGED_MEANWHILE')
  expect(await ownOf(late, roll.id)).toMatchObject({
    isOnRoll: true,
    objections: [{ answer: 'The check came in time.' }],
  })
  expect((await late.browser.get('/api/account/data')).body).toMatchObject({
    rolls: [{ roll: 'Annual meeting' }],
    rollObjections: [{ text: 'I paid yesterday.' }],
  })
})

test('the seal waits for objections; then the list has a digest that a year changes nothing about', async () => {
  const { roll, life, second } = await frozen('Gone')
  await life.browser.post(`/api/rolls/${roll.id}/objections`, { text: 'Ben Gone moved abroad.' })
  const seal = () => desk.browser.post(`${PATH}/${roll.id}/seal`, {})
  expect((await seal()).body.code).toBe('OBJECTIONS_OPEN')
  await app().advance(6 * DAY_MS)
  desk = await officerWithSecondFactor(app(), 'membership')
  expect((await seal()).body.code).toBe('OBJECTIONS_OPEN')
  const { objections } = await detailOf(roll.id)
  const at = `${PATH}/${roll.id}/objections/${objections[0]?.id}`
  const answered = await desk.browser.post(at, {
    answer: 'Resigned on October 1.',
    change: { what: 'remove', accountId: second.id },
  })
  expect(answered.status, JSON.stringify(answered.body)).toBe(200)
  const { db } = app().database
  const typed = { value: '800', label: 'members', asOf: '2025-01-01' }
  await storeRecord(db, figureKind, { figures: [{ ...typed, isFromRoll: true }] })
  await db.transaction().execute(incrementContentVersion)
  await using cache = await contentOf()
  await cache.refresh()
  expect(cache.figures()).toEqual([typed])
  const { status, body } = await seal()
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.sealed.digest).toMatch(/^[0-9a-f]{64}$/)
  await cache.refresh()
  expect(cache.figures()).toEqual([{ ...typed, value: String(body.people), asOf: roll.recordDay }])
  expect((await seal()).body.code).toBe('ROLL_SEALED')
  await life.browser.logIn(life.email)
  expect((await life.browser.get(`/api/rolls/${roll.id}`)).status).toBe(404)

  const file = async () => {
    const headers = { authorization: `Bearer ${desk.browser.token}` }
    const response = await fetch(`${app().url}${PATH}/${roll.id}/roll.csv`, { headers })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const { bytes } = await file()
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.sealed.digest)
  expect(bytes.toString()).toContain('"Ábel","Zoya","Life Member","1","Email","12 Azalea Way, Macon, GA 31201')
  expect(bytes.toString()).not.toMatch(/@|Gone/)
  await app().database.db.updateTable('account').set({ lastName: 'Zed' }).where('id', '=', life.id).execute()
  await app().advance(365 * DAY_MS)
  desk = await officerWithSecondFactor(app(), 'membership')
  expect((await file()).bytes.equals(bytes)).toBe(true)
  const exports = app().database.db.selectFrom('audit').select('actor').where('action', '=', 'roll.exported')
  expect(await exports.where('subjectId', '=', roll.id).execute()).toHaveLength(2)
  const longAgo = app().now() - 11 * 60_000
  await app()
    .database.db.updateTable('sessionProof')
    .set({ provedAt: longAgo })
    .where('accountId', '=', desk.accountId)
    .execute()
  expect((await desk.browser.get(`${PATH}/${roll.id}/roll.csv`)).body.code).toBe('SECOND_FACTOR_AGAIN')
  expect((await memberPage(desk, life.id)).state).toBe('ACTIVE')
})
