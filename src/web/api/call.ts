import { safeParse, type core } from 'zod/mini'
import type { Endpoint, FileEndpoint, ReplyOf } from '#contract/endpoint.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { CallFailure } from './call-failure.ts'
import { viewToken } from './view-token.ts'

/** Without a complete response after this time, the call fails as a network error. */
const TIMEOUT_MS = 15_000
/** Uploads are slow on a phone, and image processing may queue; longer than the server's own timeout. */
const UPLOAD_TIMEOUT_MS = 300_000

type Schema = core.$ZodType
type BodyFor<E> = E extends Endpoint<infer B> ? core.input<B> : never
type QueryFor<E> = E extends Endpoint<Schema, infer Q> ? core.input<Q> : never
type ParamsFor<E> = E extends Endpoint<Schema, Schema, Schema, infer P> ? core.input<P> : never

interface CallOptions<E> {
  body?: BodyFor<E>
  /** Sent instead of a body to endpoints that take a file. */
  file?: Blob
  query?: QueryFor<E>
  params?: ParamsFor<E>
  bearer?: string
}

/** The parsed reply, a file, or undefined when a success has no body. */
type ResultOf<E> = E extends FileEndpoint ? Blob : [ReplyOf<E>] extends [never] ? undefined : ReplyOf<E>

/**
 * Sends JSON, validates the reply against the contract and returns it. All other code that needs the contract calls
 * this.
 * @throws {CallFailure} and nothing else
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  { body, file, query, params, bearer }: CallOptions<E> = {},
): Promise<ResultOf<E>> {
  const stop = new AbortController()
  // While an officer views the site as a member, every call carries the view token, so the server rejects changes no
  // matter what a page requests.
  const token = viewToken() ?? bearer
  const timer = setTimeout(() => stop.abort(), file ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS)
  try {
    const response = await fetch(buildPath(endpoint, params) + buildQuery(query), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file && { 'content-type': 'application/octet-stream' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      signal: stop.signal,
    })
    if (endpoint.media && response.ok) return (await response.blob()) as ResultOf<E>
    const text = await response.text()
    return readResponse(endpoint, response, text)
  } catch (cause) {
    throw cause instanceof CallFailure ? cause : new CallFailure(undefined, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function buildPath({ path }: Endpoint, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function buildQuery(query: unknown): string {
  if (!query) return ''
  const entries = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return `?${new URLSearchParams(entries)}`
}

function readResponse<E extends Endpoint>(endpoint: E, response: Response, text: string): ResultOf<E> {
  const { status, statusText } = response
  const json = parseJson(text)
  if (!response.ok) throw new CallFailure({ status, statusText, ...readErrorBody(json) })
  if (!endpoint.reply) return undefined as ResultOf<E>
  const reply = safeParse(endpoint.reply, json)
  if (!reply.success) throw new CallFailure({ status, statusText }, { cause: reply.error })
  return reply.data as ResultOf<E>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Any part of an error body may be missing: a proxy may have sent it. */
function readErrorBody(json: unknown) {
  if (typeof json !== 'object' || json === null) return {}
  const { message, code, errors, retryAfter } = json as Partial<Record<keyof ErrorBody, unknown>>
  return {
    ...(typeof message === 'string' && message ? { sentence: message } : {}),
    ...(typeof code === 'string' ? { code: code as ErrorBody['code'] } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter } : {}),
    ...(typeof errors === 'object' && errors !== null ? { errors: onlyStrings(errors) } : {}),
  }
}

function onlyStrings(errors: object): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter((entry) => typeof entry[1] === 'string'))
}
