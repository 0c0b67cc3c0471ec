import { expect, test } from 'vitest'
import { Problem } from '#server/lib/problem.ts'
import { createMemoryLimiter } from './memory-limiter.ts'

function setUp(factor: number | null) {
  let now = 1_000_000
  const limiter = createMemoryLimiter({ now: () => now, close() {} }, factor)
  return {
    /** How many of these calls were allowed. */
    allowed(subject: string, calls: number): number {
      let count = 0
      for (let call = 0; call < calls; call++) {
        try {
          limiter.hit(subject)
          count++
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'RATE_LIMITED') throw error
        }
      }
      return count
    },
    advance(ms: number) {
      now += ms
    },
    limiter,
  }
}

test('600 per minute for each address, then again in the next minute', () => {
  const { allowed, advance } = setUp(1)
  expect(allowed('203.0.113.7', 700)).toBe(600)
  expect(allowed('203.0.113.8', 700)).toBe(600)
  advance(60_000)
  expect(allowed('203.0.113.7', 700)).toBe(600)
})

test('the refusal includes the time to wait', () => {
  const { allowed, advance, limiter } = setUp(1)
  allowed('203.0.113.7', 600)
  advance(45_500)
  expect(() => limiter.hit('203.0.113.7')).toThrow(
    expect.objectContaining({ rate: { retryAfter: 15, limit: 600, window: 60 } }) as Error,
  )
})

test('a factor multiplies the limit, off disables it', () => {
  expect(setUp(2).allowed('203.0.113.7', 1_500)).toBe(1_200)
  expect(setUp(null).allowed('203.0.113.7', 1_500)).toBe(1_500)
})

test('an IPv6 /48 has twenty times the limit of one address; IPv4 networks have none', () => {
  const { allowed } = setUp(1)
  const ofNetwork = (network: string) =>
    Array.from({ length: 15_000 }, (_, number) => allowed(`${network}:${number.toString(16)}`, 1)).filter(
      (passed) => passed,
    )
  expect(ofNetwork('2001:db8:48')).toHaveLength(12_000)
  expect(allowed('2001:db8:49:1', 700)).toBe(600)
  for (let host = 0; host < 100; host++) expect(allowed(`203.0.113.${host}`, 600)).toBe(600)
})
