import type { Database } from '#server/db/database.ts'
import { findLastStripeEventTime } from '#server/features/orders/stripe-event.repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Metric, Sample } from './exposition.rules.ts'
import type { Traffic } from '#server/lib/traffic.ts'
import type { ProcessStats } from './process-stats.ts'
import {
  countDeliveries,
  countMailings,
  countMemberships,
  countOutbox,
  listJobs,
  measureDatabase,
} from './monitoring.repository.ts'

/** Counting all memberships and newsletter copies is slow on large databases, so the counts are cached this long. */
const COUNTS_TTL_MS = 30_000

export interface MetricsTools {
  database: Database
  clock: Clock
  traffic: Traffic
  process: ProcessStats
  graceMs(): number
  release: { version: string; build: string }
}

/** Collects everything /metrics reports. While the database is down, reports the rest. */
export function createMetrics(tools: MetricsTools): () => Promise<Metric[]> {
  let counted: Metric[] = []
  let countedAt = -Infinity

  async function subjectMetrics(): Promise<Metric[]> {
    if (Date.now() - countedAt >= COUNTS_TTL_MS) {
      counted = await countSubjects(tools)
      countedAt = Date.now()
    }
    return counted
  }

  async function databaseMetrics(): Promise<Metric[]> {
    const latency = await measureDatabase(tools.database.db).catch(() => null)
    const up = gauge('database_up', 'Whether the database responds.', [{ value: latency === null ? 0 : 1 }])
    if (latency === null) return [up]
    return [
      up,
      gauge('database_latency_seconds', 'Time of a minimal query.', [{ value: latency / 1_000 }]),
      ...(await workMetrics(tools)),
      ...(await subjectMetrics()),
    ]
  }

  return async () => [
    ...tools.traffic.metrics(),
    ...(await databaseMetrics()),
    ...connectionMetrics(tools.database),
    ...processMetrics(tools),
  ]
}

async function workMetrics({ database: { db }, clock }: MetricsTools): Promise<Metric[]> {
  const now = clock.now()
  const [outbox, jobs, lastEventAt] = await Promise.all([
    countOutbox(db, now),
    listJobs(db),
    findLastStripeEventTime(db),
  ])
  const lanes = Object.entries(outbox)
  const perLane = (select: (counts: (typeof outbox)['emails']) => number): Sample[] =>
    lanes.map(([lane, counts]) => ({ labels: { lane }, value: select(counts) }))
  return [
    gauge(
      'outbox_waiting',
      'Emails and calls due to be sent; those planned for later do not count.',
      perLane(({ waiting }) => waiting),
    ),
    gauge(
      'outbox_given_up',
      'Emails and calls that were given up.',
      perLane(({ givenUp }) => givenUp),
    ),
    gauge(
      'outbox_oldest_seconds',
      'How long the oldest waiting one is overdue.',
      perLane(({ oldestWaitsMs }) => oldestWaitsMs / 1_000),
    ),
    gauge(
      'job_last_success_timestamp_seconds',
      'When a job last succeeded; 0 if it never did.',
      jobs.map(({ name, lastDoneAt }) => ({ labels: { task: name }, value: (lastDoneAt ?? 0) / 1_000 })),
    ),
    gauge(
      'job_failing',
      'Whether the last run of a job failed.',
      jobs.map(({ name, error }) => ({ labels: { task: name }, value: error === null ? 0 : 1 })),
    ),
    gauge('webhook_last_timestamp_seconds', 'When the last webhook event arrived; 0 if none did.', [
      { value: (lastEventAt ?? 0) / 1_000 },
    ]),
    gauge('site_time_seconds', 'Current time of the site, for comparison with other timestamps.', [
      { value: now / 1_000 },
    ]),
  ]
}

async function countSubjects({ database: { db }, clock, graceMs }: MetricsTools): Promise<Metric[]> {
  const memberships = await countMemberships(db, { now: clock.now(), graceMs: graceMs() })
  const byState = (rows: { state: string; count: number }[]): Sample[] =>
    rows.map(({ state, count }) => ({ labels: { state }, value: count }))
  return [
    gauge(
      'memberships',
      'Current memberships by status.',
      Object.entries(memberships).map(([status, value]) => ({ labels: { status }, value })),
    ),
    gauge('mailings', 'Newsletter mailings by state.', byState(await countMailings(db))),
    gauge('newsletter_copies', 'Newsletter copies by state.', byState(await countDeliveries(db))),
  ]
}

function connectionMetrics({ connections }: Database): Metric[] {
  const now = connections?.()
  if (!now) return []
  return [
    gauge(
      'database_connections',
      'Connections to the database server, and requests waiting for one.',
      Object.entries(now).map(([state, value]) => ({ labels: { state }, value })),
    ),
  ]
}

function processMetrics({ process: processStats, release }: MetricsTools): Metric[] {
  const { resident, heapUsed, heapTotal, external } = processStats.memory()
  const { p50, p99, max } = processStats.lag()
  const openFiles = processStats.openFiles()
  return [
    gauge('process_resident_memory_bytes', 'Memory in use.', [{ value: resident }]),
    gauge('nodejs_memory_bytes', 'Memory of the JavaScript engine.', [
      { labels: { kind: 'heap_used' }, value: heapUsed },
      { labels: { kind: 'heap_total' }, value: heapTotal },
      { labels: { kind: 'external' }, value: external },
    ]),
    {
      name: 'nodejs_eventloop_lag_seconds',
      help: 'Event loop lag since the last scrape.',
      // Prometheus knows the label `quantile` of summaries only.
      type: 'summary',
      samples: [
        { labels: { quantile: '0.5' }, value: p50 },
        { labels: { quantile: '0.99' }, value: p99 },
        { labels: { quantile: '1' }, value: max },
      ],
    },
    gauge('process_open_fds', 'Open files and connections.', openFiles === null ? [] : [{ value: openFiles }]),
    gauge('process_start_time_seconds', 'When this process started.', [{ value: processStats.startedAt / 1_000 }]),
    gauge('site_build_info', 'Version of the running site.', [
      { labels: { ...release, node: process.version }, value: 1 },
    ]),
  ]
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples }
}
