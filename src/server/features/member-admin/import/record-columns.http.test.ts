import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MEMBER_COLUMNS, type ImportReport } from '#contract/console/import.ts'
import type { AccountRecord } from '#contract/public/my-account/member-record.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { officerWith } from '#tests/support/officers.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { readCsvRows, writeCsv } from '#server/lib/csv/csv.ts'
import { listEntries } from '#server/features/member-record/record-value.queries.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
beforeAll(async () => {
  secretary = await officerWith(app(), ['secretary'])
})

const FIELDS = [
  lineField('phone', { label: 'Mobile phone', kind: 'phone' }),
  lineField('languages', { kind: 'choices', choices: ['Hindi', 'Tamil'] }),
  lineField('home', { label: 'Postal address', kind: 'address', widest: 'officers' }),
  lineField('born', { kind: 'day' }),
  lineField('program', { levels: ['resident_fellow'] }),
]
beforeEach(() => publishFields(app(), FIELDS))

const HEADINGS = [
  'mobile PHONE',
  'Languages',
  'Postal address: street',
  'Postal address: city',
  'Postal address: postal code',
  'Born',
  'Program',
]
let people = 0

function person(cells: readonly string[], given: { email?: string } = {}): { email: string; row: string[] } {
  const name = `imported${++people}`
  const email = given.email ?? `${name}@example.net`
  return { email, row: [email, '', 'Nila', 'Rao', 'annual_member', '2026-01-15', '2027-06-15', ...cells] }
}

async function upload(rows: readonly string[][], headings: readonly string[] = HEADINGS): Promise<ImportReport> {
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretary.token}`, 'content-type': 'application/octet-stream' },
    body: writeCsv([[...MEMBER_COLUMNS, ...headings], ...rows]),
  })
  return (await response.json()) as ImportReport
}

async function carryOut({ id }: ImportReport): Promise<ImportReport> {
  await secretary.post(`/api/console/member-imports/${id}/confirm`, { sendsInvitations: false })
  await app().drain()
  return (await secretary.get(`/api/console/member-imports/${id}`)).body as ImportReport
}

async function idOf(email: string): Promise<string> {
  const { db } = app().database
  return (await db.selectFrom('account').select('id').where('emailKey', '=', email).executeTakeFirstOrThrow()).id
}

const entriesOf = async (email: string) => listEntries(app().database.db, await idOf(email))
const CELLS = ['478 555 0142', 'tamil; Hindi', '12 Pecan Street', 'Macon', '31201', '3/2/1970', 'Emory']

describe('a file with columns for the member record', () => {
  test('fills fields by their labels; no one sees the values, and nothing of them is in the audit log', async () => {
    const { email, row } = person(CELLS)
    const report = await upload([row])
    expect(report.columns.slice(7).map(({ column }) => column)).toEqual([
      'field:phone',
      'field:languages',
      'field:home.street',
      'field:home.city',
      'field:home.postalcode',
      'field:born',
      'field:program',
    ])
    expect(report.fields).toContainEqual({ column: 'field:home.street2', name: 'Postal address: second line' })
    expect(report.counts).toMatchObject({ new: 1, wrong: 0 })
    await carryOut(report)
    const address = { lines: ['12 Pecan Street'], city: 'Macon', region: '', postalCode: '31201', country: '' }
    const imported = { audience: 'owner', changedBy: 'import', confirmedOn: null }
    expect(await entriesOf(email)).toMatchObject([
      { fieldKey: 'born', value: '1970-03-02', ...imported },
      { fieldKey: 'home', value: address, ...imported },
      { fieldKey: 'languages', value: ['Hindi', 'Tamil'], ...imported },
      // Members of this level are not asked for the program.
      { fieldKey: 'phone', value: '478 555 0142', ...imported },
    ])
    const { db } = app().database
    const audit = await db
      .selectFrom('audit')
      .select('details')
      .where('subjectId', '=', await idOf(email))
      .execute()
    expect(JSON.stringify(audit)).not.toContain('Pecan')
  })

  test('says what is wrong in a cell, and imports nothing of the row', async () => {
    const rows = [
      person(['call me', '', '', '', '', '', '']),
      person(['', 'Latin', '', '', '', '', '']),
      person(['', '', '', 'Macon', '', '', '']),
      person(['', '', '', '', '', 'spring', '']),
    ]
    const report = await upload(rows.map(({ row }) => row))
    expect(report.counts).toMatchObject({ new: 0, wrong: 4 })
    expect(report.wrong.map(({ faults }) => faults.map(({ column, cell }) => [column, cell]))).toEqual([
      [['field:phone', 'call me']],
      [['field:languages', 'Latin']],
      [['field:home.street', '']],
      [['field:born', 'spring']],
    ])
    expect(report.wrong[0]?.faults[0]).toMatchObject({
      sentence: 'Please enter a phone number, such as +1 478 555 0142.',
      cure: 'Correct the cell, or leave it empty.',
    })
  })

  test('columns are chosen by an officer; a field that is gone is not', async () => {
    const report = await upload([person(['478 555 0142']).row], ['Handy'])
    expect(report.columns[7]?.column).toBeNull()
    const choose = (column: string) =>
      secretary.post(`/api/console/member-imports/${report.id}/columns`, { columns: [...MEMBER_COLUMNS, column] })
    expect((await choose('field:phone')).body.columns[7]).toMatchObject({ heading: 'Handy', column: 'field:phone' })
    expect((await choose('field:fax')).body.code).toBe('CHANGED_MEANWHILE')
    expect((await choose('phone')).status).toBe(400)
    // It is stored for the next file, as long as there is the field.
    const next = await upload([person(['478 555 0143']).row], ['Handy'])
    expect(next.columns[7]?.column).toBe('field:phone')
    await publishFields(app(), FIELDS.slice(1))
    const later = await upload([person(['478 555 0144']).row], ['Handy'])
    expect([later.columns[7]?.column, later.counts.new]).toEqual([null, 1])
  })
})

describe('for a member who exists', () => {
  async function imported() {
    const { email, row } = person(['478 555 0142', '', '', '', '', '', ''])
    await carryOut(await upload([row]))
    return { email, again: (cells: readonly string[]) => [...row.slice(0, 7), ...cells] }
  }

  test('the same file changes nothing, and empty cells delete nothing', async () => {
    const { email, again } = await imported()
    expect((await upload([again(['478 555 0142', '', '', '', '', '', ''])])).counts).toMatchObject({ unchanged: 1 })
    expect((await upload([again(['', '', '', '', '', '', ''])])).counts).toMatchObject({ unchanged: 1 })
    expect(await entriesOf(email)).toHaveLength(1)
  })

  test('what an earlier import left is replaced, without showing it', async () => {
    const { email, again } = await imported()
    const report = await upload([again(['478 555 0199', 'Hindi', '', '', '', '', ''])])
    expect(report.changed[0]?.changes).toEqual([
      { column: 'field:phone', before: 'an earlier import', after: '478 555 0199' },
      { column: 'field:languages', before: '', after: 'Hindi' },
    ])
    expect(JSON.stringify(report)).not.toContain('0142')
    await carryOut(report)
    expect((await entriesOf(email)).map(({ value }) => value)).toEqual([['Hindi'], '478 555 0199'])
    const president = await officerWith(app(), ['president'])
    const { entries } = (await president.get(`/api/console/audit?person=${await idOf(email)}`)).body
    expect(entries[0].changes).toEqual([{ label: 'Fields', before: null, after: 'Mobile phone; Languages' }])
  })

  test('what the member or an officer entered stays', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'annual_member' })
    const record = async () => (await browser.get('/api/account/record')).body as AccountRecord
    const values = { phone: '478 555 0142' }
    const { version } = await record()
    await browser.call('PUT', '/api/account/record', { version, values, audiences: { phone: 'members' } })
    const id = await idOf(email)
    const seen = (await secretary.get(`/api/console/members/${id}/record`)).body as { version: string }
    const body = { version: seen.version, values: { languages: ['Tamil'] } }
    expect((await secretary.call('PUT', `/api/console/members/${id}/record`, body)).status).toBe(200)
    const exported = await exportRows()
    const mine = exported.find(([address]) => address === email)?.slice(0, 7) ?? []
    const report = await upload([[...mine, '478 555 0199', 'Hindi', '', '', '', '3/2/1970', '']])
    expect(report.changed[0]?.changes.map(({ column }) => column)).toEqual(['field:born'])
    await carryOut(report)
    expect((await record()).fields.map(({ value }) => value)).toEqual(['478 555 0142', ['Tamil'], null, '1970-03-02'])
    expect((await record()).fields[0]?.audience).toBe('members')
  })

  test('an undo of the import deletes the record with the account, unless it was changed since', async () => {
    const [untouched, edited] = [await imported(), await imported()]
    const id = await idOf(edited.email)
    const { version } = (await secretary.get(`/api/console/members/${id}/record`)).body as { version: string }
    await secretary.call('PUT', `/api/console/members/${id}/record`, { version, values: { languages: ['Hindi'] } })
    const untouchedId = await idOf(untouched.email)
    const { db } = app().database
    const files = await db
      .selectFrom('memberImport')
      .select('batch')
      .where('accountId', 'in', [id, untouchedId])
      .execute()
    for (const { batch } of files) await secretary.post(`/api/console/member-imports/${batch}/undo`, {})
    await app().drain()
    expect(await listEntries(db, untouchedId)).toEqual([])
    expect(await listEntries(db, id)).toHaveLength(2)
  })
})

async function exportRows(): Promise<string[][]> {
  const response = await fetch(`${app().url}/api/console/members/export`, {
    headers: { authorization: `Bearer ${secretary.token}` },
  })
  return readCsvRows(await response.text(), ',').map(({ cells }) => [...cells])
}

describe('the export', () => {
  test('has the values that officers see, under the headings of an import, and importing it again changes nothing', async () => {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'annual_member' })
    const { version } = (await browser.get('/api/account/record')).body as AccountRecord
    const home = { lines: ['12 Pecan Street', 'Apt 4'], city: 'Macon', region: 'GA', postalCode: '31201', country: '' }
    const values = { phone: '478 555 0777', languages: ['Tamil', 'Hindi'], home, born: '1970-03-02' }
    await browser.call('PUT', '/api/account/record', { version, values, audiences: { phone: 'owner' } })
    const [heading = [], ...rows] = await exportRows()
    const mine = rows.find(([address]) => address === email) ?? []
    const cell = (name: string) => mine[heading.indexOf(name)]
    expect(
      ['Mobile phone', 'Languages', 'Postal address: street', 'Postal address: second line', 'Born'].map(cell),
    ).toEqual(['', 'Hindi; Tamil', '12 Pecan Street', 'Apt 4', '1970-03-02'])
    expect(JSON.stringify(rows)).not.toContain('0777')
    const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretary.token}`, 'content-type': 'application/octet-stream' },
      body: writeCsv([heading, mine]),
    })
    expect(((await response.json()) as ImportReport).counts).toMatchObject({ unchanged: 1, rows: 1 })
  })
})
