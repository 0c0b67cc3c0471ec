import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { MEMBER_COLUMNS, type ImportReport } from '#contract/console/import.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { writeCsv } from '#server/lib/csv/csv.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
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

async function count(table: 'account' | 'membership'): Promise<number> {
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

describe('undoing a finished import', () => {
  const undo = (id: string, by = secretary) => by.post(`/api/console/member-imports/${id}/undo`, {})

  async function imported(prefix: string, count: number) {
    const { body } = await send(file(people(prefix, count)))
    await confirm(body.id)
    await app().drain()
    return body.id
  }
  const idOf = async (email: string) =>
    (await app().database.db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst())?.id ?? ''

  test('deletes unused accounts, once; the others stay, each with the reason', async () => {
    const before = [await count('account'), await count('membership')]
    const id = await imported('undo', 60)
    const [chose, given, renamed] = await Promise.all(
      ['undo0', 'undo1', 'undo2'].map((name) => idOf(`${name}@example.com`)),
    )
    const { db } = app().database
    await db
      .updateTable('account')
      .set({ tokenVersion: 2 })
      .where('id', '=', chose ?? '')
      .execute()
    for (const [subjectId, action] of [
      [given, 'role.given'],
      [renamed, 'member.changed_by_import'],
    ] as const) {
      await writeAudit(db, { actor: 'o', action, subjectId: subjectId ?? '' }, app().now())
    }
    const report = await look(id)
    expect(report.undo).toMatchObject({ removes: 57, keeps: 3 })
    expect(new Map(report.undo?.kept.map((one) => [one.id, one.because]))).toEqual(
      new Map([
        [chose, 'logged-in'],
        [given, 'changed'],
        [renamed, 'changed'],
      ]),
    )

    const both = await Promise.all([undo(id), undo(id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await app().drain()
    expect(await look(id)).toMatchObject({
      undo: { removes: 0, keeps: 3 },
      undoneAt: expect.any(String),
      undoneBy: expect.any(String),
    })
    expect([await count('account'), await count('membership')]).toEqual(before.map((number) => number + 3))
    expect(await audits('member.import_undone', id)).toBe(57)
    expect(await audits('members.import_undone', id)).toBe(1)
    expect(await breaches()).toEqual([])
    // Importing the file again restores them.
    expect((await send(file(people('undo', 60)))).body.counts).toMatchObject({ new: 57 })
  }, 120_000)

  test('requires a finished import, the permission, and a recent code', async () => {
    const { body } = await send(file(people('early', 1)))
    expect((await undo(body.id)).body).toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect((await undo('nothing')).status).toBe(404)
    expect((await undo(body.id, viewer)).status).toBe(403)
    const stale = (await newOfficer(app(), ['secretary'])).browser
    expect((await undo(body.id, stale)).body.code).toMatch(/SECOND_FACTOR/)
    await secretary.call('DELETE', `/api/console/member-imports/${body.id}`)
  })

  test('keeps an account that chose a password after the preview', async () => {
    const id = await imported('late', 2)
    expect((await look(id)).undo).toMatchObject({ removes: 2 })
    const account = await idOf('late1@example.com')
    await app().database.db.updateTable('account').set({ tokenVersion: 2 }).where('id', '=', account).execute()
    await undo(id)
    await app().drain()
    expect(await idOf('late1@example.com')).toBe(account)
    expect(await idOf('late0@example.com')).toBe('')
  })
})
