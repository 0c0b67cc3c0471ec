import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()

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
