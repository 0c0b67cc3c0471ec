import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type HttpRequest = {
  method: string
  /** Without the query, still percent-encoded. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
  socket: Socket
}

export type HttpReply = {
  status: number
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** Returned by a handler whose connection is broken instead of answered. */
export type Dropped = { dropped: true }

type Handler = (request: HttpRequest) => HttpReply | Dropped | Promise<HttpReply | Dropped>

const LARGEST_BODY = 64 * 1024 * 1024
/** Longer than any client keeps an idle connection, so that the client always closes first. */
const KEEP_ALIVE_MS = 75_000

type HttpServer = { port: number; close(): Promise<void> }

/** Listens on the loopback address only; `port` 0 selects a free one. */
export async function serveHttp(port: number, handler: Handler): Promise<HttpServer> {
  const server = createServer((incoming, outgoing) => void respond(handler, incoming, outgoing))
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.headersTimeout = KEEP_ALIVE_MS + 1000
  await listen(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): HttpReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

export function page(status: number, body: string, headers: Record<string, string> = {}): HttpReply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
  }
}

export function seeOther(location: string): HttpReply {
  return { status: 303, headers: { location, 'cache-control': 'no-store' } }
}

export function isJson(request: HttpRequest): boolean {
  return (request.headers['content-type'] ?? '').startsWith('application/json')
}

/** The fields of a posted form or JSON object, as strings; an empty record for any other body. */
export function postedFields(request: HttpRequest): Record<string, string> {
  const text = request.body.toString('utf8')
  if (!isJson(request)) return Object.fromEntries(new URLSearchParams(text))
  try {
    const value = JSON.parse(text || '{}') as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(value ?? {}).map(([key, entry]) => [
        key,
        typeof entry === 'string' ? entry : JSON.stringify(entry ?? ''),
      ]),
    )
  } catch {
    return {}
  }
}

async function respond(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const body = await readBody(incoming)
    if (!body) return send(outgoing, incoming.method, { status: 413, headers: { connection: 'close' } })
    const [path, search] = splitOnce(incoming.url ?? '/', '?')
    const reply = await handler({
      method: incoming.method ?? 'GET',
      path,
      query: new URLSearchParams(search),
      headers: incoming.headers,
      body,
      socket: incoming.socket,
    })
    if ('dropped' in reply) return
    send(outgoing, incoming.method, reply)
  } catch (error) {
    if (outgoing.destroyed || incoming.destroyed) return
    process.stderr.write(`stand-ins: ${incoming.method} ${incoming.url}: ${String((error as Error).stack ?? error)}\n`)
    if (!outgoing.headersSent)
      send(outgoing, incoming.method, json(500, { error: { message: 'The stand-in failed.' } }))
  }
}

function send(
  outgoing: ServerResponse,
  method: string | undefined,
  { status, headers = {}, body = '' }: HttpReply,
): void {
  if (outgoing.destroyed) return
  const known = Object.keys(headers).some((name) => name.toLowerCase() === 'content-length')
  outgoing.writeHead(status, known ? headers : { ...headers, 'content-length': Buffer.byteLength(body) })
  outgoing.end(method === 'HEAD' ? undefined : body)
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}
