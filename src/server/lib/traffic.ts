import { histogramSamples, type Metric, type Sample } from './exposition.rules.ts'

/** What was asked for: a page or a page's data, a file of the build, a calendar or feed, a call under /api, a notice of the card provider, or anything else. */
export type RequestKind = 'page' | 'file' | 'document' | 'call' | 'notice' | 'other'

const KINDS: readonly RequestKind[] = ['page', 'file', 'document', 'call', 'notice', 'other']
/** Upper ends in milliseconds: a page from memory takes a tenth of one, a page made anew a few, a log-in some twenty. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
const CLASSES = 6

interface Counts {
  /** By the first digit of the status. */
  classes: Float64Array
  buckets: Float64Array
  sumMs: number
}

/**
 * What this process answered since it started, for /metrics: plain counters, since a page from memory takes less time than a library would spend on
 * counting it. Nothing of who asked is kept.
 */
export class Traffic {
  /** Pages that were ready, and that had to be made. */
  pagesFromMemory = 0
  pagesMade = 0
  readonly #counts = new Map<RequestKind, Counts>(
    KINDS.map((kind) => [
      kind,
      { classes: new Float64Array(CLASSES), buckets: new Float64Array(BOUNDS_MS.length + 1), sumMs: 0 },
    ]),
  )
  readonly #logIns = { accepted: 0, refused: 0, limited: 0, failed: 0 }
  #noticesRefused = 0
  /** By the path of the contract, of which there are few: never by an address as it was asked for. */
  readonly #limited = new Map<string, number>()
  readonly #paths: { login: string; notices: string }

  constructor(paths: { login: string; notices: string }) {
    this.#paths = paths
  }

  answered(kind: RequestKind, status: number, ms: number): void {
    const counts = this.#counts.get(kind)
    if (!counts) return
    const statusClass = Math.floor(status / 100)
    counts.classes[statusClass]! += 1
    let bucket = 0
    while (bucket < BOUNDS_MS.length && ms > BOUNDS_MS[bucket]!) bucket++
    counts.buckets[bucket]! += 1
    counts.sumMs += ms
  }

  /** @param route as the contract names it, parameters as `:name`; undefined for an address nobody knows */
  answeredCall(route: string | undefined, status: number, ms: number): void {
    const { login, notices } = this.#paths
    const kind = route === notices ? 'notice' : route === undefined || route.startsWith('/api/') ? 'call' : 'other'
    this.answered(kind, status, ms)
    if (route === login) this.#logIns[logInOutcome(status)]++
    if (route === notices && status >= 400 && status < 500) this.#noticesRefused++
    if (status === 429 && route !== undefined) this.#limited.set(route, (this.#limited.get(route) ?? 0) + 1)
  }

  metrics(): Metric[] {
    const requests: Sample[] = []
    const durations: Sample[] = []
    for (const [kind, { classes, buckets, sumMs }] of this.#counts) {
      for (let statusClass = 1; statusClass < CLASSES; statusClass++) {
        requests.push({ labels: { kind, status: `${statusClass}xx` }, value: classes[statusClass] ?? 0 })
      }
      const bounds = BOUNDS_MS.map((ms) => ms / 1_000)
      durations.push(...histogramSamples(bounds, buckets, sumMs / 1_000, { kind }))
    }
    return [
      {
        name: 'http_requests_total',
        help: 'Requests answered, by what was asked for.',
        type: 'counter',
        samples: requests,
      },
      {
        name: 'http_request_duration_seconds',
        help: 'Time from the request to its answer.',
        type: 'histogram',
        samples: durations,
      },
      {
        name: 'pages_answered_total',
        help: 'Pages, by whether they were ready in memory or had to be made.',
        type: 'counter',
        samples: [
          { labels: { source: 'memory' }, value: this.pagesFromMemory },
          { labels: { source: 'made' }, value: this.pagesMade },
        ],
      },
      {
        name: 'log_ins_total',
        help: 'Log-ins by outcome: accepted, refused (wrong name or password), limited (too many), failed (our side).',
        type: 'counter',
        samples: Object.entries(this.#logIns).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'rate_limited_total',
        help: 'Calls answered with 429, by the path of the contract.',
        type: 'counter',
        samples: [...this.#limited].map(([call, value]) => ({ labels: { call }, value })),
      },
      {
        name: 'webhooks_refused_total',
        help: 'Notices of the card provider whose signature, age or form did not fit.',
        type: 'counter',
        samples: [{ value: this.#noticesRefused }],
      },
    ]
  }
}

function logInOutcome(status: number): 'accepted' | 'refused' | 'limited' | 'failed' {
  if (status < 400) return 'accepted'
  if (status === 429) return 'limited'
  return status < 500 ? 'refused' : 'failed'
}
