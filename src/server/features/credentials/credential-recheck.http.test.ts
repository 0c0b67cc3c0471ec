import { beforeAll, describe, expect, test } from 'vitest'
import type { CredentialDeskLists } from '#contract/console/credentials.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { countDueCredentials } from './credential-recheck.repository.ts'

const app = useTestApp()
const { join, emailTo, subjectsTo, rowsOf } = membershipLife(app)
const db = () => app().database.db
const DESK = '/api/console/credentials'
const today = () => dayOf(app().now(), app().config.timeZone)

let officer: TestBrowser
beforeAll(async () => {
  officer = await officerWith(app(), ['membership'])
})

const desk = async () => (await officer.get(DESK)).body as CredentialDeskLists
const mine = async (email: string) => {
  const { waiting, again } = await desk()
  return { waiting: waiting.find((one) => one.email === email), again: again.find((one) => one.email === email) }
}

async function setOf(email: string, columns: object): Promise<void> {
  const { id } = await rowsOf({ email })
  await db().updateTable('credential').set(columns).where('accountId', '=', id).execute()
}

/** A physician whose license was approved this many days ago. */
async function approvedPhysician(daysAgo: number) {
  const member = await join()
  await member.browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
  const { waiting } = await mine(member.email)
  await officer.post(`${DESK}/${waiting?.id}`, { decision: 'approved', evidence: 'NPPES' })
  await setOf(member.email, { countedFrom: app().now() - daysAgo * DAY_MS })
  return member
}

const TRAINING = { stage: 'resident', place: 'Emory, Internal Medicine' }

async function approvedResident(endsOn: string) {
  const member = await join({ levelKey: 'resident_fellow' })
  const given = await member.browser.call('PUT', '/api/account/training', {
    ...TRAINING,
    endsOn: addDays(today(), 10),
  })
  expect(given.status, JSON.stringify(given.body)).toBe(200)
  const { waiting } = await mine(member.email)
  const approval = { decision: 'approved', evidence: 'Signed by the director', evidenceKind: 'letter' }
  expect((await officer.post(`${DESK}/${waiting?.id}`, approval)).status).toBe(200)
  await setOf(member.email, { endsOn })
  return member
}

const historyOf = async (email: string) => {
  const { id } = await rowsOf({ email })
  const rows = await db().selectFrom('audit').selectAll().where('subjectId', '=', id).orderBy('id').execute()
  return rows.map(({ action, details }) => ({ action, details: JSON.parse(details) as object }))
}

describe('approved credentials are rechecked after a year', () => {
  test('lists and counts current members’ credentials after twelve months, oldest first, unless replaced', async () => {
    const count = () => countDueCredentials(db(), { now: app().now(), graceMs: 0, today: today(), recheckMonths: 12 })
    const before = await count()
    const young = await approvedPhysician(360)
    const older = await approvedPhysician(500)
    const old = await approvedPhysician(370)
    expect((await mine(young.email)).again).toBeUndefined()
    const shown = (await desk()).again.map(({ email }) => email)
    expect(shown.indexOf(older.email)).toBeLessThan(shown.indexOf(old.email))
    expect([await count(), (await desk()).againTotal]).toEqual([before + 2, before + 2])
    expect((await desk()).recheckMonths).toBe(12)
    expect((await mine(old.email)).again).toMatchObject({ why: 'time', npiFits: true, evidence: 'NPPES', asked: null })

    await old.browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'FL' })
    expect((await mine(old.email)).again).toBeUndefined()
    const { id } = await rowsOf(older)
    const lapsed = { kind: 'RECURRING', stripeStatus: null, endsAt: 1 } as const
    await db().updateTable('membership').set(lapsed).where('accountId', '=', id).execute()
    expect((await mine(older.email)).again).toBeUndefined()
  })

  test('confirming postpones the recheck for a year, works once for two officers, and sends no email', async () => {
    const { email } = await approvedPhysician(400)
    const { again } = await mine(email)
    await app().drain()
    const emails = subjectsTo(email)
    const confirm = () => officer.post(`${DESK}/${again?.id}/confirm`, { lookedAt: again?.lookedAt })
    const answers = await Promise.all([confirm(), confirm()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await mine(email)).again).toBeUndefined()
    await app().drain()
    expect(subjectsTo(email)).toEqual(emails)
    expect((await historyOf(email)).at(-1)).toMatchObject({
      action: 'credentials.confirmed',
      details: { before: { lookedAt: again?.lookedAt } },
    })
  })

  test('an NPI with a wrong check digit cannot be confirmed', async () => {
    const { email } = await approvedPhysician(400)
    await setOf(email, { npi: '1234567890' })
    const { again } = await mine(email)
    expect(again?.npiFits).toBe(false)
    const answer = await officer.post(`${DESK}/${again?.id}/confirm`, { lookedAt: again?.lookedAt })
    expect([answer.status, answer.body.code]).toEqual([409, 'NPI_UNLIKELY'])
  })

  test('a question reaches the member, who confirms the credentials, and the officers see the answer', async () => {
    const { email, browser } = await approvedPhysician(400)
    const { again } = await mine(email)
    const total = (await desk()).againTotal
    const asked = await officer.post(`${DESK}/${again?.id}/ask`, { question: 'Is Georgia still your state?' })
    expect(asked.body.againTotal).toBe(total - 1)
    expect((asked.body as CredentialDeskLists).again.at(-1)?.email).toBe(email)
    await app().drain()
    expect(emailTo(email, /^A question about your credentials$/).text).toContain('Is Georgia still your state?')
    const own = async () => (await browser.get('/api/account/credentials')).body.credentials
    expect(await own()).toMatchObject({ status: 'approved', question: 'Is Georgia still your state?' })
    await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    expect(await own()).toMatchObject({ status: 'approved', question: null })
    expect((await mine(email)).again?.asked).toMatchObject({ answeredAt: expect.any(String) as string })
    expect((await desk()).againTotal).toBe(total)
  })

  test('home counts what the list has to review: not those that the member was asked about', async () => {
    const counts = async () => {
      const { tasks } = (await officer.get('/api/console/today')).body as { tasks: { key: string; count: number }[] }
      return tasks.find(({ key }) => key === 'credentials')?.count ?? 0
    }
    const before = await counts()
    const { email, browser } = await join()
    await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    expect(await counts()).toBe(before + 1)
    const { waiting } = await mine(email)
    await officer.post(`${DESK}/${waiting?.id}/ask`, { question: 'Which name is on the license?' })
    expect(await counts()).toBe(before)
    await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    expect(await counts()).toBe(before + 1)
  })

  test('without an answer it is due again after 30 days', async () => {
    const { email } = await approvedPhysician(400)
    const { again } = await mine(email)
    await officer.post(`${DESK}/${again?.id}/ask`, { question: 'Still in practice?' })
    const { againTotal } = await desk()
    await setOf(email, { askedAt: app().now() - 31 * DAY_MS })
    expect((await desk()).againTotal).toBe(againTotal + 1)
  })

  test('after an approval is revoked the member sees the reason and can submit again', async () => {
    const { email, browser } = await approvedPhysician(400)
    const { again } = await mine(email)
    const withdraw = (lookedAt = again?.lookedAt) =>
      officer.post(`${DESK}/${again?.id}/withdraw`, { lookedAt, reason: 'The licence is no longer active.' })
    expect((await withdraw('2020-01-01T00:00:00.000Z')).body.code).toBe('CHANGED_MEANWHILE')
    expect((await withdraw()).status).toBe(200)
    await app().drain()
    expect(emailTo(email, /could not verify/).text).toContain('The licence is no longer active.')
    const own = (await browser.get('/api/account/credentials')).body.credentials
    expect(own).toMatchObject({ status: 'declined', reason: 'The licence is no longer active.' })
    expect((await historyOf(email)).at(-1)).toMatchObject({
      action: 'credentials.withdrawn',
      details: { before: { status: 'approved', evidence: 'NPPES' }, after: { status: 'declined' } },
    })
    const sentAgain = await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    expect(sentAgain.body.credentials.status).toBe('waiting')
  })

  test('officers can ask about credentials awaiting review, but not about declined ones', async () => {
    const { browser, email } = await join()
    await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    const { waiting } = await mine(email)
    await officer.post(`${DESK}/${waiting?.id}/ask`, { question: 'Which name is on the licence?' })
    expect((await mine(email)).waiting?.asked?.question).toBe('Which name is on the licence?')
    await officer.post(`${DESK}/${waiting?.id}`, { decision: 'declined', evidence: 'No one of that name' })
    const late = await officer.post(`${DESK}/${waiting?.id}/ask`, { question: 'And now?' })
    expect(late.body.code).toBe('CHANGED_MEANWHILE')
  })
})

describe('students and residents', () => {
  test('submit a program and end date; past dates are rejected; approval requires a kind of evidence', async () => {
    const { browser, email } = await join({ levelKey: 'medical_student' })
    const give = (endsOn: string) =>
      browser.call('PUT', '/api/account/training', { stage: 'student', place: 'Morehouse', endsOn })
    expect((await give(addDays(today(), -1))).body.errors.endsOn).toMatch(/^This date has passed/)
    expect((await give(addDays(today(), 4_000))).body.errors.endsOn).toMatch(/check the year/)
    expect((await give('2027-02-30')).body.errors.endsOn).toMatch(/^Please enter the expected end date/)
    const endsOn = addDays(today(), 600)
    expect((await give(endsOn)).body.credentials).toMatchObject({
      kind: 'student',
      npi: '',
      place: 'Morehouse',
      endsOn,
      status: 'waiting',
    })
    const { waiting } = await mine(email)
    expect(waiting).toMatchObject({ kind: 'student', place: 'Morehouse', endsOn })
    const approve = (more: object) =>
      officer.post(`${DESK}/${waiting?.id}`, { decision: 'approved', evidence: 'Signed by the dean', ...more })
    expect((await approve({})).body.errors.evidenceKind).toBe('Please choose the kind of evidence')
    expect((await approve({ evidenceKind: 'letter' })).status).toBe(200)
    await app().drain()
    expect(emailTo(email, /^Your credentials are verified$/).text).toContain('in training at Morehouse')
    const { body } = await browser.get('/api/account/data')
    expect(body.credentials).toMatchObject([{ kind: 'student', npi: null, place: 'Morehouse', status: 'approved' }])
  })

  test('a member whose training has ended is asked once, and stays on the review list until they answer', async () => {
    const { browser, email } = await approvedResident(addDays(today(), -1))
    const running = await approvedResident(addDays(today(), 2))
    for (let times = 0; times < 2; times++) {
      await app().advance(DAY_MS / 4)
      await app().drain()
    }
    await recordSecondFactor(app(), officer)
    expect(subjectsTo(email).filter((subject) => subject === 'What comes after your training?')).toHaveLength(1)
    expect(subjectsTo(running.email)).not.toContain('What comes after your training?')
    const { text } = emailTo(email, /^What comes after your training\?$/)
    expect(text).toContain('Emory, Internal Medicine')
    expect(text).toContain('/become-a-member')
    expect((await mine(email)).again).toMatchObject({ why: 'training' })
    expect((await browser.get('/api/account/credentials')).body.credentials.question).toMatch(
      /What comes after your training\?$/,
    )
    // The usual level changes are still offered.
    const { changes } = (await browser.get('/api/billing/level-changes')).body as { changes: { levelKey: string }[] }
    expect(changes.map(({ levelKey }) => levelKey)).toContain('annual_member')

    const licence = await browser.call('PUT', '/api/account/credentials', { npi: '1234567893', licenceState: 'GA' })
    expect(licence.body.credentials).toMatchObject({ kind: 'licence', status: 'waiting', place: null, endsOn: null })
    expect((await mine(email)).again).toBeUndefined()
  })

  test('extended training can be confirmed with a new end date', async () => {
    const { email } = await approvedResident(addDays(today(), -3))
    const { again } = await mine(email)
    const confirm = (more: object) =>
      officer.post(`${DESK}/${again?.id}/confirm`, { lookedAt: again?.lookedAt, ...more })
    for (const endsOn of [undefined, addDays(today(), -1)])
      expect((await confirm({ endsOn })).body.errors.endsOn).toMatch(/^This date has passed.* or revoke the approval/)
    expect((await confirm({ endsOn: addDays(today(), 4_000) })).body.errors.endsOn).toMatch(/Check the year/)
    expect((await confirm({ endsOn: addDays(today(), 365) })).status).toBe(200)
    expect((await mine(email)).again).toBeUndefined()
  })
})

test('every action requires the permission to review credentials', async () => {
  const treasurer = await officerWith(app(), ['treasurer'])
  for (const act of ['ask', 'confirm', 'withdraw']) {
    expect((await treasurer.post(`${DESK}/x/${act}`, {})).body.code).toBe('NOT_ALLOWED')
    const body = { question: 'x', lookedAt: 'x', reason: 'x' }
    expect((await officer.post(`${DESK}/nothing/${act}`, body)).body.code).toBe('NOT_FOUND')
  }
})
