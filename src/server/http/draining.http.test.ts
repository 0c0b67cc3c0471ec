import { connect, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { testEffect } from '#tests/support/test-effect.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { createHttp } from './create-http.ts'

const app = useTestApp()

/** A connection kept open by its client, and the data received on it so far. */
async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => (text += String(piece)))
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await new Promise((resolve) => void socket.once('connect', resolve))
  return { socket, ended, text: () => text }
}

test('connections are kept alive longer than by proxies', () => {
  expect(app().app.http.server.keepAliveTimeout).toBeGreaterThan(60_000)
})

test('a draining instance reports it, still responds, and closes every connection', async () => {
  const visitor = app().browser()
  const before = await visitor.get('/api/membership-levels')
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  app().app.drain()
  const ready = await visitor.get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.body.reasons).toEqual([
    { check: 'stopping', reason: 'This instance is shutting down. Route visitors to another one.' },
  ])
  for (const path of ['/api/membership-levels', '/healthz', '/api/unknown']) {
    const response = await visitor.get(path)
    expect([path, response.status, response.headers.get('connection')]).toEqual([
      path,
      path === '/api/unknown' ? 404 : 200,
      'close',
    ])
  }
})

/** A call whose head and half of the body have been read; `finish` sends the rest. */
async function startCall(stopping: TestApp) {
  const caller = await openConnection(Number(new URL(stopping.url).port))
  const body = JSON.stringify({ identifier: 'unknown', password: 'nothing' })
  const head = [
    'POST /api/auth/login HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const isAtWork = new Promise((resolve) => void stopping.app.http.server.once('request', resolve))
  caller.socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 4)}`)
  await isAtWork
  return { ...caller, finish: () => void caller.socket.write(body.slice(4)) }
}

test('shutdown waits for a call in progress, but not for its idle connection', async () => {
  const stopping = await createTestApp()
  const call = await startCall(stopping)
  const closed = stopping[Symbol.asyncDispose]()
  call.finish()
  await Promise.all([closed, call.ended])
  expect(call.text()).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*\r\nconnection: close\r\n/i)
})

test('while calls in progress are finished, no new work starts', async () => {
  const stopping = await createTestApp()
  const call = await startCall(stopping)
  const closed = stopping.app.close()
  const { db } = stopping.database
  await addToOutbox(db, { effect: testEffect('of.a.test'), payload: {} }, stopping.now())
  await stopping.app.outbox.drain()
  const waiting = await db.selectFrom('outbox').selectAll().where('kind', '=', 'of.a.test').executeTakeFirst()
  expect(waiting).toMatchObject({ attempts: 0, deadAt: null })
  call.finish()
  await closed
  await stopping[Symbol.asyncDispose]()
})

test('a call that never completes is cut off, so that the shutdown completes', async () => {
  const stopping = await createTestApp()
  const call = await startCall(stopping)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closed = stopping[Symbol.asyncDispose]()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  await Promise.all([closed, call.ended])
  expect(call.text()).toBe('')
})

test('nor for the connection of a response that had started', async () => {
  let isLeaving = false
  const http = createHttp({ trustProxy: 1, logLevel: 'silent' }, { headers: [], isLeaving: () => isLeaving })
  const file = new PassThrough()
  http.get('/file', (_request, reply) => reply.send(file))
  await http.listen({ port: 0, host: '127.0.0.1' })
  const reader = await openConnection((http.server.address() as AddressInfo).port)
  reader.socket.write('GET /file HTTP/1.1\r\nhost: localhost\r\n\r\n')
  file.write('the first half')
  await expect.poll(reader.text).toContain('the first half')
  isLeaving = true
  const closed = http.close()
  file.end('and the second')
  await Promise.all([closed, reader.ended])
  expect(reader.text()).toContain('and the second')
})
