import { afterEach, beforeEach, expect, vi } from 'vitest'

export interface Sent {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  bearer: string | null
}

type Answer = { status?: number; statusText?: string; body?: unknown; text?: string } | 'no network' | 'never'
/** A promise: the answer that comes when the test lets it. */
type Answers = readonly (Answer | Promise<Answer>)[]

/** The network of a test: answers what it was told to, in order, the last answer again and again. */
export class FakeApi {
  readonly sent: Sent[] = []
  readonly unexpected: string[] = []
  // What pages of members ask besides: nothing has been paid, nothing is known.
  #answers = new Map<string, (Answer | Promise<Answer>)[]>([
    ['GET /api/billing/payments', [{ body: { payments: [] } }]],
    ['GET /api/billing/level-changes', [{ body: { changes: [] } }]],
    ['GET /api/account/credentials', [{ body: { credentials: null } }]],
  ])

  /** `call` as 'POST /api/auth/login'. */
  on(call: string, ...answers: Answers): this {
    this.#answers.set(call, [...answers])
    return this
  }

  of(call: string): Sent[] {
    return this.sent.filter(({ method, path }) => `${method} ${path}` === call)
  }

  fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input, 'http://localhost')
    const method = init.method ?? 'GET'
    const headers = new Headers(init.headers)
    this.sent.push({
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      bearer: headers.get('authorization')?.replace('Bearer ', '') ?? null,
    })
    const call = `${method} ${url.pathname}`
    const queue = this.#answers.get(call)
    if (!queue) this.unexpected.push(call)
    const answer = (await (queue && queue.length > 1 ? queue.shift() : queue?.[0])) ?? 'no network'
    if (answer === 'no network') throw new TypeError('Failed to fetch')
    if (answer === 'never') return waitForAbort(init.signal)
    const { status = 200, statusText = '', body, text } = answer
    const content = text ?? (body === undefined ? '' : JSON.stringify(body))
    return new Response(status === 204 ? null : content, { status, statusText })
  }
}

function waitForAbort(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}

/** A fresh network for every test of a file; a call nobody planned, or an error on the console, fails the test. */
export function useFakeApi(): { current: FakeApi } {
  const api = { current: new FakeApi() }
  beforeEach(() => {
    api.current = new FakeApi()
    vi.stubGlobal('fetch', api.current.fetch)
    vi.spyOn(console, 'error')
    window.localStorage.clear()
    window.sessionStorage.clear()
  })
  afterEach(() => {
    const errors = vi.mocked(console.error).mock.calls
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    expect(errors).toEqual([])
    expect(api.current.unexpected).toEqual([])
  })
  return api
}

/** An error body as the server writes it. */
export function refusal(status: number, code: string, message: string, errors?: Record<string, string>) {
  return { status, body: { message, code, ...(errors && { errors }) } }
}

/** A token whose payload the browser can read; `seconds` from now until it ends. */
export function tokenFor(seconds: number): string {
  return `e30.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + seconds }))}.sig`
}
