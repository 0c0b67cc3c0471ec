import { createHash } from 'node:crypto'
import { createServer, request as onwardRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '../faults/processes.ts'
import type { Answers } from './tab.ts'

const TROUBLES_PATH = '/__troubles'

/**
 * Stands between the site and a browser that WebDriver drives. WebDriver cannot run a script before a page's own, and has no console: this adds a script
 * to every page, allowed by its hash, which reports errors here.
 */
export interface PreloadingProxy {
  origin: string
  /** Errors of all pages since it was last emptied, as they occurred. */
  troubles: string[]
  /** Text of more script for pages opened from now on. */
  preload: string
  /** Take the place of the site's from now on. */
  answers: Answers
  close(): Promise<void>
}

export async function startPreloadingProxy(siteUrl: string, interactiveEvent: string): Promise<PreloadingProxy> {
  const site = new URL(siteUrl)
  const port = await freePort()
  const proxy: PreloadingProxy = {
    origin: `http://localhost:${port}`,
    troubles: [],
    preload: '',
    answers: {},
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  const reporter = `(${reportTroubles.toString()})(${JSON.stringify(interactiveEvent)}, ${JSON.stringify(TROUBLES_PATH)})`

  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const sent = Buffer.concat(chunks)
      const answer = proxy.answers[incoming.url ?? '']
      if (answer) return give(outgoing, answer())
      if (incoming.url !== TROUBLES_PATH) return forward(incoming, outgoing, sent)
      proxy.troubles.push(sent.toString())
      outgoing.writeHead(204).end()
    })
  })

  function give(outgoing: ServerResponse, answer: ReturnType<Answers[string]>): void {
    if (!answer) outgoing.destroy()
    else outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  }

  function forward({ method, url: path, headers }: IncomingMessage, outgoing: ServerResponse, sent: Buffer): void {
    const { origin, referer } = headers
    const onward = onwardRequest({
      host: site.hostname,
      port: site.port,
      method,
      path,
      headers: {
        ...headers,
        host: site.host,
        ...(origin && { origin: origin.replace(proxy.origin, site.origin) }),
        ...(referer && { referer: referer.replace(proxy.origin, site.origin) }),
        'accept-encoding': 'identity',
      },
    })
    onward.on('response', (response) => {
      if (!response.headers['content-type']?.startsWith('text/html')) {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
        return
      }
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const script = `document.currentScript.remove();${proxy.preload};${reporter}`
        const hash = createHash('sha256').update(script).digest('base64')
        const policy = String(response.headers['content-security-policy'] ?? '')
        const { 'content-length': _length, 'transfer-encoding': _encoding, etag: _etag, ...kept } = response.headers
        const page = Buffer.concat(parts)
          .toString()
          .replace(/<head[^>]*>/, (head) => `${head}<script>${script}</script>`)
        outgoing.writeHead(response.statusCode ?? 502, {
          ...kept,
          'content-security-policy': policy.replace('script-src ', `script-src 'sha256-${hash}' `),
          'content-length': Buffer.byteLength(page),
        })
        outgoing.end(page)
      })
    })
    onward.on('error', () => outgoing.destroy())
    onward.end(sent)
  }

  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return proxy
}

/** Runs in the page, before its own scripts. */
function reportTroubles(interactive: string, path: string): void {
  addEventListener(interactive, () => (window.siteAliveAt = performance.now()))
  const report = (trouble: string) => navigator.sendBeacon(path, trouble)
  const textOf = (value: unknown) => (value instanceof Error ? `${value.message} ${value.stack ?? ''}` : String(value))
  const onError = (event: ErrorEvent | Event) => {
    if (event instanceof ErrorEvent) report(`uncaught: ${event.error ? textOf(event.error) : event.message}`)
    else if (event.target instanceof HTMLElement)
      report(`not loaded: ${event.target.getAttribute('src') ?? event.target.getAttribute('href') ?? ''}`)
  }
  addEventListener('error', onError, true)
  addEventListener('unhandledrejection', ({ reason }) => report(`uncaught rejection: ${textOf(reason)}`))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    report(`policy: ${violatedDirective} ${blockedURI} (${sourceFile})`),
  )
  for (const level of ['error', 'warn'] as const) {
    const original = console[level]
    console[level] = (...words: unknown[]) => {
      report(`console ${level}: ${words.map(textOf).join(' ')}`)
      original.apply(console, words)
    }
  }
}
