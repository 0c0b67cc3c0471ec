import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from '../http.ts'
import { freePort } from './processes.ts'

const LOOK_EVERY_MS = 200
const LOOK_WITHIN_MS = 1_000
const SAFE = new Set(['GET', 'HEAD'])

/**
 * Runs in front of several instances like nginx, HAProxy or a cloud load balancer: round robin, polls `/readyz` and skips instances that are not ready;
 * a request that could not be sent, or that is safe to repeat, goes to another instance.
 */
export interface RollingProxy {
  origin: string
  /** Requests that were retried on another instance, by reason. */
  retries: Map<string, number>
  isReady(origin: string): boolean
  close(): Promise<void>
}

export async function startRollingProxy(origins: readonly string[]): Promise<RollingProxy> {
  const ready = new Set(origins)
  const retries = new Map<string, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let turn = 0

  async function look(origin: string): Promise<void> {
    const response = await request(origin, { path: '/readyz', withinMs: LOOK_WITHIN_MS, agent: lookAgent }).catch(
      () => null,
    )
    if (response?.status === 200) ready.add(origin)
    else ready.delete(origin)
  }
  const lookAgent = new Agent({ keepAlive: false })
  const timer = setInterval(() => origins.forEach((origin) => void look(origin)), LOOK_EVERY_MS)

  function pick(tried: readonly string[]): string | null {
    const rest = origins.filter((origin) => !tried.includes(origin))
    const candidates = rest.filter((origin) => ready.has(origin))
    const from = candidates.length > 0 ? candidates : rest
    return from[turn++ % Math.max(1, from.length)] ?? null
  }

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, sent: Buffer, tried: readonly string[]): void {
    const origin = pick(tried)
    if (!origin) return void outgoing.writeHead(502).end('No instance answers\n')
    const { hostname, port } = new URL(origin)
    const { method = 'GET', url = '/', headers } = incoming
    const { connection: _ours, ...kept } = headers
    const onward = httpRequest({ host: hostname, port, method, path: url, headers: kept, agent }, (response) => {
      const { connection: _theirs, 'keep-alive': _patience, ...told } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, told)
      response.on('error', () => outgoing.destroy())
      response.pipe(outgoing)
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return void outgoing.destroy()
      const reason = error.code ?? error.message
      if (reason !== 'ECONNREFUSED' && !SAFE.has(method)) return void outgoing.writeHead(502).end(`${reason}\n`)
      retries.set(reason, (retries.get(reason) ?? 0) + 1)
      forward(incoming, outgoing, sent, [...tried, origin])
    })
    onward.end(sent)
  }

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks), []))
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    origin: `http://localhost:${port}`,
    retries,
    isReady: (origin) => ready.has(origin),
    async close() {
      clearInterval(timer)
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
      agent.destroy()
    },
  }
}
