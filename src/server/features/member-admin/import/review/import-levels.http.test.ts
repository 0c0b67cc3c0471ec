import { beforeAll, expect, test } from 'vitest'
import { MEMBER_COLUMNS, type ImportReport } from '#contract/console/import.ts'
import { writeCsv } from '#server/lib/csv/csv.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { newOfficer, officerWith } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
beforeAll(async () => {
  secretary = await officerWith(app(), ['secretary'])
})

async function upload(rows: readonly (readonly string[])[], headings: readonly string[] = MEMBER_COLUMNS) {
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretary.token}`, 'content-type': 'application/octet-stream' },
    body: writeCsv([headings, ...rows]),
  })
  return (await response.json()) as ImportReport
}

const row = (name: string, level: string, endsOn = '2027-06-15') => [
  `${name}@example.com`,
  name,
  'Nila',
  'Rao',
  level,
  '2026-01-15',
  endsOn,
]

async function choose(id: string, choices: Record<string, string | null>) {
  const levels = Object.entries(choices).map(([key, levelKey]) => ({ key, levelKey }))
  const { status, body } = await secretary.post(`/api/console/member-imports/${id}/levels`, { levels })
  return { status, body: body as ImportReport }
}

const shown = ({ levelNames }: ImportReport) =>
  levelNames.map(({ name, rows, choice, levelKey }) => [name, rows, choice, levelKey])

async function levelOf(email: string): Promise<string | null> {
  const found = await app()
    .database.db.selectFrom('account')
    .leftJoin('membership', 'membership.accountId', 'account.id')
    .select('levelKey')
    .where('email', '=', email)
    .executeTakeFirst()
  return found ? found.levelKey : null
}

test('officers choose the level of each earlier name, and the import, its undo and the next file follow', async () => {
  const file = [
    row('tin.one', 'Tin'),
    row('tin.two', 'TIN '),
    row('old.life', 'Life Member (old)', ''),
    row('guest', 'Guest of the gala'),
    row('no.level', ''),
    row('plain', 'Annual Member'),
  ]
  const checked = await upload(file)
  expect(shown(checked)).toEqual([
    ['Tin', 2, 'none', null],
    ['', 1, 'none', null],
    ['Guest of the gala', 1, 'none', null],
    ['Life Member (old)', 1, 'suggested', 'life_member'],
  ])
  expect(checked.levels).toContainEqual({ key: 'annual_member', name: 'Annual Member' })
  expect(checked.counts).toMatchObject({ new: 2, wrong: 4, leftOut: 0 })

  const { body } = await choose(checked.id, { tin: 'annual_member', '': null, guestofthegala: null })
  expect(body.counts).toMatchObject({ rows: 6, new: 4, wrong: 0, leftOut: 2 })
  expect(shown(body)).toContainEqual(['Tin', 2, 'chosen', 'annual_member'])

  // A corrected cell and other columns keep the choices.
  const corrected = await secretary.post(`/api/console/member-imports/${checked.id}/rows/2`, {
    column: 'level',
    before: 'Tin',
    after: 'Guest of the gala',
  })
  expect((corrected.body as ImportReport).counts).toMatchObject({ new: 3, leftOut: 3 })
  expect(shown(corrected.body as ImportReport)).toContainEqual(['Guest of the gala', 2, 'left-out', null])
  const again = await secretary.post(`/api/console/member-imports/${checked.id}/columns`, {
    columns: checked.columns.map(({ column }) => column),
  })
  expect((again.body as ImportReport).counts).toMatchObject({ new: 3, leftOut: 3 })

  await secretary.post(`/api/console/member-imports/${checked.id}/confirm`, { sendsInvitations: false })
  await app().drain()
  expect(await levelOf('tin.two@example.com')).toBe('annual_member')
  expect(await levelOf('old.life@example.com')).toBe('life_member')
  expect(await levelOf('guest@example.com')).toBeNull()
  expect((await choose(checked.id, { tin: 'life_member' })).status).toBe(409)
  const stored = await app()
    .database.db.selectFrom('importRow')
    .select('original')
    .where('fileId', '=', checked.id)
    .where('verdict', '=', 'left-out')
    .execute()
  expect(stored.map(({ original }) => original)).toEqual(['[]', '[]', '[]'])

  // The next file begins with the choices, except for rows without a level.
  const next = await upload([
    row('tin.two', 'Tin'),
    row('tin.three', 'tin'),
    row('other', 'guest of the GALA'),
    row('none', ''),
  ])
  expect(shown(next)).toEqual([
    ['Tin', 2, 'chosen', 'annual_member'],
    ['', 1, 'none', null],
    ['guest of the GALA', 1, 'left-out', null],
  ])
  expect(next.counts).toMatchObject({ new: 1, unchanged: 1, leftOut: 1, wrong: 1 })

  await secretary.post(`/api/console/member-imports/${checked.id}/undo`, {})
  await app().drain()
  expect(await levelOf('tin.two@example.com')).toBeNull()
})

test('a level that does not exist is refused, and a name that is not in the file is ignored', async () => {
  const checked = await upload([row('zinc.one', 'Zinc')])
  const refused = await choose(checked.id, { zinc: 'no such level' })
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: { levels: expect.stringContaining('no longer there') } },
  })
  expect((await choose(checked.id, { other: 'annual_member' })).body.counts).toMatchObject({ wrong: 1 })
  const kept = await app()
    .database.db.selectFrom('earlierLevel')
    .select('earlier')
    .where('earlier', 'in', ['other', 'zinc'])
    .execute()
  expect(kept).toEqual([])
})

test('what officers chose for a price of this name is suggested', async () => {
  const chosen = { earlier: 'copper 8000 usd 12', levelKey: 'life_member', chosenAt: 1 }
  await app().database.db.insertInto('earlierLevel').values(chosen).execute()
  expect(shown(await upload([row('copper.one', 'Copper', '')]))).toEqual([['Copper', 1, 'suggested', 'life_member']])
})

test('people who are known and have no level need none', async () => {
  const { accountId } = await newOfficer(app(), ['viewer'])
  const { db } = app().database
  await db.deleteFrom('membership').where('accountId', '=', accountId).execute()
  const { email, username, lastName } = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const known = (firstName: string) => [email, username, firstName, lastName, '', '', '']
  expect(await upload([known('Asha')])).toMatchObject({ levelNames: [], counts: { changed: 1 } })
})
