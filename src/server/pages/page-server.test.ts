import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPageServer, type PageServerOptions } from './page-server.ts'
import { plainTextResponse } from './static-files.ts'

const SITE = 'http://localhost:3000'

async function startSite(over: Partial<PageServerOptions> = {}) {
  const render = vi.fn(async (address: string) => ({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    frameworkHeaders: [],
    body: Buffer.from(`<!doctype html><h1>${address}</h1>${'<p>One house, many rooms.</p>'.repeat(100)}`),
    rootData: null,
    servicesFailed: false,
    reads: null,
  }))
  const onAnswered = vi.fn()
  const pages = createPageServer({
    render,
    siteUrl: SITE,
    contentVersion: () => 1,
    today: () => '2026-03-07',
    clock: { now: () => 0 },
    imageOrigins: [],
    maximumBytes: 10_000_000,
    renderTimeoutMs: 1_000,
    onError: vi.fn(),
    onCompleted: onAnswered,
    pages: [
      { metadata: { path: '/', indexed: true }, routeId: 'pages/home' },
      { metadata: { path: '/join', indexed: true }, routeId: 'pages/join' },
    ],
    files: new Map([['/robots.txt', plainTextResponse(200, 'User-agent: *', SITE)]]),
    ...over,
  })
  const server = createServer({ optimizeEmptyRequests: true }, (req, res) => {
    if (req.url?.startsWith('/api/')) res.end('api')
    else if (!pages.handle(req, res)) pages.sendNotFound(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  async function get(
    path: string,
    { method = 'GET', headers = {} }: { method?: string; headers?: IncomingHttpHeaders } = {},
  ) {
    const sent = request({ port, host: '127.0.0.1', path, method, headers }).end()
    const [res] = await once(sent, 'response')
    return { status: res.statusCode as number, headers: res.headers as IncomingHttpHeaders, body: await buffer(res) }
  }

  /** Sends raw bytes and reads until the last response is complete. */
  async function raw(bytes: string, isComplete: (text: string) => boolean): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(bytes)
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (isComplete(text)) break
    }
    return text
  }

  return { pages, server, port, get, raw, render, onAnswered }
}

/** Waits until the page is cached in all encodings. */
async function warm({ get }: Awaited<ReturnType<typeof startSite>>, path = '/') {
  await vi.waitFor(async () => {
    const { headers } = await get(path, { headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
  })
}

test('sends a page in the preferred encoding, with its length and a date', async () => {
  const site = await startSite()
  await warm(site)
  const plain = await site.get('/')
  const zipped = await site.get('/', { headers: { 'accept-encoding': 'gzip, br;q=0' } })
  const small = await site.get('/', { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
  expect(plain.body.toString()).toContain('<h1>/</h1>')
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
  expect(brotliDecompressSync(small.body).equals(plain.body)).toBe(true)
  for (const { headers, body } of [plain, zipped, small]) {
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(body.length),
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    })
    expect(Math.abs(Date.parse(headers.date ?? '') - Date.now())).toBeLessThan(5_000)
  }
  expect(new Set([plain, zipped, small].map(({ headers }) => headers.etag)).size).toBe(3)
  expect(site.render).toHaveBeenCalledTimes(1)
})

test('returns 304 for a cached copy in any encoding', async () => {
  const site = await startSite()
  await warm(site)
  const { headers } = await site.get('/', { headers: { 'accept-encoding': 'gzip' } })
  for (const known of [headers.etag ?? '', `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
    const answer = await site.get('/', { headers: { 'if-none-match': known, 'accept-encoding': 'br' } })
    expect([answer.status, answer.body.length]).toEqual([304, 0])
    expect(answer.headers['content-security-policy']).toBe(headers['content-security-policy'])
    expect(answer.headers['cache-control']).toBe('no-cache')
  }
  expect((await site.get('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('HEAD has the headers of GET without a body', async () => {
  const { get } = await startSite()
  const { headers: full } = await get('/')
  const head = await get('/', { method: 'HEAD' })
  expect([head.status, head.body.length]).toEqual([200, 0])
  for (const name of ['content-length', 'etag', 'content-type', 'content-security-policy']) {
    expect(head.headers[name]).toBe(full[name])
  }
})

test('unknown URLs return 404, rendered once for all', async () => {
  const { get, render } = await startSite()
  const [first, second] = [await get('/nowhere'), await get('/nowhere/else?x=1')]
  expect([first.status, second.status]).toEqual([404, 404])
  expect(first.headers['x-robots-tag']).toBe('noindex')
  expect(render).toHaveBeenCalledTimes(1)
})

test.each(['GET', 'HEAD'])('%s of an unknown URL with a dot returns the 404 page', async (method) => {
  const { get, render } = await startSite()
  for (const path of [
    '/about.html',
    '/old/page.htm',
    '/index.php',
    '/default.aspx?id=1',
    '/dues.pdf',
    '/dr.rao',
    '/.',
  ]) {
    const { status, headers, body } = await get(path, { method })
    expect([status, headers['content-type'], headers['x-robots-tag']], path).toEqual([
      404,
      'text/html; charset=utf-8',
      'noindex',
    ])
    expect(body.includes('<h1>/*</h1>'), path).toBe(method === 'GET')
  }
  expect(render).toHaveBeenCalledTimes(1)
})

test('a missing image or script returns 404 as plain text', async () => {
  const { get, render } = await startSite()
  for (const path of ['/assets/gone-abc123.js', '/assets/gone.html', '/x.png', '/pictures/team.JPG', '/feed.xml']) {
    const answer = await get(path)
    expect([answer.status, answer.body.toString()]).toEqual([404, 'Not found\n'])
    expect([(await get(path, { method: 'HEAD' })).status, render.mock.calls.length]).toEqual([404, 0])
  }
})

test('a calendar is generated once per content version, and the day is not checked on every request', async () => {
  const today = vi.fn(() => '2026-03-07')
  const findDocument = vi.fn((path: string) =>
    path === '/events.ics' ? { contentType: 'text/calendar; charset=utf-8', text: 'BEGIN:VCALENDAR' } : null,
  )
  let version = 1
  const site = await startSite({ today, findDocument, contentVersion: () => version })
  for (let turn = 0; turn < 20; turn++) {
    expect((await site.get('/events.ics')).status).toBe(200)
    await site.get('/no-such-file.png')
  }
  expect(findDocument.mock.calls.filter(([path]) => path === '/events.ics')).toHaveLength(1)
  // Once per second.
  expect(today.mock.calls.length).toBeLessThan(10)
  version = 2
  await site.get('/events.ics')
  expect(findDocument.mock.calls.filter(([path]) => path === '/events.ics')).toHaveLength(2)
})

test('redirects a variant spelling to the canonical URL and keeps the query', async () => {
  const { get } = await startSite()
  const answer = await get('/JOIN/?level=life')
  expect([answer.status, answer.headers.location]).toEqual([308, '/join?level=life'])
})

test('pages allow only GET and HEAD', async () => {
  const { get } = await startSite()
  for (const path of ['/', '/join', '/robots.txt']) {
    const answer = await get(path, { method: 'POST' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

test('sends a self-contained error page with Retry-After if nothing else works', async () => {
  const { get } = await startSite({ render: () => Promise.reject(new Error('the database is gone')) })
  const answer = await get('/')
  expect([answer.status, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([
    503,
    '10',
    'no-store',
  ])
  expect(answer.body.toString()).toContain('We’ll be right back')
})

test('every response has the same security headers', async () => {
  const { get } = await startSite()
  const answers = await Promise.all(['/', '/nowhere', '/x.js', '/robots.txt', '/JOIN'].map((path) => get(path)))
  answers.push(await get('/', { method: 'POST' }))
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})

test('each response is reported to the access log once, without the query', async () => {
  const { get, onAnswered } = await startSite()
  await get('/join?email=someone@example.org')
  await get('/join')
  expect(onAnswered.mock.calls.map(([{ method, path, status }]) => [method, path, status])).toEqual([
    ['GET', '/join', 200],
    ['GET', '/join', 200],
  ])
})

const countOf = (text: string, part: string) => text.split(part).length - 1

test('one connection serves page requests and other requests in turn', async () => {
  const site = await startSite()
  await warm(site)
  const socket = connect(site.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const statuses: string[] = []
  for (const target of ['/', '/join', '/api/x', '/', '/nowhere', '/']) {
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [chunk] = await once(socket, 'data')
    statuses.push(String(chunk).slice(0, 12))
    await vi.waitFor(() => expect(socket.readableLength).toBe(0))
  }
  expect(statuses).toEqual(['200', '200', '200', '200', '404', '200'].map((status) => `HTTP/1.1 ${status}`))
})

test('pipelined requests are answered in order', async () => {
  const site = await startSite()
  await warm(site)
  const targets = ['/', '/join', '/robots.txt', '/api/x', '/', '/join']
  const text = await site.raw(
    targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''),
    (read) => countOf(read, 'HTTP/1.1 200') === targets.length && countOf(read, '<h1>/join</h1>') === 2,
  )
  const order = [...text.matchAll(/<h1>([^<]*)<\/h1>|User-agent|\r\n\r\napi/g)].map(
    ([found, heading]) => heading ?? found,
  )
  expect(order).toEqual(['/', '/join', 'User-agent', '\r\n\r\napi', '/', '/join'])
})

test('closes the connection if the browser or the protocol requires it', async () => {
  const site = await startSite()
  await warm(site)
  const closed = await site.raw('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', () => false)
  const old = await site.raw('GET / HTTP/1.0\r\n\r\n', () => false)
  for (const text of [closed, old]) {
    expect(text).toMatch(/connection: close/i)
    expect(text).toMatch(/<\/p>$/)
  }
})

test('a slow reader holds back further responses', async () => {
  const body = Buffer.alloc(1_000_000, 'x')
  const site = await startSite({
    render: async () => ({
      status: 200,
      contentType: 'text/html',
      frameworkHeaders: [],
      body,
      rootData: null,
      servicesFailed: false,
      reads: null,
    }),
  })
  await site.get('/')
  const socket = connect(site.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  const accepted = await new Promise<number>((done) => {
    let largest = 0
    site.server.on('request', (_req, res) => {
      largest = Math.max(largest, res.socket?.writableLength ?? 0)
    })
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200), () => setTimeout(() => done(largest), 300))
  })
  expect(accepted).toBeLessThan(30 * body.length)
  let received = 0
  for await (const chunk of socket) {
    received += (chunk as Buffer).length
    if (received > 200 * body.length) break
  }
  expect(received).toBeGreaterThan(200 * body.length)
})

test('while draining, every response closes its connection', async () => {
  const site = await startSite()
  await warm(site)
  site.pages.stop()
  expect((await site.get('/')).headers.connection).toBe('close')
  expect((await site.get('/', { headers: { 'if-none-match': '*' } })).headers.connection).toBe('close')
})
