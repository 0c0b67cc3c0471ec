import { Counter, Histogram, Registry } from '#server/monitoring/prometheus.ts'

/** A page or a page's data, a build file, a calendar or feed, an API call, a webhook event, or anything else. */
export type RequestKind = 'page' | 'file' | 'document' | 'call' | 'webhook' | 'other'

const KINDS: readonly RequestKind[] = ['page', 'file', 'document', 'call', 'webhook', 'other']
/** Upper bounds in seconds: a cached page takes a tenth of a millisecond, a rendered page a few, a login about twenty. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const CLASSES = 6

/**
 * Request counters of this process for /metrics, each from zero so that a first increase shows. What a cached page counts are plain numbers until they are
 * scraped, except its duration. Records nothing about the client.
 */
export class Traffic {
  readonly registry = new Registry()
  /** Pages served from the cache, and pages rendered. */
  cachedPages = 0
  renderedPages = 0
  /** By kind; indexed by the first digit of the status. */
  readonly #responses = new Map(KINDS.map((kind) => [kind, { labels: { kind }, classes: new Float64Array(CLASSES) }]))
  readonly #durations
  readonly #logIns
  readonly #limited
  readonly #webhooksRefused
  readonly #paths: { login: string; webhook: string }

  constructor(paths: { login: string; webhook: string }) {
    this.#paths = paths
    const registers = [this.registry]
    const responses = this.#responses
    new Counter({
      name: 'http_requests_total',
      help: 'Responses sent, by kind of request.',
      labelNames: ['kind', 'status'],
      registers,
      collect() {
        this.reset()
        for (const [kind, { classes }] of responses)
          for (const [digit, count] of classes.entries()) if (digit > 0) this.inc({ kind, status: `${digit}xx` }, count)
      },
    })
    this.#durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to response.',
      labelNames: ['kind'],
      buckets: BOUNDS,
      registers,
    })
    for (const kind of KINDS) this.#durations.zero({ kind })
    const pages = () => ({ memory: this.cachedPages, made: this.renderedPages })
    new Counter({
      name: 'pages_answered_total',
      help: 'Pages, by whether they were cached or rendered.',
      labelNames: ['source'],
      registers,
      collect() {
        this.reset()
        for (const [source, count] of Object.entries(pages())) this.inc({ source }, count)
      },
    })
    this.#logIns = new Counter({
      name: 'log_ins_total',
      help: 'Log-ins by outcome: accepted, refused (wrong name or password), limited (too many), failed (our side).',
      labelNames: ['outcome'],
      registers,
    })
    for (const outcome of ['accepted', 'refused', 'limited', 'failed']) this.#logIns.inc({ outcome }, 0)
    this.#limited = new Counter({
      name: 'rate_limited_total',
      help: 'Calls refused with 429, by path of the contract.',
      labelNames: ['call'],
      registers,
    })
    this.#webhooksRefused = new Counter({
      name: 'webhooks_refused_total',
      help: 'Webhook events refused for an invalid signature, timestamp or body.',
      registers,
    })
  }

  recordResponse(kind: RequestKind, status: number, ms: number): void {
    const counts = this.#responses.get(kind)
    if (!counts) return
    counts.classes[Math.floor(status / 100)]! += 1
    this.#durations.observe(counts.labels, ms / 1_000)
  }

  /** @param route the contract's path with parameters as `:name`, a bounded set; undefined for an unknown address */
  recordCall(route: string | undefined, status: number, ms: number): void {
    const { login, webhook } = this.#paths
    const kind = route === webhook ? 'webhook' : route === undefined || route.startsWith('/api/') ? 'call' : 'other'
    this.recordResponse(kind, status, ms)
    if (route === login) this.#logIns.inc({ outcome: logInOutcome(status) })
    if (route === webhook && status >= 400 && status < 500) this.#webhooksRefused.inc()
    if (status === 429 && route !== undefined) this.#limited.inc({ call: route })
  }
}

function logInOutcome(status: number): 'accepted' | 'refused' | 'limited' | 'failed' {
  if (status < 400) return 'accepted'
  if (status === 429) return 'limited'
  return status < 500 ? 'refused' : 'failed'
}
