import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { ImportReport } from '#contract/console/import.ts'
import { incrementContentVersion } from '#server/features/content-store/content.commands.ts'
import { settingKind } from '#server/features/content-store/kinds/settings.kinds.ts'
import { listEntries } from '#server/features/member-record/record-value.queries.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { changeRecord } from '#tests/support/content/stored-records.ts'
import { officerWith } from '#tests/support/officers.ts'
import { lineField, publishFields } from '#tests/support/record-fields.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
beforeAll(async () => {
  secretary = await officerWith(app(), ['secretary'])
  await publishFields(app(), [lineField('phone', { kind: 'phone' }), lineField('specialty')])
})

const exportOf = (system: string) =>
  readFileSync(new URL(`../../../../../../tests/support/exports/${system}.csv`, import.meta.url), 'utf8')

async function upload(text: string): Promise<ImportReport> {
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=export.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretary.token}`, 'content-type': 'application/octet-stream' },
    body: text,
  })
  return (await response.json()) as ImportReport
}

test('an export of Wild Apricot is imported without choosing a column; no one sees the values of its fields', async () => {
  const checked = await upload(exportOf('wild-apricot'))
  expect(checked).toMatchObject({ system: 'wild-apricot', missing: [], counts: { new: 2, wrong: 2 } })
  await secretary.post(`/api/console/member-imports/${checked.id}/confirm`, { sendsInvitations: false })
  await app().drain()
  const { db } = app().database
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'asha.menon@example.net')
    .executeTakeFirstOrThrow()
  expect(await listEntries(db, id)).toMatchObject([
    { fieldKey: 'phone', audience: 'owner', changedBy: 'import' },
    { fieldKey: 'specialty', value: 'Cardiology', audience: 'owner' },
  ])
  expect((await upload(exportOf('wild-apricot'))).counts).toMatchObject({ unchanged: 2, wrong: 2 })
})

test('the recognized system is corrected on screen, and the columns follow', async () => {
  const file = await upload(exportOf('membermojo'))
  expect(file).toMatchObject({ system: 'membermojo', counts: { rows: 2, new: 0, wrong: 0 } })
  const choose = async (system: string | null) =>
    (await secretary.post(`/api/console/member-imports/${file.id}/columns`, { system })).body as ImportReport
  const other = await choose(null)
  expect(other.system).toBeNull()
  expect(other.columns.find(({ heading }) => heading === 'Membership state')?.column).toBeNull()
  // A day after the twelfth shows that the file has the day first.
  expect(other.counts.wrong).toBe(0)
  expect(await choose('membermojo')).toMatchObject({ system: 'membermojo', counts: { new: 0, wrong: 0 } })
})

test('days are read in the order of the country, unless the file shows another one', async () => {
  const read = async (...days: string[]) => {
    const rows = days.map((day, index) => `d${index}@example.org,Asha,Menon,Annual Member,${day},2030-01-01`)
    const { id } = await upload(['Email,First name,Last name,Level,Began on,Ends on', ...rows].join('\n'))
    const { db } = app().database
    const stored = await db.selectFrom('importRow').select('cells').where('fileId', '=', id).orderBy('line').execute()
    return stored.map(({ cells }) => (JSON.parse(cells) as { startedOn: string }).startedOn)
  }
  expect(await read('3/2/2026')).toEqual(['2026-03-02'])
  expect(await read('3/2/2026', '13/2/2026')).toEqual(['2026-02-03', '2026-02-13'])
  const kind = settingKind('region')
  const before = await changeRecord(app().database.db, kind, (region) => ({ ...region, country: 'GB' }))
  await show()
  expect(await read('3/2/2026')).toEqual(['2026-02-03'])
  expect(await read('3/2/2026', '2/13/2026')).toEqual(['2026-03-02', '2026-02-13'])
  await changeRecord(app().database.db, kind, () => before)
  await show()
})

async function show(): Promise<void> {
  await incrementContentVersion(app().database.db)
  await app().app.refreshContent()
}
