import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { LogController, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Config } from '../config/config.ts'
import { handleErrors } from './error-responses.ts'
import { Problem } from '../platform/problem.ts'
import { boundPipelining, CountedResponse, isHeldBack } from './pipelining.ts'
import { announcesMoreThan, refuseLarge } from './unread-bodies.ts'

const BODY_LIMIT = 64 * 1024
// A notice about an invoice with many lines is larger than anything a form sends.
const RAW_BODY_LIMIT = 512 * 1024
const UPLOADS: readonly Endpoint[] = endpoints.filter(({ uploadBytes }) => uploadBytes !== undefined)
// Of a path: a folder that nobody could have named is answered as any other unknown folder.
const MAX_PARAMETER_LENGTH = 8_000
const REQUEST_TIMEOUT_MS = 20_000
// 25 MB over an uplink of 2 Mbit/s.
const UPLOAD_TIMEOUT_MS = 120_000
const HEADERS_TIMEOUT_MS = 10_000
// Longer than proxies keep theirs (nginx and most balancers 60 s): with Node's 5 s a call is now and then sent on a connection just being closed.
const KEEP_ALIVE_TIMEOUT_MS = 75_000
const MAX_HEADER_SIZE = 16_384

/** Fastify as this product uses it: one JSON parser, one error shape, an access log without query strings. */
export function createHttp(
  { trustProxy, logLevel }: Pick<Config, 'trustProxy' | 'logLevel'>,
  {
    headers,
    answerFirst,
    answerUnknown,
    onAnswered,
    logStream,
    isLeaving = () => false,
  }: {
    /** Asked before any routing; true when it answers. */
    answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean
    /** Answers a page nobody knows; addresses under /api are answered as the API answers. */
    answerUnknown?: (request: IncomingMessage, response: ServerResponse) => void
    /** Put on every answer. */
    headers: readonly (readonly [string, string])[]
    /** Told of everything that `answerFirst` left; `route` is undefined for an address nobody knows. */
    onAnswered?: (route: string | undefined, status: number, ms: number) => void
    logStream?: { write(line: string): void }
    /** Once true, every answer ends its connection, so that whoever keeps it open goes elsewhere. */
    isLeaving?: () => boolean
  },
): FastifyInstance {
  const app = Fastify({
    logger: {
      level: logLevel,
      // Nothing of a request is logged by itself: addresses and query strings are personal.
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
      ...(logStream && { stream: logStream }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustOf(trustProxy),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // The contract is checked in serve.ts: Fastify's own checks, and what writes answers by their schema, are never loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // What still arrives on an open connection is answered.
    return503OnClosing: false,
    serverFactory: (handler: (request: IncomingMessage, response: ServerResponse) => void) => {
      const server = createServer(
        {
          headersTimeout: HEADERS_TIMEOUT_MS,
          requestTimeout: UPLOAD_TIMEOUT_MS,
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
          maxHeaderSize: MAX_HEADER_SIZE,
          optimizeEmptyRequests: true,
          ServerResponse: CountedResponse,
        },
        (request, response) => {
          const upload = uploadOf(request)
          const { uploadBytes = RAW_BODY_LIMIT, tooLarge } = upload ?? {}
          if (announcesMoreThan(request, uploadBytes)) return refuseLarge(response, headers, tooLarge)
          if (!upload && hasBody(request)) expectBodyWithin(REQUEST_TIMEOUT_MS, request, headers)
          if (answerFirst?.(request, response)) return
          forgetTypeOfNothing(request)
          handler(request, response)
        },
      )
      boundPipelining(server)
      return server
    },
    // In place of Fastify's own, which would answer as well.
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!isHeldBack(error, socket)) refuseUnreadable(error, socket, headers)
    },
    // A path that cannot be decoded.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => {
      // No hook has run yet.
      for (const [name, value] of headers) void reply.header(name, value)
      void reply
        .code(400)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(new Problem('BAD_JSON').toBody()))
    },
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance

  parseBodies(app)
  handleErrors(app, answerUnknown)
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) void reply.header(name, value)
    done()
  })
  // As late as can be: what was under way when the instance was asked to stop ends its connection too.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isLeaving()) void reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Also the connection of an answer that had begun by then: kept, it would hold up the stop until it is idle for `keepAliveTimeout`.
    if (isLeaving()) request.raw.socket.destroySoon()
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
    const { url: route } = request.routeOptions
    // A page that nobody knows is answered, and counted, with the pages.
    if (route !== undefined || !answerUnknown || request.url.startsWith('/api')) {
      onAnswered?.(route, reply.statusCode, reply.elapsedTime)
    }
    done()
  })
  return app
}

/** What a log keeps of a fault: a database's own `detail` would repeat the row, and with it a person. */
function describeError(error: Partial<NodeJS.ErrnoException> | null): object {
  return { type: error?.name, code: error?.code, message: error?.message, stack: error?.stack }
}

/**
 * Fastify 5.12 takes a plain number of hops for "trust nobody", so the count is a function here. It holds only where nobody can reach the site
 * past the proxies (docs/running.md).
 */
function trustOf(trustProxy: Config['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}

/** A request without a body has, with `optimizeEmptyRequests`, no end either: whatever type it claims, nobody may wait for one. */
function forgetTypeOfNothing(request: IncomingMessage): void {
  if (!hasBody(request)) delete request.headers['content-type']
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Node has one time for all requests, and a file takes longer than what a form sends. */
function expectBodyWithin(ms: number, request: IncomingMessage, headers: readonly (readonly [string, string])[]): void {
  const timer = setTimeout(() => {
    const tooSlow = Object.assign(new Error('The body takes too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) refuseUnreadable(tooSlow, request.socket, headers)
  }, ms)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}

/** One JSON parser; a call without a body has `undefined`. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text: string, done) => {
    if (text.trim() === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text))
    } catch {
      done(new Problem('BAD_JSON'))
    }
  })
}

/** Where a request may announce more than a form sends: the endpoint that takes its file. */
function uploadOf({ method, url = '' }: IncomingMessage): Endpoint | undefined {
  return UPLOADS.find((one) => one.method === method && url.startsWith(one.path.slice(0, one.path.indexOf(':'))))
}

/** Leaves bodies unread: whoever may send one is found out first, and reads it (`Call.readUpload`). */
export function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, stream, done) => done(null, stream))
}

/** Hands the body to the handler as it came, whatever its type: only for addresses whose signature covers the bytes. */
export function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: RAW_BODY_LIMIT }, (_request, bytes, done) =>
    done(null, bytes),
  )
}

const UNREADABLE: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'TOO_SLOW',
}

/** Requests that are not HTTP, too slow or too large never reach a handler; they get the same headers and shape as the rest. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: readonly (readonly [string, string])[],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = new Problem(UNREADABLE[error.code ?? ''] ?? 'BAD_JSON')
  const body = JSON.stringify(problem.toBody())
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function noSchemas(): never {
  throw new Error('Routes have no Fastify schemas: their input and answers are those of the contract')
}
