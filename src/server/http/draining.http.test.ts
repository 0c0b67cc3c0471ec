import { connect, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import type { EffectKind } from '../platform/effect-priorities.ts'
import { addToOutbox } from '../platform/outbox.repository.ts'
import { createHttp } from './create-http.ts'

const app = useTestApp()

/** A connection that its client keeps open, and what came on it so far. */
async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => (text += String(piece)))
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await new Promise((resolve) => void socket.once('connect', resolve))
  return { socket, ended, text: () => text }
}

test('an open connection is kept longer than proxies keep theirs', () => {
  expect(app().app.http.server.keepAliveTimeout).toBeGreaterThan(60_000)
})

test('an instance that is about to stop says so, answers all the same, and keeps no connection', async () => {
  const visitor = app().browser()
  const before = await visitor.get('/api/membership-levels')
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])
  app().app.leave()
  const ready = await visitor.get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.body.reasons).toEqual([
    { check: 'stopping', reason: 'This instance was asked to stop: send visitors to another.' },
  ])
  for (const path of ['/api/membership-levels', '/healthz', '/api/unknown']) {
    const answer = await visitor.get(path)
    expect([path, answer.status, answer.headers.get('connection')]).toEqual([
      path,
      path === '/api/unknown' ? 404 : 200,
      'close',
    ])
  }
})

/** A call of which the instance has read the head and half of the body; `finish` sends the rest. */
async function callInHand(stopping: TestApp) {
  const caller = await openConnection(Number(new URL(stopping.url).port))
  const body = JSON.stringify({ identifier: 'nobody', password: 'nothing' })
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

test('stopping waits for a call in hand, and not for its connection to grow old', async () => {
  const stopping = await createTestApp()
  const call = await callInHand(stopping)
  const closed = stopping[Symbol.asyncDispose]()
  call.finish()
  await Promise.all([closed, call.ended])
  expect(call.text()).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*\r\nconnection: close\r\n/i)
})

test('while calls in hand are answered, nothing new is begun', async () => {
  const stopping = await createTestApp()
  const call = await callInHand(stopping)
  const closed = stopping.app.close()
  const { db } = stopping.database
  await addToOutbox(db, { kind: 'of.a.test' as EffectKind, payload: {} }, stopping.now())
  await stopping.app.outbox.drain()
  const waiting = await db.selectFrom('outbox').selectAll().where('kind', '=', 'of.a.test').executeTakeFirst()
  expect(waiting).toMatchObject({ attempts: 0, dead_at: null })
  call.finish()
  await closed
  await stopping[Symbol.asyncDispose]()
})

test('a call that never comes to its end is cut off, so that the rest is put down in order', async () => {
  const stopping = await createTestApp()
  const call = await callInHand(stopping)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closed = stopping[Symbol.asyncDispose]()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  await Promise.all([closed, call.ended])
  expect(call.text()).toBe('')
})

test('nor for the connection of an answer that had begun', async () => {
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
