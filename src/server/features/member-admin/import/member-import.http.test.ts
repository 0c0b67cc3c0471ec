import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { MEMBER_COLUMNS, type ImportReport } from '#contract/console/import.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { readCsv, writeCsv } from '#server/lib/csv/csv.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { openMailbox } from '#tests/support/emails/mailbox.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let secretary: TestBrowser
let viewer: TestBrowser

beforeAll(async () => {
  secretary = (await newOfficer(app(), ['secretary'])).browser
  viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), secretary)
  await recordSecondFactor(app(), viewer)
})

async function send(
  content: string | Uint8Array<ArrayBuffer>,
  by = secretary,
): Promise<{ status: number; body: ImportReport }> {
  const response = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  return { status: response.status, body: (await response.json()) as ImportReport }
}

async function download(path: string): Promise<string> {
  const response = await fetch(app().url + path, { headers: { authorization: `Bearer ${secretary.token}` } })
  return response.text()
}

const file = (rows: readonly (readonly string[])[]) => writeCsv([[...MEMBER_COLUMNS], ...rows])
const look = async (id: string) => (await secretary.get(`/api/console/member-imports/${id}`)).body as ImportReport
const confirm = (id: string, sendsInvitations = false) =>
  secretary.post(`/api/console/member-imports/${id}/confirm`, { sendsInvitations })

function people(prefix: string, count: number, wrongEvery = 0): string[][] {
  return Array.from({ length: count }, (_, index) => [
    wrongEvery > 0 && index % wrongEvery === 0 ? `${prefix}${index} at example` : `${prefix}${index}@example.com`,
    `${prefix}${index}`,
    'Nila',
    `=${prefix}${index}`,
    'annual_member',
    '2026-01-15',
    '2027-06-15',
  ])
}

async function count(table: 'account' | 'membership' | 'outbox'): Promise<number> {
  const { total } = await app()
    .database.db.selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function audits(action: string, batch: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from audit where action = ${action}
    and details like ${`%${batch}%`}`.execute(app().database.db)
  return Number(rows[0]?.n)
}

async function breaches(): Promise<string[]> {
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  const found: string[] = []
  for (const { name, findViolations: find } of invariants) if ((await find(tools)).length > 0) found.push(name)
  return found
}

describe('a file of 2,000 rows of which 60 are wrong', () => {
  test('is checked, valid rows are imported once although confirmed twice, and rejected rows can be downloaded', async () => {
    const before = await count('account')
    const { status, body } = await send(
      file(people('bulk', 2_000, 34).map((row, index) => (index === 1999 ? ['', ...row.slice(1)] : row))),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'checked',
      filename: 'members.csv',
      counts: { rows: 2_000, new: 1_940, changed: 0, unchanged: 0, wrong: 60 },
      progress: { done: 0, total: 1_940 },
    })
    expect(body.wrong[0]).toMatchObject({ line: 2, faults: [{ column: 'email', cell: 'bulk0 at example' }] })
    expect(await count('account')).toBe(before)

    const both = await Promise.all([confirm(body.id), confirm(body.id)])
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    await app().drain()
    const done = await look(body.id)
    expect(done).toMatchObject({ state: 'done', progress: { done: 1_940, total: 1_940 }, counts: { wrong: 60 } })
    expect((await confirm(body.id)).body.state).toBe('done')
    await app().drain()
    expect((await count('account')) - before).toBe(1_940)
    expect(await audits('member.imported', body.id)).toBe(1_940)
    expect(await audits('members.import_confirmed', body.id)).toBe(1)

    const wrong = readCsv(await download(`/api/console/member-imports/${body.id}/wrong-rows`))
    expect(wrong).toHaveLength(61)
    expect(wrong[1]?.slice(0, 4)).toEqual(['bulk0 at example', 'bulk0', 'Nila', '=bulk0'])
    expect(await download(`/api/console/member-imports/${body.id}/wrong-rows`)).toContain(`"'=bulk0"`)
    expect(wrong[1]?.at(-2)).toContain('valid email')
    // The corrected file of rejected rows can be imported.
    const [heading = [], first = []] = wrong
    const cured = await send(writeCsv([heading, ['bulk0@example.com', ...first.slice(1)]]))
    expect(cured.body.counts).toMatchObject({ rows: 1, new: 1 })
    expect(await breaches()).toEqual([])
  }, 240_000)

  test('an export imported again changes nothing', async () => {
    const exported = await download('/api/console/members/export')
    const { body } = await send(exported)
    expect(body.wrong).toEqual([])
    expect(body.changed).toEqual([])
    expect(body.counts.unchanged).toBe(body.counts.rows)
    expect(body.counts.rows).toBe(await count('account'))
  }, 60_000)
})

test('after a crash, finished rows stay imported and the rest follows once the lease expires', async () => {
  const { body } = await send(file(people('crash', 80)))
  await confirm(body.id)
  const { db } = app().database
  const first = await db
    .selectFrom('outbox')
    .select(['id', 'payload'])
    .where('dedupeKey', '=', `members.import:${body.id}:0`)
    .executeTakeFirstOrThrow()
  await app().drain()
  // Simulate a process that crashed after storing its rows but before marking the effect done.
  await db.updateTable('importFile').set({ state: 'running', finishedAt: null }).where('id', '=', body.id).execute()
  await db
    .updateTable('outbox')
    .set({ doneAt: null, leasedUntil: app().now() + 60_000, dueAt: app().now() })
    .where('id', '=', first.id)
    .execute()
  await app().drain()
  expect((await look(body.id)).state).toBe('running')
  await app().advance(61_000)
  await app().drain()
  expect(await look(body.id)).toMatchObject({ state: 'done', progress: { done: 80, total: 80 } })
  expect(await audits('member.imported', body.id)).toBe(80)
}, 60_000)

/** Corrupts a stored row; returns a function that repairs it. */
async function spoil(fileId: string, line: number): Promise<() => Promise<unknown>> {
  const row = () => app().database.db.updateTable('importRow').where('fileId', '=', fileId).where('line', '=', line)
  const { cells } = await app()
    .database.db.selectFrom('importRow')
    .select('cells')
    .where('fileId', '=', fileId)
    .where('line', '=', line)
    .executeTakeFirstOrThrow()
  await row().set({ cells: '{' }).execute()
  return () => row().set({ cells }).execute()
}

test('a batch that fails is rolled back and completed on retry', async () => {
  const { body } = await send(file(people('half', 40)))
  const repair = await spoil(body.id, 31)
  await confirm(body.id)
  await app().drain()
  expect((await look(body.id)).progress.done).toBe(25)
  await repair()
  for (let tries = 0; tries < 3; tries++) {
    await app().advance(30_000)
    await app().drain()
  }
  expect(await look(body.id)).toMatchObject({ state: 'done', progress: { done: 40, total: 40 } })
}, 60_000)

test('a row that keeps failing is skipped with a message, and the others are imported', async () => {
  const { body } = await send(file(people('stuck', 40)))
  await spoil(body.id, 31)
  await confirm(body.id)
  for (let tries = 0; tries < 20; tries++) {
    await app().drain()
    await app().advance(60_000)
  }
  const done = await look(body.id)
  expect(done).toMatchObject({ state: 'done', progress: { done: 39, total: 39 }, counts: { wrong: 1 } })
  expect(done.wrong[0]).toMatchObject({
    line: 31,
    faults: [{ sentence: expect.stringContaining('on our side') as string }],
  })
  await recordSecondFactor(app(), secretary)
  await recordSecondFactor(app(), viewer)
}, 60_000)

test('an existing member is updated and audited with before and after; one who changed since the check is skipped', async () => {
  const [one = [], two = [], three = []] = people('change', 3)
  const started = (await send(file([one, two]))).body
  await confirm(started.id)
  await app().drain()
  const changed = [...one.slice(0, 2), 'Meera', one[3] ?? '', 'life_member', '2026-01-15', '']
  const moved = [...two.slice(0, 6), '2028-06-15']
  const { body } = await send(file([changed, moved, three]))
  expect(body.counts).toMatchObject({ new: 1, changed: 2, unchanged: 0, wrong: 0 })
  expect(body.changed[1]).toMatchObject({ changes: [{ column: 'endsOn', before: '2027-06-15', after: '2028-06-15' }] })
  const { db } = app().database
  await db.updateTable('account').set({ lastName: 'Elsewhere' }).where('emailKey', '=', 'change1@example.com').execute()
  await confirm(body.id)
  await app().drain()
  const done = await look(body.id)
  expect(done).toMatchObject({ state: 'done', progress: { done: 2, total: 2 }, counts: { wrong: 1 } })
  expect(done.wrong[0]?.faults[0]?.sentence).toMatch(/after the file was checked/)
  const { id } = await db
    .selectFrom('account')
    .select('id')
    .where('emailKey', '=', 'change0@example.com')
    .executeTakeFirstOrThrow()
  const member = (await secretary.get(`/api/console/members/${id}`)).body
  expect(member).toMatchObject({
    name: { first: 'Meera' },
    state: 'ACTIVE',
    endsAt: null,
    subscription: { kind: 'ONE_TIME' },
  })
  expect(member.history[0]).toMatchObject({
    action: 'member.changed_by_import',
    details: {
      before: { firstName: 'Nila', level: 'annual_member' },
      after: { firstName: 'Meera', level: 'life_member' },
    },
  })
  expect(await breaches()).toEqual([])
})

test('invitations are sent only when selected, and open the account', async () => {
  const [silent = [], invited = []] = people('emails', 2)
  const first = (await send(file([silent]))).body
  const queued = await count('outbox')
  await confirm(first.id)
  await app().drain()
  const kinds = await app().database.db.selectFrom('outbox').select('kind').where('kind', 'like', 'email.%').execute()
  expect(kinds.filter(({ kind }) => kind === 'email.invitation')).toEqual([])
  expect(await count('outbox')).toBe(queued + 2)

  const second = (await send(file([invited]))).body
  await confirm(second.id, true)
  await app().drain()
  const [email] = await openMailbox(app().standins.url).emailsTo('emails1@example.com')
  const link = new URL(/http\S+reset-password\S+/.exec(email?.text ?? '')?.[0] ?? '')
  await app().advance(2 * 86_400_000)
  const answer = await app()
    .browser()
    .post('/api/email/reset-password', {
      token: link.searchParams.get('token'),
      userId: link.searchParams.get('userId'),
      newPassword: 'monsoon-in-macon',
    })
  expect(answer.status).toBe(200)
  expect((await app().browser().logIn('emails1@example.com')).status).toBe(200)
  await recordSecondFactor(app(), secretary)
  await recordSecondFactor(app(), viewer)
})

describe('invalid files', () => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['nothing', '', /empty/],
    ['a heading alone', 'email,firstName\n', /no rows/],
    ['a workbook', new Uint8Array(Buffer.from('PK\u0003\u0004')), /workbook/],
    ['a quote that does not end', 'email,"firstName\nx,y', /is not closed \(line 1\)/],
  ])('%s', async (_name, content, sentence) => {
    const { status, body } = (await send(content)) as unknown as { status: number; body: { errors: { file: string } } }
    expect(status).toBe(400)
    expect(body.errors.file).toMatch(sentence)
  })

  test('files over the limits', async () => {
    const large = await send('x'.repeat(2 * 1024 * 1024 + 1))
    expect(large.status).toBe(413)
    const many = await send(file(people('many', 10_001)))
    expect((many.body as unknown as { message: string }).message).toContain('10,000 rows')
  })

  test('semicolons and Windows encoding, as saved by spreadsheets', async () => {
    const text =
      'Email;First name;Surname;Level;Since;Expires;Fax\r\njose@example.com;José;Núñez;Annual Member;1/5/2026;1/5/2027;-\r\n'
    const { body } = await send(new Uint8Array(Buffer.from(text, 'latin1')))
    expect(body.counts).toMatchObject({ new: 1, wrong: 0 })
    expect(body.columns.at(-1)).toEqual({ heading: 'Fax', column: null, sample: '-' })
    await confirm(body.id)
    await app().drain()
    const found = await secretary.get('/api/console/members?q=jose@example.com')
    expect(found.body.members[0]).toMatchObject({ firstName: 'José', lastName: 'Núñez', username: 'jose' })
  })
})

test('a file can be discarded before it is confirmed; importing requires the permission and a recent code', async () => {
  const { body } = await send(file(people('drop', 2)))
  expect((await send(file(people('drop', 2)), viewer)).status).toBe(403)
  expect((await viewer.get(`/api/console/member-imports/${body.id}`)).body.code).toBe('NOT_ALLOWED')
  expect((await secretary.call('DELETE', `/api/console/member-imports/${body.id}`)).status).toBe(204)
  expect((await confirm(body.id)).status).toBe(404)
  const other = (await send(file(people('drop', 2)))).body
  await confirm(other.id)
  expect((await secretary.call('DELETE', `/api/console/member-imports/${other.id}`)).body.code).toBe(
    'CHANGED_MEANWHILE',
  )
  await app().advance(11 * 60_000)
  expect((await confirm(other.id)).body.code).toBe('SECOND_FACTOR_AGAIN')
  await recordSecondFactor(app(), secretary)
  await app().drain()
  expect((await secretary.get('/api/console/member-imports')).body.imports[0]).toMatchObject({
    id: other.id,
    state: 'done',
  })
  await app().advance(31 * 86_400_000)
  await app().drain()
  const left = await app().database.db.selectFrom('importRow').select('line').execute()
  expect(left).toEqual([])
})
