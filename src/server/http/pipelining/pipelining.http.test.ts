import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const ASKED = 300

test.each([
  ['/api/openapi.json', 200],
  ['/api/membership-levels', 200],
  ['/api/account/profile', 401],
  ['/api/nowhere', 404],
  ['/healthz', 200],
])('%s asked for far ahead on one connection has every answer', async (path, status) => {
  const socket = connect(Number(new URL(app().url).port), '127.0.0.1')
  const last = 'GET /api/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(ASKED) + last)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, told]) => Number(told))
  expect(statuses).toEqual([...Array<number>(ASKED).fill(status), 404])
})
