import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { CLOSED_POLICY } from '#server/http/security-headers.ts'
import { createMemoryLimiter } from '#server/http/memory-limiter.ts'
import { Problem } from '#server/lib/problem.ts'
import { systemClock } from '#server/lib/clock.ts'
import { createResetPage } from '#server/pages/failure-page.ts'
import { sendResponse } from '#server/pages/send-response.ts'
import { clientAddress, destinationOf } from './destinations.rules.ts'

/** The ports of a running demo, on this machine. */
export interface Backend {
  site: number
  standins: number
}

interface GatewayOptions {
  siteUrl: string
  /** Reverse proxies in front of it. */
  proxies: number
  /** How much visitors may send until the demo starts afresh; with one request, at most a tenth of it. */
  bytes: number
}

export interface Gateway {
  listen(port: number, host: string): Promise<number>
  /** Sends visitors there from now on, and counts what they send from zero; null: they read that the demo is starting. */
  use(backend: Backend | null): void
  close(): Promise<void>
}

const STANDIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'self'; base-uri 'none'"
/** What concerns one connection only. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])
const TIMEOUT_MS = 130_000
const HEADERS_TIMEOUT_MS = 10_000
const MOST_CONNECTIONS = 1_000
const MOST_TO_BACKEND = 200

/** The only way into a demo from outside: passes on what visitors need of the site and the stand-ins, and nothing else. */
export function createGateway({ siteUrl, proxies, bytes }: GatewayOptions): Gateway {
  const resetPage = createResetPage(siteUrl)
  const limiter = createMemoryLimiter(systemClock, 1)
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_TO_BACKEND })
  let backend: Backend | null = null
  let received = 0

  function refuse(incoming: IncomingMessage, outgoing: ServerResponse, problem: Problem): void {
    outgoing
      .writeHead(problem.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': CLOSED_POLICY,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, nofollow',
        connection: 'close',
      })
      .end(JSON.stringify(problem.toBody()))
    incoming.resume()
  }

  function sayItStarts(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (outgoing.headersSent) return void outgoing.destroy()
    if (incoming.url?.startsWith('/api/')) return refuse(incoming, outgoing, new Problem('UNAVAILABLE'))
    sendResponse(incoming, outgoing, resetPage, true)
  }

  function passOn(incoming: IncomingMessage, outgoing: ServerResponse, to: 'site' | 'standins'): void {
    if (backend === null) return sayItStarts(incoming, outgoing)
    const { method = 'GET', url = '/', headers, socket } = incoming
    const remote = socket.remoteAddress ?? ''
    const chain =
      proxies > 0 && headers['x-forwarded-for'] ? `${String(headers['x-forwarded-for'])}, ${remote}` : remote
    try {
      if (to === 'standins') limiter.hit(clientAddress(chain, proxies))
    } catch (error) {
      return refuse(incoming, outgoing, error as Problem)
    }
    const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !name.startsWith('x-forwarded-'))
    const forwarded = ask({
      agent,
      host: '127.0.0.1',
      port: backend[to],
      method,
      path: url,
      headers: { ...Object.fromEntries(kept), 'x-forwarded-for': chain },
      timeout: TIMEOUT_MS,
    })
    forwarded.on('response', (answer) => {
      const lines: string[] = []
      for (let at = 0; at < answer.rawHeaders.length; at += 2) {
        const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2)
        if (!HOP_BY_HOP.has(name.toLowerCase())) lines.push(name, value)
      }
      lines.push('x-robots-tag', 'noindex, nofollow')
      if (to === 'standins') lines.push('content-security-policy', STANDIN_POLICY, 'x-content-type-options', 'nosniff')
      outgoing.writeHead(answer.statusCode ?? 502, lines)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => sayItStarts(incoming, outgoing))
    forwarded.on('timeout', () => forwarded.destroy())
    outgoing.on('close', () => forwarded.destroy())

    let own = 0
    incoming.on('data', (chunk: Buffer) => {
      own += chunk.length
      received += chunk.length
      if (own <= bytes / 10 && received <= bytes) return
      incoming.unpipe(forwarded)
      forwarded.removeAllListeners('error').on('error', () => {})
      forwarded.destroy()
      if (outgoing.headersSent) outgoing.destroy()
      else refuse(incoming, outgoing, new Problem('DEMO_IS_FULL'))
    })
    incoming.pipe(forwarded)
  }

  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: TIMEOUT_MS, maxHeaderSize: 16_384 },
    (incoming, outgoing) => {
      const destination = destinationOf(incoming.method ?? 'GET', incoming.url ?? '/')
      if (destination === 'nowhere') return refuse(incoming, outgoing, new Problem('NOT_FOUND'))
      if (destination === 'robots') {
        return void outgoing
          .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'x-robots-tag': 'noindex, nofollow' })
          .end('User-agent: *\nDisallow: /\n')
      }
      passOn(incoming, outgoing, destination)
    },
  )
  server.maxConnections = MOST_CONNECTIONS

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve((server.address() as { port: number }).port))
      }),
    use(next) {
      backend = next
      received = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}
