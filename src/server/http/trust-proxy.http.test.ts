import { describe, expect, test } from 'vitest'
import { createTestApp } from '#tests/support/test-app.ts'
import type { TestResponse, TestBrowser } from '#tests/support/browser/test-browser.ts'

/** How many calls passed before one was refused. */
async function exhaust(call: () => Promise<TestResponse>): Promise<{ passed: number }> {
  for (let passed = 0; passed < 30; passed++) if ((await call()).status === 429) return { passed }
  return { passed: 30 }
}

describe('client address (TRUST_PROXY)', () => {
  const LIMIT = 20
  const forgot = (visitor: TestBrowser, forwarded?: string) =>
    visitor.call(
      'POST',
      '/api/email/forgot-password',
      {},
      forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    )

  test('behind one proxy, entries before the proxy’s own are ignored', async () => {
    await using own = await createTestApp({ environment: { TRUST_PROXY: '1' } })
    const visitor = own.browser()
    let spoof = 0
    const { passed } = await exhaust(() => forgot(visitor, `10.9.9.${++spoof}, 198.51.100.1`))
    expect(passed).toBe(LIMIT)
    expect((await forgot(visitor, '198.51.100.2')).status).toBe(400)
  })

  test('behind two, the entry before the last counts', async () => {
    await using own = await createTestApp({ environment: { TRUST_PROXY: '2' } })
    const visitor = own.browser()
    let spoof = 0
    const { passed } = await exhaust(() => forgot(visitor, `10.9.9.${++spoof}, 198.51.100.1, 192.0.2.${spoof}`))
    expect(passed).toBe(LIMIT)
  })

  test('with the proxy’s address configured, only that proxy is trusted', async () => {
    await using own = await createTestApp({ environment: { TRUST_PROXY: '127.0.0.1' } })
    const visitor = own.browser()
    let spoof = 0
    const { passed } = await exhaust(() => forgot(visitor, `10.9.9.${++spoof}, 198.51.100.1`))
    expect(passed).toBe(LIMIT)
  })

  test('without a proxy, the header is ignored', async () => {
    await using own = await createTestApp({ environment: { TRUST_PROXY: 'off' } })
    const visitor = own.browser()
    let spoof = 0
    const { passed } = await exhaust(() => forgot(visitor, `198.51.100.${++spoof}`))
    expect(passed).toBe(LIMIT)
  })
})

test('RATE_LIMITS=off disables limits, x3 triples them', async () => {
  for (const [setting, expected] of [
    ['off', 70],
    ['x3', 60],
  ] as const) {
    await using own = await createTestApp({ environment: { RATE_LIMITS: setting } })
    const visitor = own.browser()
    const responses = await Promise.all(
      Array.from({ length: 70 }, () => visitor.post('/api/email/forgot-password', {})),
    )
    expect(responses.filter(({ status }) => status !== 429)).toHaveLength(expected)
  }
})
