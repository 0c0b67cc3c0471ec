import { beforeAll, expect, test } from 'vitest'
import type { SubscriberFile } from '#contract/console/subscribers.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const READERS = '/api/console/subscribers'
let editor: TestBrowser

beforeAll(async () => {
  editor = (await newOfficer(app(), ['editor'])).browser
  await recordSecondFactor(app(), editor)
})

const upload = (path: string, text: string, by = editor) =>
  by.call('POST', path, text, { 'content-type': 'application/octet-stream' })
const check = (text: string, by?: TestBrowser) => upload('/api/console/subscriber-import-file', text, by)

function add(text: string, { digest }: Pick<SubscriberFile, 'digest'>, by?: TestBrowser) {
  const query = new URLSearchParams({ filename: 'gala.csv', digest, consent: 'stated' })
  return upload(`/api/console/subscriber-imports?${query}`, text, by)
}

const list = (...lines: string[]) => ['email,consent date,source', ...lines].join('\n')
const find = async (query: string) => (await editor.get(`${READERS}?q=${query}`)).body.subscribers

async function audits() {
  const { db } = app().database
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'subscribers.imported').execute()
  return rows.map(({ details }) => JSON.parse(details) as object)
}

test('a list is checked, then imported once with its consent, never as confirmed, and audited', async () => {
  // One is pending; one unsubscribed, and only its owner can subscribe it again.
  await editor.post(READERS, { email: 'waits@example.org' })
  const left = list('left@example.org,2020-01-01,Old list')
  await add(left, (await check(left)).body as SubscriberFile)
  const [gone] = await find('left@example.org')
  await editor.post(`${READERS}/${gone.id}/off`, {})
  await app().drain()
  expect(app().standins.mails('left@example.org')).toHaveLength(1)

  const text = list(
    'ana@example.org,2024-03-02,Gala sign-up form',
    'ben@example.org,,',
    'WAITS@example.org,2024-03-02,Gala',
    'Left@Example.org,2024-03-02,Gala',
    'cara@example.org,31/06/2024,Gala',
  )
  const before = await audits()
  const checked = (await check(text)).body as SubscriberFile
  expect(checked.counts).toEqual({ added: 2, dated: 1, known: 1, suppressed: 1, wrong: 1 })
  expect(checked.wrong).toMatchObject([{ line: 6, cell: '31/06/2024' }])
  expect(await find('ana@example.org')).toEqual([])

  expect((await add(text, checked)).body).toMatchObject({ counts: { added: 2 } })
  expect(await find('ana@example.org')).toMatchObject([
    {
      state: 'subscribed',
      source: 'import',
      confirmedAt: null,
      imported: { at: expect.any(String), consentOn: '2024-03-02', consentSource: 'Gala sign-up form' },
    },
  ])
  expect(await find('ben@example.org')).toMatchObject([
    { confirmedAt: null, imported: { consentOn: null, consentSource: null } },
  ])
  expect(await find('left@example.org')).toEqual([])
  expect((await audits()).slice(before.length)).toEqual([
    { filename: 'gala.csv', added: 2, dated: 1, known: 1, suppressed: 1, wrong: 1 },
  ])
  // A second import adds no one and is not audited.
  expect((await add(text, checked)).body.counts).toMatchObject({ added: 0, known: 3 })
  expect(await audits()).toHaveLength(before.length + 1)
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  for (const { name, findViolations: breaches } of invariants) {
    if (name === 'subscribed-has-confirmed') expect(await breaches(tools)).toEqual([])
  }
})

test('a file other than the checked one is rejected, and so is one without addresses', async () => {
  const checked = (await check(list('dev@example.org,,'))).body as SubscriberFile
  expect((await add(list('eve@example.org,,'), checked)).body.code).toBe('CHANGED_MEANWHILE')
  expect(await find('eve@example.org')).toEqual([])
  expect((await check('name\nAna')).body).toMatchObject({
    code: 'INVALID_INPUT',
    errors: { file: expect.stringMatching(/no column of email/) },
  })
  const query = new URLSearchParams({ filename: 'x.csv', digest: checked.digest })
  expect((await upload(`/api/console/subscriber-imports?${query}`, list('dev@example.org,,'))).status).toBe(400)
})

test('requires the permission to send the newsletter and a fresh code', async () => {
  const text = list('fay@example.org,,')
  const checked = (await check(text)).body as SubscriberFile
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  expect((await check(text, viewer)).body.code).toBe('NOT_ALLOWED')
  expect((await add(text, checked, viewer)).body.code).toBe('NOT_ALLOWED')
  await app().advance(11 * 60_000)
  expect((await add(text, checked)).body.code).toBe('SECOND_FACTOR_AGAIN')
  await recordSecondFactor(app(), editor)
  expect((await add(text, checked)).status).toBe(201)
})

test('an export has the recorded consent, needs a recent code, and is audited without addresses', async () => {
  await recordSecondFactor(app(), editor)
  const text = list('exported@example.org,2021-05-01,Gala table')
  await add(text, (await check(text)).body as SubscriberFile)
  const file = await fetch(`${app().url}${READERS}/export?q=exported`, {
    headers: { authorization: `Bearer ${editor.token}` },
  })
  const [head, row, ...others] = readCsv(await file.text())
  expect(others).toEqual([])
  expect(head).toContain('Consent source')
  expect(row).toEqual(expect.arrayContaining(['exported@example.org', '2021-05-01', 'Gala table']))
  const { db } = app().database
  const [entry] = await db.selectFrom('audit').selectAll().where('action', '=', 'subscribers.exported').execute()
  expect(JSON.parse(entry?.details ?? '')).toMatchObject({ after: { rows: 1 } })
  await app().advance(11 * 60_000)
  expect((await editor.get(`${READERS}/export`)).body.code).toBe('SECOND_FACTOR_AGAIN')
})
