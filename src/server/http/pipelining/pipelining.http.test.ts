import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const REQUEST_COUNT = 300

test.each([
  ['/api/openapi.json', 200],
  ['/api/membership-levels', 200],
  ['/api/account/profile', 401],
  ['/api/nowhere', 404],
  ['/healthz', 200],
])('%s pipelined on one connection gets every response', async (path, status) => {
  const socket = connect(Number(new URL(app().url).port), '127.0.0.1')
  const last = 'GET /api/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(REQUEST_COUNT) + last)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))
  expect(statuses).toEqual([...Array<number>(REQUEST_COUNT).fill(status), 404])
})
