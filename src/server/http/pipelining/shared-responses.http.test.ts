import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type IncomingMessage, request } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

/** Returns the raw body: `fetch` would decompress it. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(`${app().url}${path}`, { method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

test('a large public response is compressed once for all clients that accept the encoding', async () => {
  const path = '/api/openapi.json'
  const plain = await send(path)
  const zipped = await send(path, { 'accept-encoding': 'gzip' })
  const small = await send(path, { 'accept-encoding': 'gzip, br' })
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
])('%s has an ETag, and supports 304 and HEAD', async (path) => {
  const first = await send(path, { 'accept-encoding': 'br' })
  const etag = String(first.headers.etag)
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{16}-(br|identity)"$/)])
  for (const known of [etag, `W/${etag}`, '*']) {
    const again = await send(path, { 'accept-encoding': 'br', 'if-none-match': known })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
    expect(again.headers['x-frame-options']).toBe('DENY')
  }
  expect((await send(path, { 'if-none-match': '"another"' })).status).toBe(200)
  const head = await send(path, { 'accept-encoding': 'br' }, 'HEAD')
  expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
    200,
    0,
    first.headers['content-length'],
  ])
})

test('a response follows the content: after a change no one gets 304', async () => {
  const before = await send('/api/membership-levels')
  const { db } = app().database
  const level = await db.selectFrom('membershipLevel').selectAll().executeTakeFirstOrThrow()
  await db.updateTable('membershipLevel').set({ name: 'Renamed' }).where('key', '=', level.key).execute()
  await db
    .updateTable('contentVersion')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .execute()
  await app().app.refreshContent()
  const after = await send('/api/membership-levels', { 'if-none-match': String(before.headers.etag) })
  expect(after.status).toBe(200)
  expect(after.body.toString()).toContain('Renamed')
})

test('invalid input is refused each time, and not cached', async () => {
  for (let round = 0; round < 2; round++) {
    const { status, headers, body } = await send('/api/newsletter/campaigns?page=x')
    expect([status, headers.etag]).toEqual([400, undefined])
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'INVALID_INPUT' })
  }
})
