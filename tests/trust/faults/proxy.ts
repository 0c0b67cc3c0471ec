import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from './processes.ts'

export interface Forwarded {
  method: string
  path: string
  status: number
  body: string
}

/** Runs between the site and a stand-in and can change or break responses. */
export interface Proxy {
  url: string
  /** Called for each response; null leaves it unchanged. The request has already been processed. */
  change: ((response: Forwarded, headers: IncomingMessage['headers']) => { status: number; body: string } | null) | null
  /** The Date header of responses, if not the original one. */
  date: (() => Date) | null
  close(): Promise<void>
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const proxy: Proxy = { url: '', change: null, date: null, close: async () => {} }

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, sent: Buffer): void {
    const { method = 'GET', url = '/', headers } = incoming
    const onward = request({ host: hostname, port, method, path: url, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        const status = response.statusCode ?? 502
        const changed = proxy.change?.({ method, path: url, status, body }, headers) ?? { status, body }
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = response.headers
        outgoing.writeHead(changed.status, {
          ...kept,
          'content-length': Buffer.byteLength(changed.body),
          ...(proxy.date && { date: proxy.date().toUTCString() }),
        })
        outgoing.end(changed.body)
      })
    })
    onward.on('error', () => outgoing.destroy())
    onward.end(sent)
  }

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks)))
  })
  const listening = await freePort()
  await new Promise<void>((done) => server.listen(listening, '127.0.0.1', done))
  proxy.url = `http://localhost:${listening}`
  proxy.close = () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return proxy
}
