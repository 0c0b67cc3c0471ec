import { beforeEach, expect, test } from 'vitest'
import type { CopyTrace, PlantedEntries } from '#contract/console/people/planted-entries.ts'
import { joinForDirectory, openPublicDirectory, type DirectoryMember } from '#tests/support/content/directory.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const PATH = '/api/console/planted-entries'
const FIELDS = [
  lineField('specialty', { kind: 'choice', choices: ['Cardiology', 'Urology'], widest: 'everyone' }),
  lineField('practice', { widest: 'everyone' }),
  lineField('phone', { kind: 'phone' }),
  lineField('home', { kind: 'address', widest: 'officers' }),
]
const VALUES = { specialty: 'Urology', practice: 'Lantana Clinic, Suite {number}', phone: '478 555 0199' }
const INVENTED = { firstName: 'Indumati', lastName: 'Vellorepalli', values: VALUES }
const TEXT = { subject: 'A question', text: 'Are you at the meeting?' }

let officer: TestBrowser
let reader: DirectoryMember
beforeEach(async () => {
  await publishFields(app(), FIELDS)
  officer = await officerWith(app(), ['membership'])
  await recordSecondFactor(app(), officer)
  for (const { id, removedAt } of (await list()).entries)
    if (removedAt === null) await officer.post(`${PATH}/${id}/remove`, {})
  reader = await joinForDirectory(app(), { firstName: 'Reader', lastName: 'Bhargavan' })
})

const list = async () => (await officer.get(PATH)).body as PlantedEntries
async function plant(given: object = {}): Promise<string> {
  const added = await officer.post(PATH, { ...INVENTED, ...given })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  return (added.body as PlantedEntries).entries[0]?.id ?? ''
}
const search = async (by: DirectoryMember, query: Record<string, string>) =>
  (await by.browser.get(`/api/directory?${new URLSearchParams(query)}`)).body as {
    people: { id: string; lastName: string; values: { key: string; value: string }[] }[]
  }
const practiceSeenBy = async (by: DirectoryMember, lastName: string) =>
  (await search(by, { q: lastName })).people[0]?.values.find(({ key }) => key === 'practice')?.value ?? ''

test('members find it by name, misspelled name, value and filter, in its place, and open it as any other entry', async () => {
  const real = await joinForDirectory(app(), { firstName: 'Real', lastName: 'Vellorea' })
  await real.choose()
  const id = await plant()
  const queries: Record<string, string>[] = [
    { q: 'Vellorepalli' },
    { q: 'velorepali' },
    { q: 'lantana urology' },
    { 'field.specialty': 'Urology' },
  ]
  for (const query of queries) expect((await search(reader, query)).people.map((one) => one.id)).toContain(id)
  expect((await search(reader, { q: 'vellore' })).people.map(({ lastName }) => lastName)).toEqual([
    'Vellorea',
    'Vellorepalli',
  ])
  expect((await search(reader, { 'field.specialty': 'Cardiology' })).people.map((one) => one.id)).not.toContain(id)
  const [planted, member] = await Promise.all([
    reader.browser.get(`/api/directory/${id}`),
    real.choose().then(({ entryId }) => reader.browser.get(`/api/directory/${entryId}`)),
  ])
  expect(planted.body).toMatchObject({ firstName: 'Indumati', isOwn: false, takesMessages: true })
  expect(Object.keys(planted.body)).toEqual(Object.keys(member.body))
  expect(id).toHaveLength(String(member.body.id).length)
})

test('it is nowhere else: no account, figure, list, search, audience, roll or public page has it', async () => {
  await openPublicDirectory(app())
  const counted = async () => {
    const tables = ['account', 'membership', 'directoryListing', 'directoryWord', 'recordValue', 'loginName'] as const
    const { db } = app().database
    return Promise.all(
      tables.map(async (table) => {
        const rows = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        return Number(rows.count)
      }),
    )
  }
  const before = await counted()
  await plant()
  expect(await counted()).toEqual(before)
  const secretary = await officerWith(app(), ['secretary'])
  for (const path of ['/api/console/members?q=Vellorepalli', '/api/console/search?q=Vellorepalli'])
    expect(JSON.stringify((await secretary.get(path)).body)).not.toContain('Indumati')
  expect(JSON.stringify(await app().app.services.directory.publicPage({ q: 'Vellorepalli' }))).not.toContain('Indumati')
})

test('a message for it reaches the officers, marked; the sender sees and has what every message leaves', async () => {
  const id = await plant()
  const real = await joinForDirectory(app())
  const { entryId } = await real.choose()
  const before = (await reader.browser.get('/api/account/data')).body as { history: unknown[] }
  const answers = await Promise.all(
    [id, entryId].map((one) => reader.browser.post(`/api/directory/${one}/message`, TEXT)),
  )
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    [answers[1], answers[1]].map((one) => [204, one?.body]),
  )
  await app().drain()
  const emails = await openMailbox(app().standins.url).emailsTo('office@example.org')
  const email = emails.find(({ subject }) => subject === 'Planted entry: message for Indumati Vellorepalli')
  expect(email?.text).toContain(TEXT.text)
  expect(email?.headers['reply-to']).toContain(reader.email)
  const data = (await reader.browser.get('/api/account/data')).body as {
    history: unknown[]
    directoryMessages: unknown[]
  }
  expect(data.directoryMessages).toHaveLength(2)
  expect(data.history).toEqual(before.history)
  expect(JSON.stringify(data)).not.toMatch(/planted/i)
})

test('each log-in sees a number of its own; a copy names the entry, and the log-in that has the number', async () => {
  const lastName = 'Oncepalli'
  const values = { practice: 'Jasmine Clinic, Suite {number}', phone: '478 555 0177' }
  const id = await plant({ lastName, values })
  const other = await joinForDirectory(app())
  const [mine, theirs] = [await practiceSeenBy(reader, lastName), await practiceSeenBy(other, lastName)]
  expect([mine, theirs]).toEqual([expect.stringMatching(/Suite \d{4}$/), expect.stringMatching(/Suite \d{4}$/)])
  expect(await practiceSeenBy(reader, lastName)).toBe(mine)
  await officer.post(`${PATH}/${id}/remove`, {})
  expect((await search(reader, { q: lastName })).people).toEqual([])
  expect((await reader.browser.get(`/api/directory/${id}`)).status).toBe(404)
  expect((await reader.browser.post(`/api/directory/${id}/message`, TEXT)).status).toBe(404)

  const trace = async (text: string) => (await officer.post(`${PATH}/trace`, { text })).body as CopyTrace
  const { entries } = await trace(`Dr. Indumati  ONCEPALLI;${mine.toUpperCase()};(478) 555-0177`)
  expect(entries).toEqual([
    expect.objectContaining({
      id,
      hasName: true,
      found: ['practice', 'phone'].map((key) => expect.stringMatching(new RegExp(key, 'i'))),
    }),
  ])
  expect(entries[0]?.readers).toContainEqual({ accountId: reader.id, name: 'Reader Bhargavan', isView: false })
  expect(await trace('Suite 4711, Urology')).toEqual({ entries: [], publicDays: [] })
})

test('the public page has a mark of the day instead, which says when a copy was made', async () => {
  await openPublicDirectory(app())
  const page = await app().app.services.directory.publicPage({})
  const day = (await officer.post(`${PATH}/trace`, { text: `{"@id":"#entry-${page?.mark}-1"}` })).body as CopyTrace
  expect(day.publicDays).toHaveLength(1)
  expect(
    ((await officer.post(`${PATH}/trace`, { text: 'entry-0123456789abcdef01-1' })).body as CopyTrace).publicDays,
  ).toEqual([])
})

test('no name of an account, no name twice, no field that members do not see, at most five', async () => {
  const refused = async (given: object) => (await officer.post(PATH, { ...INVENTED, ...given })).body
  expect((await refused({ firstName: 'reader', lastName: 'BHARGAVAN' })).message).toMatch(/has this name/)
  const home = { lines: ['1 Main St'], city: 'Macon', region: '', postalCode: '', country: '' }
  expect((await refused({ values: { home } })).errors).toHaveProperty(['values.home'])
  expect((await refused({ values: { specialty: 'Magic' } })).errors).toHaveProperty(['values.specialty'])
  const both = await Promise.all([1, 2].map(() => officer.post(PATH, INVENTED)))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  for (const lastName of ['Aone', 'Btwo', 'Cthree', 'Dfour']) await plant({ lastName })
  expect((await refused({ lastName: 'Efive' })).code).toBe('PLANTED_ENTRIES_FULL')
})

test('only officers who change members, with a fresh code; not after the role ended', async () => {
  const id = await plant()
  const viewer = await officerWith(app(), ['viewer', 'treasurer', 'editor'])
  for (const path of [PATH, `${PATH}/${id}/remove`, `${PATH}/trace`]) {
    const answer = await viewer.post(path, { ...INVENTED, text: 'x' })
    expect([answer.status, answer.body.code]).toEqual([403, 'NOT_ALLOWED'])
  }
  expect((await viewer.get(PATH)).status).toBe(403)
  expect((await reader.browser.get(PATH)).status).toBe(403)
  const { browser, accountId } = await newOfficer(app(), ['membership'])
  await recordSecondFactor(app(), browser)
  expect((await browser.get(PATH)).status).toBe(200)
  await app()
    .database.db.updateTable('officerTerm')
    .set({ endsOn: '2020-01-01' })
    .where('accountId', '=', accountId)
    .execute()
  expect((await browser.post(`${PATH}/${id}/remove`, {})).status).toBe(403)
  await app().advance(11 * 60_000)
  for (const [path, body] of [
    [PATH, { ...INVENTED, lastName: 'Later' }],
    [`${PATH}/${id}/remove`, {}],
    [`${PATH}/trace`, { text: 'x' }],
  ] as const)
    expect((await officer.post(path, body)).body.code).toBe('SECOND_FACTOR_AGAIN')
})
