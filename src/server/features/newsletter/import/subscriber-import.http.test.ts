import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { SubscriberFile } from '#contract/console/subscribers.ts'
import { readCsv } from '#server/lib/csv/csv.ts'
import { addressHash } from '#server/lib/address-hash.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { suppress } from '../subscribers/subscriber.commands.ts'

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
  expect(checked.counts).toMatchObject({ added: 2, dated: 1, known: 1, suppressed: 1, wrong: 1 })
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
  expect((await audits()).slice(before.length)).toMatchObject([
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

test('nothing is ever sent to those who unsubscribed or were cleaned at Mailchimp, until they subscribe themselves', async () => {
  await recordSecondFactor(app(), editor)
  const exported = (name: string) =>
    readFileSync(new URL(`../../../../../tests/support/exports/${name}.csv`, import.meta.url), 'utf8')
  const text = exported('mailchimp-unsubscribed')
  const dead = exported('mailchimp-cleaned')
  // One of them is a subscriber here, imported earlier.
  const early = list('cara@example.org,2018-01-01,Old list')
  await add(early, (await check(early)).body as SubscriberFile)
  const checked = (await check(text)).body as SubscriberFile
  expect(checked).toMatchObject({ system: 'mailchimp', counts: { added: 0, ended: 1, blocked: 0 } })
  expect(checked.verdicts).toContain('cara@example.org')
  await add(text, checked)
  await add(dead, (await check(dead)).body as SubscriberFile)
  await app().drain()
  expect((await editor.get(`${READERS}?q=cara@example.org&state=left`)).body.subscribers).toHaveLength(1)

  const again = list('cara@example.org,2026-01-01,Gala', 'dev@example.org,2026-01-01,Gala')
  expect((await check(again)).body.counts).toMatchObject({ added: 0, suppressed: 2 })
  for (const email of ['cara@example.org', 'dev@example.org'])
    expect((await editor.post(READERS, { email })).body.code).toBe('SUPPRESSED')
  await app().drain()
  for (const email of ['cara@example.org', 'dev@example.org']) expect(app().standins.mails(email)).toEqual([])

  // The owner may.
  const visitor = app().browser()
  const recaptchaToken = await visitor.botToken('newsletter_subscribe')
  await visitor.post('/api/newsletter/subscribe', { email: 'dev@example.org', source: 'homepage', recaptchaToken })
  await app().drain()
  expect(app().standins.mails('dev@example.org')).toHaveLength(1)
})

test('an import is undone where nothing has changed since', async () => {
  const { db } = app().database
  const text = [
    'email,status',
    'gil@example.org,subscribed',
    'hal@example.org,subscribed',
    'ida@example.org,bounced',
  ].join('\n')
  await add(text, (await check(text)).body as SubscriberFile)
  const [hal] = await find('hal@example.org')
  await editor.post(`${READERS}/${hal.id}/off`, {})
  const { imports } = (await editor.get('/api/console/subscriber-imports/recent')).body
  expect(imports[0]).toMatchObject({ filename: 'gala.csv', counts: { added: 2, blocked: 1 }, undoneAt: null })
  const undo = () => editor.post(`/api/console/subscriber-imports/${imports[0].id}/undo`, {})
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  expect((await viewer.post(`/api/console/subscriber-imports/${imports[0].id}/undo`, {})).body.code).toBe('NOT_ALLOWED')
  expect((await undo()).body).toEqual({ undone: 2, kept: 1 })
  expect((await undo()).body.code).toBe('CHANGED_MEANWHILE')
  expect(await find('gil@example.org')).toEqual([])
  const left = await db.selectFrom('subscriber').select('state').where('emailKey', '=', 'hal@example.org').execute()
  expect(left).toEqual([{ state: 'left' }])
  const ida = list('ida@example.org,2026-01-01,Gala')
  expect((await check(ida)).body.counts).toMatchObject({ added: 1 })
})

async function importList(...lines: string[]): Promise<string> {
  const text = ['email,status', ...lines].join('\n')
  await add(text, (await check(text)).body as SubscriberFile)
  return (await editor.get('/api/console/subscriber-imports/recent')).body.imports[0].id as string
}
const undoImport = async (id: string) => (await editor.post(`/api/console/subscriber-imports/${id}/undo`, {})).body
const stateOf = async (email: string) =>
  (await app().database.db.selectFrom('subscriber').select('state').where('emailKey', '=', email).executeTakeFirst())
    ?.state
const secrets = createSecrets('a secret for tests, and for tests only, of fair length')

async function reasonOf(email: string): Promise<string | null> {
  const { db } = app().database
  const reasons = db.selectFrom('suppression').select('reason').where('emailHash', '=', addressHash(secrets, email))
  return (await reasons.executeTakeFirst())?.reason ?? null
}

test('an undo keeps what owners, bounces and ended accounts said since, also if the address was blocked already', async () => {
  await recordSecondFactor(app(), editor)
  const { db } = app().database
  await importList('jo@example.org,subscribed', 'kim@example.org,subscribed', 'lee@example.org,subscribed')
  const id = await importList(
    'jo@example.org,unsubscribed',
    'kim@example.org,unsubscribed',
    'lee@example.org,unsubscribed',
    'max@example.org,bounced',
    'nia@example.org,bounced',
  )
  expect(await stateOf('jo@example.org')).toBe('left')
  await app().browser().post('/api/newsletter/unsubscribe', { email: 'jo@example.org' })
  await suppress(db, addressHash(secrets, 'kim@example.org'), 'complaint', app().now())
  await suppress(db, addressHash(secrets, 'max@example.org'), 'bounce', app().now())
  expect(await undoImport(id)).toEqual({ undone: 2, kept: 3 })
  const found = async (name: string) => [await stateOf(`${name}@example.org`), await reasonOf(`${name}@example.org`)]
  expect(await found('jo')).toEqual(['left', 'left'])
  expect(await found('kim')).toEqual(['left', 'complaint'])
  expect(await found('max')).toEqual([undefined, 'bounce'])
  expect(await found('lee')).toEqual(['subscribed', null])
  expect(await found('nia')).toEqual([undefined, null])
})

test('an address that two imports block is free once both are undone', async () => {
  await recordSecondFactor(app(), editor)
  await importList('ola@example.org,subscribed')
  const one = await importList('ola@example.org,unsubscribed', 'pia@example.org,unsubscribed')
  const other = await importList('ola@example.org,bounced', 'pia@example.org,unsubscribed')
  expect(await undoImport(one)).toEqual({ undone: 0, kept: 2 })
  expect(await reasonOf('ola@example.org')).toBe('bounce')
  expect(await reasonOf('pia@example.org')).toBe('left')
  expect(await stateOf('ola@example.org')).toBe('left')
  expect(await undoImport(other)).toEqual({ undone: 2, kept: 0 })
  expect(await reasonOf('ola@example.org')).toBeNull()
  expect(await reasonOf('pia@example.org')).toBeNull()
  expect(await stateOf('ola@example.org')).toBe('subscribed')
})

test('an undo keeps a reader who asked for the newsletter since, and what it cannot restore wholly', async () => {
  await recordSecondFactor(app(), editor)
  const { db } = app().database
  const id = await importList('quin@example.org,subscribed', 'ray@example.org,subscribed')
  await app().advance(60_000)
  const visitor = app().browser()
  const recaptchaToken = await visitor.botToken('newsletter_subscribe')
  await visitor.post('/api/newsletter/subscribe', { email: 'quin@example.org', source: 'homepage', recaptchaToken })
  await app().drain()
  const ends = await importList('ray@example.org,unsubscribed')
  // As when accounts are merged.
  await db.updateTable('subscriber').set({ leftAt: 1 }).where('emailKey', '=', 'ray@example.org').execute()
  expect(await undoImport(ends)).toEqual({ undone: 0, kept: 1 })
  expect(await reasonOf('ray@example.org')).toBe('left')
  expect(await undoImport(id)).toEqual({ undone: 0, kept: 2 })
  expect(await stateOf('quin@example.org')).toBe('subscribed')
})
