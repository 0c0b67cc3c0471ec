import { histogramSamples, type Metric, type Sample } from '#server/monitoring/exposition.rules.ts'

/** A page or a page's data, a build file, a calendar or feed, an API call, a webhook event, or anything else. */
export type RequestKind = 'page' | 'file' | 'document' | 'call' | 'webhook' | 'other'

const KINDS: readonly RequestKind[] = ['page', 'file', 'document', 'call', 'webhook', 'other']
/** Upper bounds in milliseconds: a cached page takes a tenth of one, a rendered page a few, a login about twenty. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
const CLASSES = 6

interface Counts {
  /** Indexed by the first digit of the status. */
  classes: Float64Array
  buckets: Float64Array
  sumMs: number
}

/**
 * Request counters of this process for /metrics. Plain counters: a cached page takes less time than a metrics library would spend on counting it. Records
 * nothing about the client.
 */
export class Traffic {
  /** Pages served from the cache, and pages rendered. */
  cachedPages = 0
  renderedPages = 0
  readonly #counts = new Map<RequestKind, Counts>(
    KINDS.map((kind) => [
      kind,
      { classes: new Float64Array(CLASSES), buckets: new Float64Array(BOUNDS_MS.length + 1), sumMs: 0 },
    ]),
  )
  readonly #logIns = { accepted: 0, refused: 0, limited: 0, failed: 0 }
  #webhooksRefused = 0
  /** Keyed by the contract's path, a bounded set, never by the requested URL. */
  readonly #limited = new Map<string, number>()
  readonly #paths: { login: string; webhook: string }

  constructor(paths: { login: string; webhook: string }) {
    this.#paths = paths
  }

  recordResponse(kind: RequestKind, status: number, ms: number): void {
    const counts = this.#counts.get(kind)
    if (!counts) return
    const statusClass = Math.floor(status / 100)
    counts.classes[statusClass]! += 1
    let bucket = 0
    while (bucket < BOUNDS_MS.length && ms > BOUNDS_MS[bucket]!) bucket++
    counts.buckets[bucket]! += 1
    counts.sumMs += ms
  }

  /** @param route the contract's path with parameters as `:name`; undefined for an unknown address */
  recordCall(route: string | undefined, status: number, ms: number): void {
    const { login, webhook } = this.#paths
    const kind = route === webhook ? 'webhook' : route === undefined || route.startsWith('/api/') ? 'call' : 'other'
    this.recordResponse(kind, status, ms)
    if (route === login) this.#logIns[logInOutcome(status)]++
    if (route === webhook && status >= 400 && status < 500) this.#webhooksRefused++
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
        help: 'Responses sent, by kind of request.',
        type: 'counter',
        samples: requests,
      },
      {
        name: 'http_request_duration_seconds',
        help: 'Time from request to response.',
        type: 'histogram',
        samples: durations,
      },
      {
        name: 'pages_answered_total',
        help: 'Pages, by whether they were cached or rendered.',
        type: 'counter',
        samples: [
          { labels: { source: 'memory' }, value: this.cachedPages },
          { labels: { source: 'made' }, value: this.renderedPages },
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
        help: 'Calls refused with 429, by path of the contract.',
        type: 'counter',
        samples: [...this.#limited].map(([call, value]) => ({ labels: { call }, value })),
      },
      {
        name: 'webhooks_refused_total',
        help: 'Webhook events refused for an invalid signature, timestamp or body.',
        type: 'counter',
        samples: [{ value: this.#webhooksRefused }],
      },
    ]
  }
}

function logInOutcome(status: number): 'accepted' | 'refused' | 'limited' | 'failed' {
  if (status < 400) return 'accepted'
  if (status === 429) return 'limited'
  return status < 500 ? 'refused' : 'failed'
}
