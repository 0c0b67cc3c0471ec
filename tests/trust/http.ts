import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Names and values alternating, as received. */
  rawHeaders: string[]
  text: string
  ms: number
  /** The body as JSON; null when it is none. */
  // Tests assert responses field by field; a precise type would only repeat the contract.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface Ask {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Times out after this long; 30 s by default. */
  withinMs?: number
  agent?: Agent
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 256, timeout: 60_000 })
const LONGEST_MS = 30_000

/** One request with Node's own client: only Host and Content-Length are added. Rejects when there is no response. */
export function request(
  origin: string,
  { method = 'GET', path, headers = {}, body, withinMs, agent }: Ask,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(origin)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: hostname,
        port,
        method,
        path,
        agent: agent ?? keepAlive,
        headers: { ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }), ...headers },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            rawHeaders: incoming.rawHeaders,
            text,
            ms: performance.now() - startedAt,
            body: asJson(text),
          })
        })
      },
    )
    outgoing.setTimeout(withinMs ?? LONGEST_MS, () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function postJson(origin: string, path: string, value: unknown, more: Partial<Ask> = {}): Promise<HttpResponse> {
  return request(origin, {
    method: 'POST',
    path,
    body: JSON.stringify(value),
    ...more,
    headers: { 'content-type': 'application/json', ...more.headers },
  })
}

/**
 * Writes bytes to a new socket and returns everything received until the other side closes or is silent for `quietMs`. A broken connection is part of
 * the result.
 */
export function sendBytes(
  origin: string,
  pieces: readonly (string | Buffer)[],
  { quietMs = 1_000, betweenMs = 0 }: { quietMs?: number; betweenMs?: number } = {},
): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    const done = (closed: boolean): void => {
      clearTimeout(quiet)
      socket.destroy()
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed })
    }
    let quiet = setTimeout(done, quietMs + pieces.length * betweenMs, false)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      clearTimeout(quiet)
      quiet = setTimeout(done, quietMs, false)
    })
    socket.on('error', () => done(true))
    socket.on('close', () => done(true))
    socket.on('connect', () => {
      void (async () => {
        for (const piece of pieces) {
          if (socket.destroyed) return
          socket.write(piece)
          if (betweenMs > 0) await new Promise((next) => setTimeout(next, betweenMs))
        }
      })()
    })
  })
}

/** The status of each HTTP response in the bytes of a socket. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
