import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CredentialDeskLists } from '#contract/console/credentials.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { publishCredentialKinds } from '#tests/support/content/credential-kinds.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { officerWith } from '#tests/support/officers.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { join, emailTo, rowsOf } = membershipLife(app)
const PATH = '/api/account/credentials'
const DESK = '/api/console/credentials'
/** What only physicians may read; the name of the sample association apart. */
const MEDICINE = /\bNPI\b|medical|clinic|physician(?!s of Indian Origin)/i

let officer: TestBrowser
beforeAll(async () => {
  officer = await officerWith(app(), ['secretary'])
})
beforeEach(() => publishCredentialKinds(app(), 'engineers'))

const license = { values: { number: 'PE-4711', state: 'oh' } }
const study = () => ({ values: { school: 'Clemson', graduation: inDays(200) } })
const inDays = (days: number) => addDays(dayOf(app().now(), app().config.timeZone), days)

const give = (browser: TestBrowser, kind: string, body: object) => browser.call('PUT', `${PATH}/${kind}`, body)
async function waiting(email: string) {
  const desk = (await officer.get(DESK)).body as CredentialDeskLists
  const found = desk.waiting.find((one) => one.email === email)
  if (!found) throw new Error('nothing waits')
  return found
}

describe('on a site of engineers', () => {
  test('the kinds are those of engineers, and what is wrong stands at its field', async () => {
    const { browser } = await join()
    const { body } = await browser.get('/api/account/credential-kinds')
    expect(body.kinds.map(({ key }: { key: string }) => key)).toEqual(['professional-engineer', 'engineering-student'])
    expect((await give(browser, 'professional-engineer', { values: { state: 'XX' } })).body.errors).toEqual({
      number: 'License number is required',
      state: 'Please enter the two letters of the state, such as GA.',
    })
    const late = { values: { school: 'Clemson', graduation: inDays(-1) } }
    expect((await give(browser, 'engineering-student', late)).body.errors.graduation).toMatch(/has passed/)
    expect((await browser.get(PATH)).body).toEqual({ credentials: null })
  })

  test('kinds of other associations are not taken, by whichever call', async () => {
    const { browser } = await join()
    const npi = { npi: '1234567893', licenceState: 'GA' }
    const training = { stage: 'student', place: 'Emory', endsOn: inDays(100) }
    const calls = [
      await give(browser, 'licence', { values: npi }),
      await browser.call('PUT', PATH, npi),
      await browser.call('PUT', '/api/account/training', training),
      await give(browser, '__proto__', { values: {} }),
    ]
    expect(calls.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await browser.get(PATH)).body).toEqual({ credentials: null })
  })

  test('a license is submitted, verified without a kind of evidence, and named in email and data', async () => {
    const { browser, email } = await join()
    expect((await give(browser, 'professional-engineer', license)).body.credentials).toMatchObject({
      kind: 'professional-engineer',
      npi: 'PE-4711',
      licenceState: 'OH',
      status: 'waiting',
    })
    const { id } = await waiting(email)
    expect((await officer.post(`${DESK}/${id}`, { decision: 'approved', evidence: 'Board' })).status).toBe(200)
    await app().drain()
    const { text } = emailTo(email, /^Your credentials are verified$/)
    expect(text).toContain('Our officers have verified your professional engineer license.')
    expect(text).not.toMatch(MEDICINE)
    const [data] = (await browser.get('/api/account/data')).body.credentials as object[]
    expect(data).toMatchObject({ answers: { 'License number': 'PE-4711', 'License state': 'OH' } })
    expect(Object.keys(data ?? {})).not.toContain('npi')
    // The check digit of an NPI is not asked of other numbers.
    const months = 14 * 31 * DAY_MS
    await app()
      .database.db.updateTable('credential')
      .set({ countedFrom: app().now() - months })
      .where('id', '=', id)
      .execute()
    const { again } = (await officer.get(DESK)).body as CredentialDeskLists
    const due = again.find((one) => one.id === id)
    expect((await officer.post(`${DESK}/${id}/confirm`, { lookedAt: due?.lookedAt })).status).toBe(200)
  })

  test('a student needs a kind of evidence, and is asked for the license of an engineer afterwards', async () => {
    const { browser, email } = await join()
    await give(browser, 'engineering-student', study())
    const { id } = await waiting(email)
    const approve = { decision: 'approved', evidence: 'Seen' }
    expect((await officer.post(`${DESK}/${id}`, approve)).body.errors).toHaveProperty('evidenceKind')
    expect((await officer.post(`${DESK}/${id}`, { ...approve, evidenceKind: 'letter' })).status).toBe(200)
    await app().drain()
    expect(emailTo(email, /verified$/).text).toContain('verified that you are in training at Clemson')
    await app()
      .database.db.updateTable('credential')
      .set({ endsOn: inDays(-3) })
      .where('id', '=', id)
      .execute()
    await app().drain()
    await app().advance(7 * 3_600_000)
    await app().drain()
    const { text } = emailTo(email, /^What comes after your training\?$/)
    expect(text).toContain('please add your professional engineer license on your account page')
    expect(text).not.toMatch(MEDICINE)
  })

  test('officers find the member by the number, and an account with the same one is likely the same person', async () => {
    const [one, other, elsewhere] = [await join(), await join(), await join()]
    const number = `PE ${Date.now()}-x`
    await give(one.browser, 'professional-engineer', { values: { number, state: 'OH' } })
    await give(other.browser, 'professional-engineer', { values: { number, state: 'OH' } })
    // Each state counts its own.
    await give(elsewhere.browser, 'professional-engineer', { values: { number, state: 'TX' } })
    const [first, second, third] = [await rowsOf(one), await rowsOf(other), await rowsOf(elsewhere)]
    const { members } = (await officer.get(`/api/console/members?q=${encodeURIComponent(number.toLowerCase())}`)).body
    expect(members.map(({ id }: { id: string }) => id).toSorted()).toEqual([first.id, second.id, third.id].toSorted())
    const { duplicates } = (await officer.get(`/api/console/members/${first.id}/duplicates`)).body
    const reasonsOf = (id: string) => duplicates.find((found: { id: string }) => found.id === id)?.reasons as string[]
    expect(reasonsOf(second.id)).toContain('the same license number')
    expect(reasonsOf(third.id) ?? []).not.toContain('the same license number')
  })

  test('two people in training have no number in common', async () => {
    const [one, other] = [await join(), await join()]
    for (const { browser } of [one, other]) await give(browser, 'engineering-student', study())
    const [first, second] = [await rowsOf(one), await rowsOf(other)]
    const { duplicates } = (await officer.get(`/api/console/members/${first.id}/duplicates`)).body
    const found = duplicates.find(({ id }: { id: string }) => id === second.id) as { reasons: string[] } | undefined
    expect(found?.reasons ?? []).toEqual(['the same name'])
  })
})

describe('questions besides number, place and day', () => {
  beforeEach(() =>
    publishCredentialKinds(app(), 'engineers', (kind) => ({
      ...kind,
      fields: [...kind.fields, { key: 'discipline', label: 'Discipline', check: 'text' as const }],
    })),
  )

  test('are stored, shown to officers and changed', async () => {
    const { browser, email } = await join()
    const given = { values: { ...license.values, discipline: 'Bridges' } }
    expect((await give(browser, 'professional-engineer', license)).body.errors).toEqual({
      discipline: 'Discipline is required',
    })
    await give(browser, 'professional-engineer', given)
    expect(await waiting(email)).toMatchObject({ npi: 'PE-4711', answers: { discipline: 'Bridges' } })
    const { id } = await rowsOf({ email })
    expect((await officer.get(`/api/console/members/${id}`)).body.credentials[0].answers).toEqual({
      discipline: 'Bridges',
    })
    await officer.post(`${DESK}/${(await waiting(email)).id}`, { decision: 'approved', evidence: 'Board' })
    const statusAfter = async (discipline: string) =>
      (await give(browser, 'professional-engineer', { values: { ...given.values, discipline } })).body.credentials
        .status
    expect(await statusAfter('Bridges')).toBe('approved')
    expect(await statusAfter('Tunnels')).toBe('waiting')
  })
})

describe('a kind that is retired', () => {
  test('is not asked for, and what was submitted stays readable and can be confirmed and decided', async () => {
    const { browser, email } = await join()
    await give(browser, 'professional-engineer', license)
    await publishCredentialKinds(app(), 'engineers', (kind) => ({ ...kind, isRetired: true }))
    const { id } = await waiting(email)
    const { credentials } = (await browser.get(PATH)).body
    expect(credentials).toMatchObject({ npi: 'PE-4711', status: 'waiting' })
    expect((await give(browser, 'professional-engineer', license)).status).toBe(200)
    const other = await give(browser, 'professional-engineer', { values: { number: 'PE-1', state: 'OH' } })
    expect([other.status, other.body.message]).toEqual([404, 'We no longer ask for this. Please open the page again.'])
    expect((await officer.post(`${DESK}/${id}`, { decision: 'approved', evidence: 'Board' })).status).toBe(200)
  })

  test('when all are, the account asks for nothing', async () => {
    const { browser } = await join()
    const state = async () => (await browser.get('/api/account/home')).body.credentials as string
    expect(await state()).toBe('missing')
    await publishCredentialKinds(app(), 'engineers', (kind) => ({ ...kind, isRetired: true }))
    expect(await state()).toBe('unasked')
  })
})

test('credentials of physicians stay readable where the kinds are other ones now', async () => {
  await publishCredentialKinds(app(), 'physicians')
  const { browser, email } = await join()
  await browser.call('PUT', PATH, { npi: '1234567893', licenceState: 'GA' })
  await publishCredentialKinds(app(), 'neutral')
  expect((await waiting(email)).npi).toBe('1234567893')
  const { credentials } = (await browser.get('/api/account/data')).body
  expect(credentials[0].answers).toEqual({ Number: '1234567893', 'Issued by': 'GA' })
})

test('only an officer who may decide about credentials changes their kinds', async () => {
  const editor = await officerWith(app(), ['editor'])
  const path = '/api/console/content/credential-kinds/professional-engineer'
  const { value, version } = (await editor.get(path)).body as { value: object; version: string }
  const change = { value: { ...value, name: 'Engineer' }, version, action: 'publish' }
  const refused = await editor.call('PUT', path, change)
  expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([400, ['fields']])
  const saved = await officer.call('PUT', path, change)
  expect(saved.status).toBe(200)
  expect(saved.body.canDelete).toBe(false)
})
