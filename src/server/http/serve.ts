import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import * as z from 'zod/mini'
import type { Permission, Role } from '#contract/access.ts'
import type { BodyOf, Endpoint, FileEndpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { Answer } from '../pages/answer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Limit, RateLimiter } from '../platform/rate-limiter.ts'
import { limitSubject } from './addresses.ts'
import type { CookieJar, CookieName } from './cookies.ts'
import { sendProblem } from './error-responses.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import { Problem } from '../platform/problem.ts'
import { JSON_TYPE, makeSharedAnswer, sendSharedAnswer, SHARED_FROM, SharedAnswers } from './shared-answers.ts'
import { readUpload, saveUpload } from './upload.ts'
import { readInput } from './validation.ts'

/** Somebody who holds a role today. */
export interface Officer {
  accountId: string
  name: string
  email: string
  roles: Role[]
  permissions: Permission[]
}

/** Whose valid token came with a call. */
export interface Caller {
  accountId: string
  sessionId: string
  /** Epoch milliseconds. */
  tokenExpiresAt: number
}

/** What a handler knows of one call. */
export interface Call<E> {
  body: BodyOf<E>
  query: QueryOf<E>
  /** Of the path, decoded. */
  params: ParamsOf<E>
  /** null only where the endpoint's access is neither `member` nor `officer`. */
  caller: Caller | null
  /** null only where the endpoint's access is not `officer`. */
  officer: Officer | null
  /** Of the visitor, as `TRUST_PROXY` tells it. */
  address: string
  userAgent: string
  headers: FastifyRequest['headers']
  /** The file that is the body, for endpoints with `uploadBytes`. @throws Problem TOO_LARGE */
  readUpload(): Promise<Buffer>
  /** The same into a new file. @throws Problem TOO_LARGE */
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
  /** Limits by endpoint name; an endpoint without one is counted in memory. */
  limitOf(endpointName: string): Limit | undefined
  /** @throws Problem 401 or 403 as docs/product-rules.md#when-a-session-ends says. */
  authenticate(token: string): Promise<Caller>
  /** Officers who see the site as a member does (decision record 18). */
  views: {
    /** Whether a bearer claims to be one, true or not: whoever sends one changes nothing. */
    isViewToken(token: string): boolean
    /** The member as whom the endpoint is read. @throws Problem VIEW_OVER, VIEW_HIDES */
    admit(token: string, endpoint: Endpoint): Promise<Caller>
  }
  /** @throws Problem 403 when the caller may not do what the endpoint does */
  admitOfficer(caller: Caller, endpoint: Endpoint): Promise<{ officer: Officer; isFresh: boolean }>
}

/** A file as the browser saves it; the name holds letters, digits, dots and hyphens only. */
export interface ServedFile {
  filename: string
  content: Uint8Array
}

const MAXIMUM_WRITTEN = 200
const ALL_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Serves the endpoints of the contract: who may call, how often, what comes in and what goes out. */
export class Server {
  readonly #tools: ServeTools
  readonly #methods = new Map<string, Set<string>>()
  readonly #shared = new SharedAnswers()

  constructor(tools: ServeTools) {
    this.#tools = tools
  }

  serve<E extends Endpoint>(endpoint: E, handler: (call: Call<E>) => Promise<ReplyOf<E> | void>): void {
    const isForAnybody = endpoint.method === 'GET' && endpoint.access === 'anyone'
    this.#route(endpoint, async (request, reply) => {
      const answer = await handler(await this.#admit<E>(endpoint, request, reply))
      const status = endpoint.status ?? 200
      if (status === 204) return reply.code(204).send()
      const text = writeReply(endpoint, answer)
      // What anybody may read is the same for many.
      if (isForAnybody && text.length >= SHARED_FROM) {
        return sendSharedAnswer(request, reply, await this.#shared.of(JSON_TYPE, text))
      }
      return reply.code(status).type(JSON_TYPE).send(text)
    })
  }

  /** The same for an endpoint whose success is a file; what is wrong is answered as JSON. */
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
   * A read whose answer changes only with the content and the query: made, checked and written out once a content version, then sent as it is.
   */
  serveContent<E extends Endpoint>(
    endpoint: E,
    version: () => string,
    make: (query: QueryOf<E>) => Promise<ReplyOf<E>>,
  ): void {
    let writtenFor = ''
    /** By query, as it was written. */
    let written = new Map<string, Promise<Answer>>()
    this.#methods.set(endpoint.path, new Set([endpoint.method]))
    this.#tools.app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: async (request, reply) => {
        this.#tools.memoryLimiter.hit(limitSubject(request.ip))
        const now = version()
        if (now !== writtenFor) written = new Map()
        writtenFor = now
        const { url } = request
        const key = endpoint.query ? url.slice(url.indexOf('?') + 1 || url.length) : ''
        const kept = written
        let answer = kept.get(key)
        if (answer === undefined) {
          const query = (endpoint.query ? readInput(endpoint.query, request.query) : undefined) as QueryOf<E>
          answer = make(query).then((read) => makeSharedAnswer(JSON_TYPE, writeReply(endpoint, read)))
          // Whoever makes up queries must not fill the memory.
          if (kept.size >= MAXIMUM_WRITTEN) kept.clear()
          kept.set(key, answer)
          answer.catch(() => kept.delete(key))
        }
        return sendSharedAnswer(request, reply, await answer)
      },
    })
  }

  /** Answers 405 for every other method of every path served so far; call it last. */
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

  /** Limit, door and input: what a handler is called with. @throws Problem */
  async #admit<E extends Endpoint>(endpoint: E, request: FastifyRequest, reply: FastifyReply): Promise<Call<E>> {
    await this.#limit(endpoint, request)
    const caller = await this.#letIn(endpoint, request)
    if (endpoint.access !== 'officer') {
      return { ...this.#describe<E>(endpoint, request, reply, caller), officer: null }
    }
    const { officer, isFresh } = await this.#tools.admitOfficer(requireCaller(caller), endpoint)
    const call = this.#describe<E>(endpoint, request, reply, caller)
    // Asked for last: nobody types a code to read that a field is missing.
    if (endpoint.asksAgain && !isFresh) throw new Problem('SECOND_FACTOR_AGAIN')
    return { ...call, officer }
  }

  async #limit(endpoint: Endpoint, request: FastifyRequest): Promise<void> {
    if (endpoint.access === 'signed') return
    const subject = limitSubject(request.ip)
    const limit = this.#tools.limitOf(endpoint.name)
    if (!limit) return this.#tools.memoryLimiter.hit(subject)
    const verdict = await this.#tools.limiter.hitAddress(endpoint.name, subject, limit)
    if (!verdict.allowed) throw new Problem('RATE_LIMITED', { rate: verdict })
  }

  async #letIn(endpoint: Endpoint, request: FastifyRequest): Promise<Caller | null> {
    const header = request.headers.authorization
    const token = header && /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(header)?.[1]
    const isView = token !== undefined && token !== '' && this.#tools.views.isViewToken(token)
    // Before anything else: no call of a view changes anything, whoever else might make it.
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

/** Whose call it is, where the endpoint's access is `member`. */
export function requireCaller(caller: Caller | null): Caller {
  if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
  return caller
}

/** Who does it, where the endpoint's access is `officer`. */
export function requireOfficer(officer: Officer | null): Officer {
  if (!officer) throw new Problem('NOT_AN_OFFICER')
  return officer
}

/** Replies pass the contract on the way out, so a new column stays private until someone decides otherwise. */
function writeReply(endpoint: Endpoint, answer: unknown): string {
  return JSON.stringify(endpoint.reply ? z.parse(endpoint.reply, answer) : null)
}
