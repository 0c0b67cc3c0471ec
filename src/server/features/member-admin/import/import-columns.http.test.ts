import { expect, test } from 'vitest'
import type { ImportReport } from '#contract/console/import.ts'
import { writeCsv } from '#server/lib/csv/csv.ts'
import { officerWith } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

async function send(rows: readonly (readonly string[])[]): Promise<ImportReport> {
  const secretary = await officerWith(app(), ['secretary'])
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=list.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretary.token}`, 'content-type': 'application/octet-stream' },
    body: writeCsv(rows),
  })
  return (await response.json()) as ImportReport
}

const HEADINGS = ['Contact', 'Vorname', 'Nachname', 'Class', 'From', 'To', 'Town']
const row = (name: string) => [
  `${name}@example.com`,
  'Nila',
  'Rao',
  'Annual Member',
  '2026-01-15',
  '2027-06-15',
  'Macon',
]
const CHOSEN = ['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn', null]

test('columns with unknown names are chosen on screen, and stored for the next file', async () => {
  const secretary = await officerWith(app(), ['secretary'])
  const unknown = await send([HEADINGS, row('nila1'), row('nila2')])
  expect(unknown.missing).toEqual(['email', 'firstName', 'lastName', 'level', 'endsOn'])
  expect(unknown.counts).toMatchObject({ new: 0, wrong: 2 })
  expect(unknown.columns[0]).toEqual({ heading: 'Contact', column: null, sample: 'nila1@example.com' })
  const choose = (columns: unknown[]) =>
    secretary.post(`/api/console/member-imports/${unknown.id}/columns`, { columns })
  expect((await choose(['email', 'email', null, null, null, null, null])).body.errors.columns).toContain('Email')
  expect((await choose(['email'])).body.code).toBe('CHANGED_MEANWHILE')
  const chosen = (await choose(CHOSEN)).body as ImportReport
  expect([chosen.missing, chosen.counts]).toMatchObject([[], { new: 2, wrong: 0 }])
  await secretary.post(`/api/console/member-imports/${unknown.id}/confirm`, { sendsInvitations: false })
  await app().drain()
  expect((await choose(CHOSEN)).body.code).toBe('CHANGED_MEANWHILE')

  const next = await send([HEADINGS, row('nila1'), row('nila3')])
  expect(next.columns.map(({ column }) => column)).toEqual(CHOSEN)
  expect(next.counts).toMatchObject({ unchanged: 1, new: 1, wrong: 0 })
})

test('the cells of rows without a change are erased once the file is imported', async () => {
  const secretary = await officerWith(app(), ['secretary'])
  const headings = ['Email', 'First name', 'Last name', 'Level', 'Began on', 'Ends on', 'Town']
  for (const name of ['nila4', 'nila4']) {
    const { id } = await send([headings, row(name)])
    await secretary.post(`/api/console/member-imports/${id}/confirm`, { sendsInvitations: false })
    await app().drain()
    const { db } = app().database
    const rows = await db.selectFrom('importRow').select(['original', 'cells']).where('fileId', '=', id).execute()
    expect(rows).toEqual([{ original: '[]', cells: 'null' }])
  }
})
