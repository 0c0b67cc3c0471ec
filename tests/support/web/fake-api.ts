import { credentialKindsOfProfile } from '../content/credential-kinds.ts'
import type { AccountHome } from '#contract/public/my-account/account-home.ts'
import { afterEach, beforeEach, expect, vi } from 'vitest'

export interface SentRequest {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  bearer: string | null
}

type Answer = { status?: number; statusText?: string; body?: unknown; text?: string } | 'no network' | 'never'
/** A promise lets the test decide when the response arrives. */
type Answers = readonly (Answer | Promise<Answer>)[]

/** Nothing waits for the member, and there are no events. */
export const quietHome: AccountHome = { pendingEmail: null, credentials: 'approved', rsvps: [], unanswered: [] }

const physicianKinds = credentialKindsOfProfile('physicians')

/** A fake network: returns the queued responses in order and repeats the last one. */
export class FakeApi {
  readonly sent: SentRequest[] = []
  readonly unexpected: string[] = []
  // Pages also request these. Member pages: nothing waits, no payments, no changes, no credentials, no views by officers.
  #answers = new Map<string, (Answer | Promise<Answer>)[]>([
    ['GET /api/billing/payments', [{ body: { payments: [] } }]],
    ['GET /api/billing/level-changes', [{ body: { changes: [] } }]],
    ['GET /api/account/credentials', [{ body: { credentials: null } }]],
    ['GET /api/account/credential-kinds', [{ body: { kinds: physicianKinds } }]],
    ['GET /api/account/home', [{ body: quietHome }]],
    ['GET /api/account/devices', [{ body: [] }]],
    ['GET /api/account/views', [{ body: [] }]],
    // The console's navigation counts what waits.
    ['GET /api/console/today', [{ body: { tasks: [] } }]],
    // The console's home page, on which many tests begin.
    ['GET /api/console/home', [{ body: { today: '2026-11-23', members: null, renewals: null, income: null } }]],
    ['GET /api/console/audit', [{ body: { entries: [], hasMore: false, people: [] } }]],
    ['GET /api/console/rsvp', [{ body: { events: [] } }]],
  ])

  /** `call` is a method and path, such as 'POST /api/auth/login'. */
  on(call: string, ...answers: Answers): this {
    this.#answers.set(call, [...answers])
    return this
  }

  requestsTo(call: string): SentRequest[] {
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

/** Gives each test of a file a fresh fake network. An unexpected call or a console error fails the test. */
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

/** An error body in the server's format. */
export function errorResponse(status: number, code: string, message: string, errors?: Record<string, string>) {
  return { status, body: { message, code, ...(errors && { errors }) } }
}

/** A token whose payload the browser can decode; it expires in `seconds`. */
export function tokenFor(seconds: number, sub = 'u1'): string {
  return `e30.${btoa(JSON.stringify({ sub, exp: Math.floor(Date.now() / 1_000) + seconds }))}.sig`
}
