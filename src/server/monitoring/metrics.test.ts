import { expect, test } from 'vitest'
import { systemClock } from '#server/lib/clock.ts'
import { Traffic } from '#server/lib/traffic.ts'
import { openSqlite } from '#server/db/open-database.ts'
import { createMetrics } from './metrics.ts'

const PROCESS = {
  startedAt: 0,
  memory: () => ({ resident: 1, heapUsed: 2, heapTotal: 3, external: 4 }),
  lag: () => ({ p50: 0, p99: 0.1, max: 1 }),
  openFiles: () => null,
  stop() {},
}

async function scrape(traffic: Traffic): Promise<string[]> {
  // It has no tables, so no query succeeds.
  const database = openSqlite(':memory:')
  const release = { version: '1 "a"\\b', build: 'none' }
  const tools = { database, clock: systemClock, traffic, process: PROCESS, graceMs: () => 0, release }
  const text = await createMetrics(tools)()
  await database.close()
  return text.split('\n')
}

test('while the database is down, what only it knows is absent rather than zero', async () => {
  const lines = await scrape(new Traffic({ login: '/login', webhook: '/webhook' }))
  expect(lines).toContain('database_up 0')
  expect(
    lines.filter((line) => /^(?:# HELP )?(?:database_latency|webhook_last|outbox|memberships)/.test(line)),
  ).toEqual([])
  expect(lines).toContain('log_ins_total{outcome="refused"} 0')
  expect(lines).toContain('process_resident_memory_bytes 1')
})

test('a gauge without a value has a help and type only, and label values are escaped', async () => {
  const lines = await scrape(new Traffic({ login: '/login', webhook: '/webhook' }))
  const at = lines.indexOf('# HELP process_open_fds Open files and connections.')
  expect(lines.slice(at + 1, at + 3)).toEqual(['# TYPE process_open_fds gauge', ''])
  expect(lines).toContain(`site_build_info{version="1 \\"a\\"\\\\b",build="none",node="${process.version}"} 1`)
})

test('responses count by kind and first digit; durations in seconds, in buckets that include their bound', async () => {
  const traffic = new Traffic({ login: '/login', webhook: '/webhook' })
  traffic.recordResponse('page', 200, 0.5)
  traffic.recordResponse('page', 404, 20_000)
  traffic.cachedPages = 2
  traffic.recordCall('/webhook', 400, 1)
  traffic.recordCall('/login', 429, 1)
  await scrape(traffic)
  const lines = await scrape(traffic)
  expect(lines).toEqual(
    expect.arrayContaining([
      'http_requests_total{kind="page",status="2xx"} 1',
      'http_requests_total{kind="page",status="4xx"} 1',
      'http_requests_total{kind="page",status="5xx"} 0',
      'http_request_duration_seconds_bucket{le="0.0005",kind="page"} 1',
      'http_request_duration_seconds_bucket{le="10",kind="page"} 1',
      'http_request_duration_seconds_bucket{le="+Inf",kind="page"} 2',
      'http_request_duration_seconds_sum{kind="page"} 20.0005',
      'http_request_duration_seconds_count{kind="file"} 0',
      'pages_answered_total{source="memory"} 2',
      'webhooks_refused_total 1',
      'log_ins_total{outcome="limited"} 1',
      'rate_limited_total{call="/login"} 1',
    ]),
  )
})
