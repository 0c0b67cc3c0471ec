import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import * as z from 'zod/mini'
import type { Permission, Role } from '#contract/access.ts'
import type { BodyOf, Endpoint, FileEndpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { PreparedResponse } from '#server/pages/prepared-response.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Limit, RateLimiter } from '#server/limits/rate-limiter.ts'
import { limitSubject } from './addresses.ts'
import type { CookieJar, CookieName } from './cookies.ts'
import { sendProblem } from './error-responses.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import { Problem } from '#server/lib/problem.ts'
import {
  JSON_TYPE,
  createSharedResponse,
  sendSharedResponse,
  MIN_SHARED_BYTES,
  SharedResponseCache,
} from './pipelining/shared-responses.ts'
import { readUpload, saveUpload } from './bodies/upload.ts'
import { readInput } from './bodies/validation.ts'

/** A person with a current role. */
export interface Officer {
  accountId: string
  name: string
  email: string
  roles: Role[]
  permissions: Permission[]
}

/** The owner of a call's valid token. */
export interface Caller {
  accountId: string
  sessionId: string
  /** Epoch milliseconds. */
  tokenExpiresAt: number
  /** The permissions of the officer who views the site as this member; left out for the member. */
  viewer?: readonly Permission[]
}

/** The data of one call, passed to its handler. */
export interface Call<E> {
  body: BodyOf<E>
  query: QueryOf<E>
  /** Decoded path parameters. */
  params: ParamsOf<E>
  /** null only if the endpoint's access is neither `member` nor `officer`. */
  caller: Caller | null
  /** null only if the endpoint's access is not `officer`. */
  officer: Officer | null
  /** The client's address, according to `TRUST_PROXY`. */
  address: string
  userAgent: string
  headers: FastifyRequest['headers']
  /** Reads the uploaded body, for endpoints with `uploadBytes`. @throws Problem TOO_LARGE */
  readUpload(): Promise<Buffer>
  /** Like `readUpload`, into a new file. @throws Problem TOO_LARGE */
  saveUpload(path: string): Promise<void>
  /** The raw body; for `signed` endpoints only. */
  rawBody: Buffer
  readCookie(name: CookieName): string | null
  setCookie(name: CookieName, value: string, maxAgeSeconds: number): void
}

export interface ServeTools {
  app: FastifyInstance
  clock: Clock
  cookies: CookieJar
  limiter: RateLimiter
  memoryLimiter: MemoryLimiter
  /** The rate limit of an endpoint; endpoints without one are counted in memory. */
  findLimit(endpointName: string): Limit | undefined
  /** Whether the site is not open yet, and this request is one of a visitor that has to wait. */
  isClosedTo(endpoint: Endpoint, request: FastifyRequest): boolean
  /** @throws Problem for a call that a demo, or a site that is none, does not have */
  requireServed(endpoint: Endpoint, params: unknown): Promise<void>
  /** @throws Problem 401 or 403, see docs/product-rules.md#when-a-session-ends */
  authenticate(token: string): Promise<Caller>
  /** Officers viewing the site as a member (decision record 18). */
  views: {
    /** Whether a bearer claims to be a view token, valid or not: such calls are read-only. */
    isViewToken(token: string): boolean
    /** Returns the viewed member as the caller. @throws Problem VIEW_OVER, VIEW_HIDES */
    admit(token: string, endpoint: Endpoint): Promise<Caller>
  }
  /** @throws Problem 403 when the caller lacks the permission */
  admitOfficer(caller: Caller, endpoint: Endpoint): Promise<{ officer: Officer; isFresh: boolean }>
}

/** A file download; the name contains only Latin letters, digits, dots and hyphens. */
export interface ServedFile {
  filename: string
  content: Uint8Array
}

const MAX_CACHED_REPLIES = 200
const ALL_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Serves the contract's endpoints: authorization, rate limits, input and replies. */
export class Server {
  readonly #tools: ServeTools
  readonly #methods = new Map<string, Set<string>>()
  readonly #shared = new SharedResponseCache()

  constructor(tools: ServeTools) {
    this.#tools = tools
  }

  /** @param check what is also wrong with the input, thrown before a fresh second factor is required; it writes nothing, and `handler` checks again */
  serve<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<ReplyOf<E> | void>,
    check?: (call: Call<E>) => Promise<unknown>,
  ): void {
    const isPublic = endpoint.method === 'GET' && endpoint.access === 'anyone'
    this.#route(endpoint, async (request, reply) => {
      const result = await handler(await this.#admit<E>(endpoint, request, reply, check))
      const status = endpoint.status ?? 200
      if (status === 204) return reply.code(204).send()
      const text = writeReply(endpoint, result)
      // Public replies are often identical, so they are cached and compressed once.
      if (isPublic && text.length >= MIN_SHARED_BYTES) {
        return sendSharedResponse(request, reply, await this.#shared.getOrCreate(JSON_TYPE, text))
      }
      return reply.code(status).type(JSON_TYPE).send(text)
    })
  }

  /** Like `serve`, for an endpoint that returns a file; errors are JSON. */
  serveFile<E extends FileEndpoint>(endpoint: E, handler: (call: Call<E>) => Promise<ServedFile>): void {
    this.#route(endpoint, async (request, reply) => {
      const { filename, content } = await handler(await this.#admit<E>(endpoint, request, reply))
      return reply
        .type(endpoint.media)
        .header('content-disposition', `attachment; filename="${filename}"`)
        .send(Buffer.from(content))
    })
  }

  /**
   * Serves a read whose reply depends only on the content version and the query: built, validated and serialized once per version, then sent from the cache.
   */
  serveContent<E extends Endpoint>(
    endpoint: E,
    version: () => string,
    make: (query: QueryOf<E>) => Promise<ReplyOf<E>>,
  ): void {
    let cachedVersion = ''
    /** Keyed by the query string. */
    let cache = new Map<string, Promise<PreparedResponse>>()
    this.#methods.set(endpoint.path, new Set([endpoint.method]))
    this.#tools.app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        this.#tools.memoryLimiter.hit(limitSubject(request.ip))
        const now = version()
        if (now !== cachedVersion) cache = new Map()
        cachedVersion = now
        const { url } = request
        const key = endpoint.query ? url.slice(url.indexOf('?') + 1 || url.length) : ''
        const currentCache = cache
        let response = currentCache.get(key)
        if (response === undefined) {
          const query = (endpoint.query ? readInput(endpoint.query, request.query) : undefined) as QueryOf<E>
          response = make(query).then((read) => createSharedResponse(JSON_TYPE, writeReply(endpoint, read)))
          // Arbitrary query strings must not fill the memory.
          if (currentCache.size >= MAX_CACHED_REPLIES) currentCache.clear()
          currentCache.set(key, response)
          response.catch(() => currentCache.delete(key))
        }
        return sendSharedResponse(request, reply, await response)
      },
    })
  }

  /** Responds with 405 to every other method of every path served so far; call it last. */
  refuseOtherMethods(): void {
    for (const [path, methods] of this.#methods) {
      const allowed = methods.has('GET') ? [...methods, 'HEAD'] : [...methods]
      this.#tools.app.route({
        method: ALL_METHODS.filter((method) => !allowed.includes(method)),
        url: path,
        handler: (_request, reply) =>
          sendProblem(reply.header('allow', allowed.join(', ')), new Problem('METHOD_NOT_ALLOWED')),
      })
    }
  }

  #route(endpoint: Endpoint, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
    const methods = this.#methods.get(endpoint.path) ?? new Set<string>()
    methods.add(endpoint.method)
    this.#methods.set(endpoint.path, methods)
    this.#tools.app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { reportsSuccess: endpoint.reportsSuccess ?? false },
      handler,
    })
  }

  /** Applies rate limit, authorization and input validation. @throws Problem */
  async #admit<E extends Endpoint>(
    endpoint: E,
    request: FastifyRequest,
    reply: FastifyReply,
    check?: (call: Call<E>) => Promise<unknown>,
  ): Promise<Call<E>> {
    await this.#limit(endpoint, request)
    if (this.#tools.isClosedTo(endpoint, request)) throw new Problem('NOT_OPEN_YET')
    const caller = await this.#authenticate(endpoint, request)
    await this.#tools.requireServed(endpoint, request.params)
    if (endpoint.access !== 'officer') {
      return { ...this.#describe<E>(endpoint, request, reply, caller), officer: null }
    }
    const { officer, isFresh } = await this.#tools.admitOfficer(requireCaller(caller), endpoint)
    const call = { ...this.#describe<E>(endpoint, request, reply, caller), officer }
    // Checked last: no one should type a code only to learn that a field is missing.
    if (endpoint.requiresFreshFactor && !isFresh) {
      await check?.(call)
      throw new Problem('SECOND_FACTOR_AGAIN')
    }
    return call
  }

  async #limit(endpoint: Endpoint, request: FastifyRequest): Promise<void> {
    if (endpoint.access === 'signed') return
    const subject = limitSubject(request.ip)
    const limit = this.#tools.findLimit(endpoint.name)
    if (!limit) return this.#tools.memoryLimiter.hit(subject)
    const verdict = await this.#tools.limiter.hitAddress(endpoint.name, subject, limit)
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  async #authenticate(endpoint: Endpoint, request: FastifyRequest): Promise<Caller | null> {
    const header = request.headers.authorization
    const token = header && /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(header)?.[1]
    const isView = token !== undefined && token !== '' && this.#tools.views.isViewToken(token)
    // Checked first: calls with a view token are always read-only.
    if (isView && endpoint.method !== 'GET') throw new Problem('VIEW_READ_ONLY')
    if (endpoint.access === 'anyone' || endpoint.access === 'signed') return null
    if (header === undefined && endpoint.access === 'optional') return null
    if (!token) throw new Problem('AUTHENTICATION_REQUIRED')
    return isView ? this.#tools.views.admit(token, endpoint) : this.#tools.authenticate(token)
  }

  #describe<E extends Endpoint>(
    endpoint: E,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | null,
  ): Omit<Call<E>, 'officer'> {
    const { cookies, clock } = this.#tools
    const isRaw = endpoint.access === 'signed'
    return {
      body: (endpoint.body && !isRaw ? readInput(endpoint.body, request.body) : undefined) as BodyOf<E>,
      query: (endpoint.query ? readInput(endpoint.query, request.query) : undefined) as QueryOf<E>,
      params: (endpoint.params ? readInput(endpoint.params, request.params) : undefined) as ParamsOf<E>,
      caller,
      address: limitSubject(request.ip),
      userAgent: request.headers['user-agent'] ?? '',
      headers: request.headers,
      readUpload: () => readUpload(request.body, endpoint),
      saveUpload: (path) => saveUpload(request.body, endpoint, path),
      rawBody: isRaw && Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      readCookie: (name) => cookies.read(request.headers.cookie, name, clock.now()),
      setCookie: (name, value, maxAgeSeconds) =>
        void reply.header('set-cookie', cookies.write(name, value, maxAgeSeconds, clock.now())),
    }
  }
}

/** Returns the caller of a `member` endpoint. */
export function requireCaller(caller: Caller | null): Caller {
  if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
  return caller
}

/** Returns the officer of an `officer` endpoint. */
export function requireOfficer(officer: Officer | null): Officer {
  if (!officer) throw new Problem('NOT_AN_OFFICER')
  return officer
}

/** Replies pass the contract on the way out, so a new column stays private until it is added there. */
function writeReply(endpoint: Endpoint, reply: unknown): string {
  return JSON.stringify(endpoint.reply ? z.parse(endpoint.reply, reply) : null)
}
