import type { Database } from '../db/database.ts'
import { lastStripeEventAt } from '../features/billing/stripe-event.repository.ts'
import type { Clock } from '../platform/clock.ts'
import type { Metric, Sample } from '../platform/exposition.rules.ts'
import type { Traffic } from '../platform/traffic.ts'
import type { ProcessFacts } from './process-facts.ts'
import {
  countDeliveries,
  countMailings,
  countMemberships,
  countOutbox,
  listJobs,
  measureDatabase,
} from './watching.repository.ts'

/** Counting all memberships and copies of newsletters takes a while when there are many: asked for at most so often. */
const COUNTS_FRESH_FOR_MS = 30_000

export interface MetricsTools {
  database: Database
  clock: Clock
  traffic: Traffic
  process: ProcessFacts
  graceMs(): number
  release: { version: string; build: string }
}

/** Everything /metrics tells, gathered now. While the database is away the rest is told all the same. */
export function createMetrics(tools: MetricsTools): () => Promise<Metric[]> {
  let counted: Metric[] = []
  let countedAt = -Infinity

  async function aboutSubjects(): Promise<Metric[]> {
    if (Date.now() - countedAt >= COUNTS_FRESH_FOR_MS) {
      counted = await countSubjects(tools)
      countedAt = Date.now()
    }
    return counted
  }

  async function aboutDatabase(): Promise<Metric[]> {
    const latency = await measureDatabase(tools.database.db).catch(() => null)
    const up = gauge('database_up', 'Whether the database answers.', [{ value: latency === null ? 0 : 1 }])
    if (latency === null) return [up]
    return [
      up,
      gauge('database_latency_seconds', 'Time of the shortest question.', [{ value: latency / 1_000 }]),
      ...(await aboutWork(tools)),
      ...(await aboutSubjects()),
    ]
  }

  return async () => [
    ...tools.traffic.metrics(),
    ...(await aboutDatabase()),
    ...aboutConnections(tools.database),
    ...aboutProcess(tools),
  ]
}

async function aboutWork({ database: { db }, clock }: MetricsTools): Promise<Metric[]> {
  const now = clock.now()
  const [outbox, jobs, lastNotice] = await Promise.all([countOutbox(db, now), listJobs(db), lastStripeEventAt(db)])
  const lanes = Object.entries(outbox)
  const perLane = (take: (counts: (typeof outbox)['letters']) => number): Sample[] =>
    lanes.map(([lane, counts]) => ({ labels: { lane }, value: take(counts) }))
  return [
    gauge(
      'outbox_waiting',
      'Letters and calls that wait to be sent.',
      perLane(({ waiting }) => waiting),
    ),
    gauge(
      'outbox_given_up',
      'Letters and calls that were given up.',
      perLane(({ givenUp }) => givenUp),
    ),
    gauge(
      'outbox_oldest_seconds',
      'How long the oldest of them is overdue.',
      perLane(({ oldestWaitsMs }) => oldestWaitsMs / 1_000),
    ),
    gauge(
      'job_last_success_timestamp_seconds',
      'When a job was done last; 0 before its first turn.',
      jobs.map(({ name, lastDoneAt }) => ({ labels: { task: name }, value: (lastDoneAt ?? 0) / 1_000 })),
    ),
    gauge(
      'job_failing',
      'Whether the last turn of a job failed.',
      jobs.map(({ name, error }) => ({ labels: { task: name }, value: error === null ? 0 : 1 })),
    ),
    gauge('webhook_last_timestamp_seconds', 'When a notice of the card provider came last; 0 when none did.', [
      { value: (lastNotice ?? 0) / 1_000 },
    ]),
    gauge('site_time_seconds', 'What the site takes for the time: what the others are to be compared with.', [
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
      'Present memberships by status.',
      Object.entries(memberships).map(([status, value]) => ({ labels: { status }, value })),
    ),
    gauge('mailings', 'Newsletters by the state of their sending.', byState(await countMailings(db))),
    gauge('newsletter_copies', 'Copies of newsletters by what became of them.', byState(await countDeliveries(db))),
  ]
}

function aboutConnections({ connections }: Database): Metric[] {
  const now = connections?.()
  if (!now) return []
  return [
    gauge(
      'database_connections',
      'Connections to the database server, and requests that wait for one.',
      Object.entries(now).map(([state, value]) => ({ labels: { state }, value })),
    ),
  ]
}

function aboutProcess({ process: facts, release }: MetricsTools): Metric[] {
  const { resident, heapUsed, heapTotal, external } = facts.memory()
  const { p50, p99, max } = facts.lag()
  const openFiles = facts.openFiles()
  return [
    gauge('process_resident_memory_bytes', 'Memory in use.', [{ value: resident }]),
    gauge('nodejs_memory_bytes', 'Memory of the JavaScript engine.', [
      { labels: { kind: 'heap_used' }, value: heapUsed },
      { labels: { kind: 'heap_total' }, value: heapTotal },
      { labels: { kind: 'external' }, value: external },
    ]),
    gauge('nodejs_eventloop_lag_seconds', 'How late timers ran since the last look.', [
      { labels: { quantile: '0.5' }, value: p50 },
      { labels: { quantile: '0.99' }, value: p99 },
      { labels: { quantile: '1' }, value: max },
    ]),
    gauge('process_open_fds', 'Open files and connections.', openFiles === null ? [] : [{ value: openFiles }]),
    gauge('process_start_time_seconds', 'When this process started.', [{ value: facts.startedAt / 1_000 }]),
    gauge('site_build_info', 'What runs here.', [{ labels: { ...release, node: process.version }, value: 1 }]),
  ]
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples }
}
