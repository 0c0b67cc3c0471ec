import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/console/audit.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { replaceRecords } from '#server/features/content-store/content.commands.ts'
import { eventKind } from '#server/features/content-store/kinds/news-and-events.kinds.ts'
import { listRecords } from '#server/features/content-store/content.queries.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { openEvent, sayComing } from '#tests/support/events.ts'
import { newOfficer, officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const today = () => dayOf(app().now(), app().config.timeZone)

function sentence({ actor, text, subject }: AuditEntry): string {
  return `${actor} ${text.before}${subject}${text.after}.`
}

/** A president who assigned a role to a member and published a page. */
async function withSomeHistory() {
  const { browser: president, accountId } = await newOfficer(app(), ['president'])
  await recordSecondFactor(app(), president)
  const me = (await president.get('/api/console/me')).body.name as string
  const member = app().browser()
  const { email } = await member.join({ levelKey: 'medical_student', firstName: 'Kavitha', lastName: 'Menon' })
  const role = { email, role: 'viewer', startsOn: today(), endsOn: addDays(today(), 30) }
  expect((await president.post('/api/console/officers', role)).status).toBe(201)
  const list = async (query = '') =>
    (await president.get(`/api/console/audit${query}`)).body as {
      entries: AuditEntry[]
      people: { id: string; name: string }[]
    }
  return { president, presidentId: accountId, me, list }
}

/** An event with RSVPs open. */
async function eventWithTitle(title: string): Promise<string> {
  const id = await openEvent(app())
  const { db } = app().database
  const records = (await listRecords(db, eventKind)).filter((record) => record.id === id)
  const renamed = records.map(({ value }) => ({ id, value: { ...value, title } }))
  await replaceRecords(db, eventKind, renamed, { now: app().now(), keepsOthers: true })
  return id
}

describe('the audit log', () => {
  test('reads as sentences with names that link to their pages, and labeled changes', async () => {
    const { me, presidentId, list } = await withSomeHistory()
    const { entries } = await list('?q=role')
    const given = entries.find(({ action, actor }) => action === 'role.given' && actor === me)
    expect(given && sentence(given)).toBe(`${me} assigned Kavitha Menon a role.`)
    expect(given?.actorPath).toBe(`/console/members/${presidentId}`)
    expect(given?.subjectPath).toMatch(/^\/console\/members\/\w+$/)
    expect(given?.changes).toContainEqual({ label: 'Role', before: null, after: 'Viewer' })
  })

  test('is filtered by person, kind and day, and by all of them together', async () => {
    const { me, presidentId, list } = await withSomeHistory()
    const mine = (await list(`?person=${presidentId}`)).entries
    expect(mine.length).toBeGreaterThan(1)
    expect(mine.every(({ actor, subject }) => actor === me || subject === me)).toBe(true)
    const officers = (await list('?kind=officers')).entries
    expect(new Set(officers.map(({ kind }) => kind))).toEqual(new Set(['officers']))
    expect((await list(`?from=${addDays(today(), 1)}`)).entries).toEqual([])
    expect((await list(`?to=${addDays(today(), -1)}`)).entries).toEqual([])
    const all = await list(`?person=${presidentId}&kind=officers&from=${today()}&to=${today()}&q=assigned`)
    expect(all.entries.map(({ action }) => action)).toEqual(['role.given'])
    expect(all.people.map(({ name }) => name)).toEqual(expect.arrayContaining([me, 'Kavitha Menon', 'Stripe']))
  })

  test('is searchable by the text of its sentences', async () => {
    const { list } = await withSomeHistory()
    expect((await list('?q=a role')).entries.map(({ action }) => action)).toContain('role.given')
  })

  test('is searchable by names of guests and titles of events, also in the export', async () => {
    const { president, list } = await withSomeHistory()
    const event = await eventWithTitle('Heart Failure Update')
    await sayComing(app(), event, 'ajay@example.com', { name: 'Dr. Ajay Menon' })
    const { entries } = (await president.get(`/api/console/rsvp/${event}/door`)).body as { entries: { id: string }[] }
    const mark = { id: randomUUID(), rsvpId: entries[0]?.id, arrived: 1, at: app().now() }
    await president.post(`/api/console/rsvp/${event}/marks`, { walkIns: [], marks: [mark] })

    const found = async (term: string) => (await list(`?q=${encodeURIComponent(term)}`)).entries.map(sentence)
    const checkedIn = expect.stringContaining('checked in Dr. Ajay Menon (Heart Failure Update).') as string
    const offered = expect.stringContaining('changed the RSVP settings of Heart Failure Update.') as string
    expect(await found('ajay menon')).toEqual([checkedIn])
    expect(await found('Heart Failure')).toEqual([checkedIn, offered])
    expect(await found('Heart Transplant')).toEqual([])
    const file = await fetch(`${app().url}/api/console/audit/export?q=Heart+Failure`, {
      headers: { authorization: `Bearer ${president.token}` },
    })
    expect(readCsv(await file.text()).map((row) => row[2])).toEqual(['What', checkedIn, offered])
  })

  test('is searchable by titles of emails to members, newsletters and pages', async () => {
    const { president, list } = await withSomeHistory()
    const found = async (term: string) => (await list(`?q=${encodeURIComponent(term)}`)).entries.map(sentence)
    for (const [path, body, tested] of [
      ['member-emails', { name: 'Dues notice', topic: 'notice', audience: { filter: {} } }, 'the email to members'],
      ['newsletters', { name: 'Spring and summer' }, 'the newsletter'],
    ] as const) {
      const { id } = (await president.post(`/api/console/${path}`, body)).body as { id: string }
      expect((await president.post(`/api/console/${path}/${id}/test`, {})).status).toBe(200)
      expect(await found(body.name.toLowerCase())).toContainEqual(expect.stringContaining(`of ${tested} ${body.name}.`))
    }

    const page = { actor: 'system', action: 'content.published', subjectId: 'pages/about' } as const
    await writeAudit(app().database.db, page, app().now())
    const { title } = (await president.get('/api/console/content/pages/about')).body as { title: string }
    expect(await found(title)).toContainEqual(expect.stringContaining(`published “${title}”`))
  })

  test('is exported with its filter, and the export is audited', async () => {
    const { president, me, list } = await withSomeHistory()
    const file = await fetch(`${app().url}/api/console/audit/export?q=assigned`, {
      headers: { authorization: `Bearer ${president.token}` },
    })
    expect(file.headers.get('content-type')).toContain('text/csv')
    const [heading, ...rows] = readCsv(await file.text())
    expect(heading?.slice(0, 3)).toEqual(['When', 'Who', 'What'])
    expect(rows.map((row) => row[2])).toContain(`${me} assigned Kavitha Menon a role.`)
    const [latest] = (await list()).entries
    expect(latest && sentence(latest)).toBe(`${me} exported the audit log.`)
    expect(latest?.changes).toContainEqual({ label: 'Entries', before: null, after: String(rows.length) })
  })

  test('requires the permission, also for the export', async () => {
    const viewer = await officerWith(app(), ['viewer'])
    await recordSecondFactor(app(), viewer)
    for (const path of ['/api/console/audit', '/api/console/audit/export'])
      expect((await viewer.get(path)).body.code).toBe('NOT_ALLOWED')
  })

  test('rejects invalid days and kinds', async () => {
    const { president } = await withSomeHistory()
    for (const query of ['from=yesterday', 'to=2026-02-30', 'kind=gossip'])
      expect((await president.get(`/api/console/audit?${query}`)).status).toBe(400)
  })
})
