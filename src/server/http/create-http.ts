import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { LogController, type FastifyInstance, type FastifyReply } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Config } from '../config/config.ts'
import { handleErrors } from './error-responses.ts'
import { Problem } from '#server/lib/problem.ts'
import { limitPipelining, CountedResponse, isParserPaused } from './pipelining/pipelining.ts'
import { declaresLargerBody, refuseLarge } from './bodies/unread-bodies.ts'

const BODY_LIMIT = 64 * 1024
// A webhook event about an invoice with many lines is larger than any form.
const RAW_BODY_LIMIT = 512 * 1024
const UPLOADS: readonly Endpoint[] = endpoints.filter(({ uploadBytes }) => uploadBytes !== undefined)
// Generous, so that over-long path parameters get the same response as any unknown address.
const MAX_PARAMETER_LENGTH = 8_000
const REQUEST_TIMEOUT_MS = 20_000
// 25 MB over an uplink of 2 Mbit/s.
const UPLOAD_TIMEOUT_MS = 120_000
const HEADERS_TIMEOUT_MS = 10_000
// Longer than the keep-alive timeout of proxies (60 s for nginx and most balancers): with Node's default of 5 s a proxy may reuse a connection that is just
// being closed.
const KEEP_ALIVE_TIMEOUT_MS = 75_000
const MAX_HEADER_SIZE = 16_384

/** Creates Fastify with one JSON parser, one error format, and an access log without query strings. */
export function createHttp(
  { trustProxy, logLevel }: Pick<Config, 'trustProxy' | 'logLevel'>,
  {
    headers,
    answerFirst: handleFirst,
    answerUnknown: handleNotFound,
    onAnswered: onResponse,
    logStream,
    isLeaving: isDraining = () => false,
  }: {
    /** Called before routing; returns true if it sent a response. */
    answerFirst?: (request: IncomingMessage, response: ServerResponse) => boolean
    /** Sends the 404 page; unknown addresses under /api get a JSON response. */
    answerUnknown?: (request: IncomingMessage, response: ServerResponse) => void
    /** Added to every response. */
    headers: readonly (readonly [string, string])[]
    /** Called for every response not sent by `handleFirst`; `route` is undefined for an unknown address. */
    onAnswered?: (route: string | undefined, status: number, ms: number) => void
    logStream?: { write(line: string): void }
    /** Once true, every response closes its connection, so that clients reconnect to another instance. */
    isLeaving?: () => boolean
  },
): FastifyInstance {
  const app = Fastify({
    logger: {
      level: logLevel,
      // No request data is logged by default: addresses and query strings are personal data.
      serializers: { req: () => undefined, res: () => undefined, err: describeError },
      ...(logStream && { stream: logStream }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toTrustOption(trustProxy),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // serve.ts validates against the contract: Fastify's own validator and serializer compilers are never loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: UPLOAD_TIMEOUT_MS,
    // Requests on open connections are still served while closing.
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
          const upload = findUploadEndpoint(request)
          const { uploadBytes = RAW_BODY_LIMIT, tooLarge } = upload ?? {}
          if (declaresLargerBody(request, uploadBytes)) return refuseLarge(response, headers, tooLarge)
          if (!upload && hasBody(request)) limitBodyTime(REQUEST_TIMEOUT_MS, request, headers)
          if (handleFirst?.(request, response)) return
          dropContentTypeWithoutBody(request)
          handler(request, response)
        },
      )
      limitPipelining(server)
      return server
    },
    // Replaces Fastify's own handler, which would respond as well.
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!isParserPaused(error, socket)) respondToClientError(error, socket, headers)
    },
    // For paths that cannot be decoded.
    frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => {
      // No hook has run yet.
      for (const [name, value] of headers) void reply.header(name, value)
      void reply
        .code(400)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(new Problem('BAD_JSON').toBody()))
    },
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance

  registerJsonParser(app)
  handleErrors(app, handleNotFound)
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) void reply.header(name, value)
    done()
  })
  // Checked as late as possible, so that responses in progress when the shutdown starts close their connection too.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining()) void reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Also closes connections whose response had started earlier: kept alive, they would delay the shutdown until `keepAliveTimeout`.
    if (isDraining()) request.raw.socket.destroySoon()
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
    // 404 pages are rendered and counted with the other pages.
    if (route !== undefined || !handleNotFound || request.url.startsWith('/api')) {
      onResponse?.(route, reply.statusCode, reply.elapsedTime)
    }
    done()
  })
  return app
}

/** Logs selected fields only: a database error's `detail` repeats the row, which may contain personal data. */
function describeError(error: Partial<NodeJS.ErrnoException> | null): object {
  return { type: error?.name, code: error?.code, message: error?.message, stack: error?.stack }
}

/**
 * Fastify 5.12 treats a numeric `trustProxy` as trusting no one, so the hop count is implemented as a function. It is safe only if the site cannot be reached
 * except through the proxies (docs/running.md).
 */
function toTrustOption(
  trustProxy: Config['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}

/** With `optimizeEmptyRequests`, a request without a body never emits `end`, so a body parser chosen by its content type would wait forever. */
function dropContentTypeWithoutBody(request: IncomingMessage): void {
  if (!hasBody(request)) delete request.headers['content-type']
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Node has a single request timeout, but uploads take longer than forms. */
function limitBodyTime(ms: number, request: IncomingMessage, headers: readonly (readonly [string, string])[]): void {
  const timer = setTimeout(() => {
    const timeoutError = Object.assign(new Error('Request body timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) respondToClientError(timeoutError, request.socket, headers)
  }, ms)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}

/** Registers the only body parser, for JSON; an empty body is `undefined`. */
function registerJsonParser(app: FastifyInstance): void {
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

/** Returns the upload endpoint of a request, if any: uploads may be larger than other bodies. */
function findUploadEndpoint({ method, url = '' }: IncomingMessage): Endpoint | undefined {
  return UPLOADS.find(
    (candidate) => candidate.method === method && url.startsWith(candidate.path.slice(0, candidate.path.indexOf(':'))),
  )
}

/** Leaves the body as a stream, so that the caller is authorized before the body is read (`Call.readUpload`). */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, stream, done) => done(null, stream))
}

/** Passes the raw body to the handler, whatever its type: only for endpoints whose signature covers the bytes. */
export function acceptRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: RAW_BODY_LIMIT }, (_request, bytes, done) =>
    done(null, bytes),
  )
}

const CODE_BY_ERROR: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'TOO_SLOW',
}

/** Requests that are invalid HTTP, too slow or too large never reach a handler; they get the same headers and error format as all others. */
function respondToClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: readonly (readonly [string, string])[],
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = new Problem(CODE_BY_ERROR[error.code ?? ''] ?? 'BAD_JSON')
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
  throw new Error('Routes have no Fastify schemas: the contract validates input and replies')
}
