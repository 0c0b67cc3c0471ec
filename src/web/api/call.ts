import { safeParse, type core } from 'zod/mini'
import type { Endpoint, FileEndpoint, ReplyOf } from '#contract/endpoint.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { CallFailure } from './call-failure.ts'
import { viewToken } from './view-token.ts'

/** Longer than this without a complete answer counts as no network. */
const TIMEOUT_MS = 15_000
/** A file takes its time on a phone, and a picture waits for others to be prepared: longer than the site lets it wait. */
const UPLOAD_TIMEOUT_MS = 300_000

type Schema = core.$ZodType
type BodyFor<E> = E extends Endpoint<infer B> ? core.input<B> : never
type QueryFor<E> = E extends Endpoint<Schema, infer Q> ? core.input<Q> : never
type ParamsFor<E> = E extends Endpoint<Schema, Schema, Schema, infer P> ? core.input<P> : never

interface CallOptions<E> {
  body?: BodyFor<E>
  /** In place of a body, where the endpoint takes a file. */
  file?: Blob
  query?: QueryFor<E>
  params?: ParamsFor<E>
  bearer?: string
}

/** The reply, a file, or undefined where success has no body. */
type AnswerOf<E> = E extends FileEndpoint ? Blob : [ReplyOf<E>] extends [never] ? undefined : ReplyOf<E>

/**
 * The one place that fetches. Sends JSON, checks the reply against the contract and returns it.
 * @throws {CallFailure} for everything else, and nothing but that.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  { body, file, query, params, bearer }: CallOptions<E> = {},
): Promise<AnswerOf<E>> {
  const stop = new AbortController()
  // While an officer sees the site as a member, every call says so: the server then changes nothing, whatever a page asks for.
  const shown = viewToken() ?? bearer
  const timer = setTimeout(() => stop.abort(), file ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS)
  try {
    const response = await fetch(pathOf(endpoint, params) + searchOf(query), {
      method: endpoint.method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file && { 'content-type': 'application/octet-stream' }),
        ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      signal: stop.signal,
    })
    if (endpoint.media && response.ok) return (await response.blob()) as AnswerOf<E>
    const text = await response.text()
    return readAnswer(endpoint, response, text)
  } catch (cause) {
    throw cause instanceof CallFailure ? cause : new CallFailure(undefined, { cause })
  } finally {
    clearTimeout(timer)
  }
}

function pathOf({ path }: Endpoint, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function searchOf(query: unknown): string {
  if (!query) return ''
  const entries = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return `?${new URLSearchParams(entries)}`
}

function readAnswer<E extends Endpoint>(endpoint: E, response: Response, text: string): AnswerOf<E> {
  const { status, statusText } = response
  const json = parseJson(text)
  if (!response.ok) throw new CallFailure({ status, statusText, ...readRefusal(json) })
  if (!endpoint.reply) return undefined as AnswerOf<E>
  const reply = safeParse(endpoint.reply, json)
  if (!reply.success) throw new CallFailure({ status, statusText }, { cause: reply.error })
  return reply.data as AnswerOf<E>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What of an error body can be trusted to be there: any part may be missing, for a proxy may have answered. */
function readRefusal(json: unknown) {
  if (typeof json !== 'object' || json === null) return {}
  const { message, code, errors, retryAfter } = json as Partial<Record<keyof ErrorBody, unknown>>
  return {
    ...(typeof message === 'string' && message ? { sentence: message } : {}),
    ...(typeof code === 'string' ? { code: code as ErrorBody['code'] } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter } : {}),
    ...(typeof errors === 'object' && errors !== null ? { errors: onlySentences(errors) } : {}),
  }
}

function onlySentences(errors: object): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter((entry) => typeof entry[1] === 'string'))
}
