import { beforeAll, describe, expect, test } from 'vitest'
import type { ImportReport } from '#contract/console/import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { readCsv, writeCsv } from '#server/lib/csv/csv.ts'
import { officerWithSecondFactor, memberPage, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const today = () => dayOf(app().now(), app().config.timeZone)
let secretary: TestOfficer
beforeAll(async () => {
  secretary = await officerWithSecondFactor(app(), 'secretary')
})

async function send(rows: string[][]): Promise<ImportReport> {
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretary.browser.token}`, 'content-type': 'application/octet-stream' },
    body: writeCsv(rows),
  })
  return (await response.json()) as ImportReport
}

const at = ({ id }: { id: string }) => `/api/console/member-imports/${id}`
const HEADINGS = ['Email', 'First name', 'Last name', 'Level', 'Began on', 'Ends on']
const person = (email: string, endsOn = '2099-06-15') => [email, 'Nila', 'Rao', 'annual_member', '2026-01-15', endsOn]

async function accountOf(email: string) {
  const { members } = (await secretary.browser.get(`/api/console/members?q=${encodeURIComponent(email)}`)).body as {
    members: { id: string }[]
  }
  return memberPage(secretary, members[0]?.id ?? '')
}

describe('a cell that is wrong', () => {
  const correct = (report: ImportReport, line: number, body: object, by = secretary) =>
    by.browser.post(`${at(report)}/rows/${line}`, body)

  test('is corrected in place: the row and the rows it concerned get a new verdict, the others stay', async () => {
    const report = await send([
      HEADINGS,
      person('fix1@example.com'),
      person('fix2 at example', 'soon'),
      person('fix1@example.com'),
    ])
    expect(report.counts).toMatchObject({ new: 1, wrong: 2 })
    const address = { column: 'email', before: 'fix2 at example', after: ' fix2@example.com' }
    const half = (await correct(report, 3, address)).body as ImportReport
    expect(half.counts).toMatchObject({ new: 1, wrong: 2 })
    expect(half.wrong[0]).toMatchObject({ line: 3, faults: [{ column: 'endsOn', cell: 'soon' }] })
    const dated = (await correct(report, 3, { column: 'endsOn', before: 'soon', after: '6/15/2099' })).body
    expect(dated.counts).toMatchObject({ new: 2, wrong: 1 })
    // The first line no longer has the address of the last one.
    const first = { column: 'email', before: 'fix1@example.com', after: 'fix3@example.com' }
    const all = (await correct(report, 2, first)).body as ImportReport
    expect(all.counts).toMatchObject({ rows: 3, new: 3, wrong: 0 })
    await secretary.browser.post(`${at(report)}/confirm`, { sendsInvitations: false })
    await app().drain()
    expect(await accountOf('fix2@example.com')).toMatchObject({ state: 'ACTIVE', name: { first: 'Nila' } })
    expect((await correct(report, 3, address)).body.code).toBe('CHANGED_MEANWHILE')
  })

  test('is not corrected over what another officer corrected, in a row or column that is not there, or by a viewer', async () => {
    const report = await send([HEADINGS, person('fix4 at example')])
    const body = { column: 'email', before: 'fix4 at example', after: 'fix4@example.com' }
    const both = await Promise.all([correct(report, 2, body), correct(report, 2, { ...body, after: 'x@example.com' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await correct(report, 9, body)).status).toBe(409)
    expect((await correct(report, 2, { ...body, column: 'username', before: '' })).status).toBe(409)
    expect((await correct({ ...report, id: 'none' }, 2, body)).status).toBe(404)
    const viewer = await officerWithSecondFactor(app(), 'viewer')
    expect((await correct(report, 2, body, viewer)).status).toBe(403)
  })
})

test('without a column of first days they are chosen for all rows; members who are known keep theirs', async () => {
  const known = await send([HEADINGS, person('start1@example.com')])
  await secretary.browser.post(`${at(known)}/confirm`, { sendsInvitations: false })
  await app().drain()
  const without = ([email = '', first = '', last = '', level = '', , ends = '']: string[]) => [
    email,
    first,
    last,
    level,
    ends,
  ]
  const rows = [HEADINGS, person('start1@example.com', '2099-12-31'), person('start2@example.com')].map(without)
  const report = await send(rows)
  expect(report).toMatchObject({ startsOn: today(), missing: [], counts: { new: 1, changed: 1, wrong: 0 } })
  expect(report.changed[0]?.changes.map(({ column }) => column)).toEqual(['endsOn'])
  const choose = (startsOn: string) =>
    secretary.browser.post(`${at(report)}/columns`, { columns: report.columns.map(({ column }) => column), startsOn })
  expect((await choose('soon')).body.errors).toHaveProperty('startsOn')
  expect((await choose('2099-06-15')).body.counts).toMatchObject({ new: 0, wrong: 1 })
  const startsOn = addDays(today(), -10)
  expect((await choose(startsOn)).body).toMatchObject({ startsOn, counts: { new: 1, changed: 1, wrong: 0 } })
  await secretary.browser.post(`${at(report)}/confirm`, { sendsInvitations: false })
  await app().drain()
  const terms = await app()
    .database.db.selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .select(['email', 'startedAt'])
    .where('email', 'in', ['start1@example.com', 'start2@example.com'])
    .where('isCurrent', '=', 1)
    .orderBy('email')
    .execute()
  expect(terms.map(({ startedAt }) => dayOf(Number(startedAt), 'UTC'))).toEqual(['2026-01-15', startsOn])
})

test('the first day chosen for all rows comes along in the file of wrong rows, and so into its correction', async () => {
  const rows = [HEADINGS, person('start3 at example')]
  const report = await send(rows.map((row) => row.filter((_, index) => HEADINGS[index] !== 'Began on')))
  const startsOn = addDays(today(), -10)
  const columns = report.columns.map(({ column }) => column)
  await secretary.browser.post(`${at(report)}/columns`, { columns, startsOn })
  const response = await fetch(`${app().url}${at(report)}/wrong-rows`, {
    headers: { authorization: `Bearer ${secretary.browser.token}` },
  })
  const [headings = [], cells = []] = readCsv(await response.text())
  expect(cells[headings.indexOf('Began on')]).toBe(startsOn)
  const corrected = await send([headings, ['start3@example.com', ...cells.slice(1)]])
  expect(corrected).toMatchObject({ startsOn: null, counts: { new: 1, wrong: 0 } })
})
