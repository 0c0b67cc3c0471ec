import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type IncomingMessage, request } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

/** As it travels: `fetch` would decompress it. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(`${app().url}${path}`, { method, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

test('a large answer for anybody travels compressed, in one form for everybody who takes it', async () => {
  const path = '/api/openapi.json'
  const plain = await ask(path)
  const zipped = await ask(path, { 'accept-encoding': 'gzip' })
  const small = await ask(path, { 'accept-encoding': 'gzip, br' })
  expect(plain.body.length).toBeGreaterThan(16 * 1024)
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
  expect(brotliDecompressSync(small.body).equals(plain.body)).toBe(true)
  for (const { status, headers, body } of [plain, zipped, small]) {
    expect([status, headers['content-length'], headers.vary]).toEqual([200, String(body.length), 'accept-encoding'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
  }
  expect([plain, zipped, small].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
  expect(new Set([plain, zipped, small].map(({ headers }) => headers.etag)).size).toBe(3)
})

test.each([
  '/api/openapi.json',
  '/api/membership-levels',
  '/api/sponsors',
  '/api/newsletter/campaigns',
  '/api/newsletter/campaigns?year=2025',
])('%s has an ETag, answers 304 to whoever has it, and HEAD without a body', async (path) => {
  const first = await ask(path, { 'accept-encoding': 'br' })
  const etag = String(first.headers.etag)
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{16}-(br|identity)"$/)])
  for (const known of [etag, `W/${etag}`, '*']) {
    const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': known })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    expect(again.headers['x-frame-options']).toBe('DENY')
  }
  expect((await ask(path, { 'if-none-match': '"another"' })).status).toBe(200)
  const head = await ask(path, { 'accept-encoding': 'br' }, 'HEAD')
  expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
    200,
    0,
    first.headers['content-length'],
  ])
})

test('an answer follows the content: after a change nobody hears 304', async () => {
  const before = await ask('/api/membership-levels')
  const { db } = app().database
  const level = await db.selectFrom('membership_level').selectAll().executeTakeFirstOrThrow()
  await db.updateTable('membership_level').set({ name: 'Renamed' }).where('key', '=', level.key).execute()
  await db
    .updateTable('content_version')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .execute()
  await app().app.refreshContent()
  const after = await ask('/api/membership-levels', { 'if-none-match': String(before.headers.etag) })
  expect(after.status).toBe(200)
  expect(after.body.toString()).toContain('Renamed')
})

test('input that is refused is refused each time, and is no answer that is kept', async () => {
  for (let turn = 0; turn < 2; turn++) {
    const { status, headers, body } = await ask('/api/newsletter/campaigns?page=x')
    expect([status, headers.etag]).toEqual([400, undefined])
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'INVALID_INPUT' })
  }
})
