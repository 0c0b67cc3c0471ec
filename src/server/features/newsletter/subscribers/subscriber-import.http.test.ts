import { beforeAll, expect, test } from 'vitest'
import type { ReaderFile } from '#contract/console-newsletter.ts'
import { createSecrets } from '#server/platform/secrets.ts'
import { invariants } from '#server/watching/invariants/invariants.ts'
import { newOfficer, prove } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const READERS = '/api/console/subscribers'
let editor: TestBrowser

beforeAll(async () => {
  editor = (await newOfficer(app(), ['editor'])).browser
  await prove(app(), editor)
})

const upload = (path: string, text: string, by = editor) =>
  by.call('POST', path, text, { 'content-type': 'application/octet-stream' })
const look = (text: string, by?: TestBrowser) => upload('/api/console/subscriber-import-file', text, by)

function add(text: string, { digest }: Pick<ReaderFile, 'digest'>, by?: TestBrowser) {
  const query = new URLSearchParams({ filename: 'gala.csv', digest, consent: 'stated' })
  return upload(`/api/console/subscriber-imports?${query}`, text, by)
}

const list = (...lines: string[]) => ['email,consent date,source', ...lines].join('\n')
const find = async (words: string) => (await editor.get(`${READERS}?q=${words}`)).body.subscribers

async function audits() {
  const { db } = app().database
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'subscribers.imported').execute()
  return rows.map(({ details }) => JSON.parse(details) as object)
}

test('a list is looked at, then imported once with the day and source of the consent, never as confirmed, and written down', async () => {
  // One asked and never confirmed; one left, and nobody but its owner brings it back.
  await editor.post(READERS, { email: 'waits@example.org' })
  const left = list('left@example.org,2020-01-01,Old list')
  await add(left, (await look(left)).body as ReaderFile)
  const [gone] = await find('left@example.org')
  await editor.post(`${READERS}/${gone.id}/off`, {})
  await app().settle()
  expect(app().standins.mails('left@example.org')).toHaveLength(1)

  const text = list(
    'ana@example.org,2024-03-02,Gala sign-up sheet',
    'ben@example.org,,',
    'WAITS@example.org,2024-03-02,Gala',
    'Left@Example.org,2024-03-02,Gala',
    'cara@example.org,31/06/2024,Gala',
  )
  const before = await audits()
  const looked = (await look(text)).body as ReaderFile
  expect(looked.counts).toEqual({ added: 2, dated: 1, known: 1, suppressed: 1, wrong: 1 })
  expect(looked.wrong).toMatchObject([{ line: 6, cell: '31/06/2024' }])
  expect(await find('ana@example.org')).toEqual([])

  expect((await add(text, looked)).body).toMatchObject({ counts: { added: 2 } })
  expect(await find('ana@example.org')).toMatchObject([
    {
      state: 'subscribed',
      source: 'import',
      confirmedAt: null,
      imported: { at: expect.any(String), consentOn: '2024-03-02', consentSource: 'Gala sign-up sheet' },
    },
  ])
  expect(await find('ben@example.org')).toMatchObject([
    { confirmedAt: null, imported: { consentOn: null, consentSource: null } },
  ])
  expect(await find('left@example.org')).toEqual([])
  expect((await audits()).slice(before.length)).toEqual([
    { filename: 'gala.csv', added: 2, dated: 1, known: 1, suppressed: 1, wrong: 1 },
  ])
  // Once more it adds nobody, and there is nothing to write down.
  expect((await add(text, looked)).body.counts).toMatchObject({ added: 0, known: 3 })
  expect(await audits()).toHaveLength(before.length + 1)
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  for (const { name, find: breaches } of invariants) {
    if (name === 'subscribed-has-confirmed') expect(await breaches(tools)).toEqual([])
  }
})

test('another file than the one looked at is refused, and so is one without addresses', async () => {
  const looked = (await look(list('dev@example.org,,'))).body as ReaderFile
  expect((await add(list('eve@example.org,,'), looked)).body.code).toBe('CHANGED_MEANWHILE')
  expect(await find('eve@example.org')).toEqual([])
  expect((await look('name\nAna')).body).toMatchObject({
    code: 'INVALID_INPUT',
    errors: { file: expect.stringMatching(/no column of email/) },
  })
  const query = new URLSearchParams({ filename: 'x.csv', digest: looked.digest })
  expect((await upload(`/api/console/subscriber-imports?${query}`, list('dev@example.org,,'))).status).toBe(400)
})

test('only who sends the newsletter, and with a fresh code', async () => {
  const text = list('fay@example.org,,')
  const looked = (await look(text)).body as ReaderFile
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await prove(app(), viewer)
  expect((await look(text, viewer)).body.code).toBe('NOT_ALLOWED')
  expect((await add(text, looked, viewer)).body.code).toBe('NOT_ALLOWED')
  await app().advance(11 * 60_000)
  expect((await add(text, looked)).body.code).toBe('SECOND_FACTOR_AGAIN')
  await prove(app(), editor)
  expect((await add(text, looked)).status).toBe(201)
})
