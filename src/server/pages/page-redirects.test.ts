import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPageServer, type FindRedirect } from './page-server.ts'
import { plainTextResponse } from './static-files.ts'

const SITE = 'http://localhost:3000'

async function startSite(findRedirect: FindRedirect) {
  const pages = createPageServer({
    findRedirect,
    render: async (address) => ({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      frameworkHeaders: [],
      body: Buffer.from(address),
      rootData: null,
      servicesFailed: false,
      reads: null,
    }),
    siteUrl: SITE,
    contentVersion: () => 1,
    today: () => '2026-03-07',
    clock: { now: () => 0 },
    imageOrigins: [],
    maximumBytes: 10_000_000,
    renderTimeoutMs: 1_000,
    onError: vi.fn(),
    pages: [
      { metadata: { path: '/', indexed: true }, routeId: 'pages/home' },
      { metadata: { path: '/join', indexed: true, queryParameters: { level: 'present' } }, routeId: 'pages/join' },
    ],
    files: new Map([['/robots.txt', plainTextResponse(200, 'User-agent: *', SITE)]]),
  })
  const server = createServer((req, res) => {
    if (!pages.handle(req, res)) pages.sendNotFound(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (path: string, method = 'GET') => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual' })
    return [status, headers.get('location')]
  }
}

test('an old address leads to its page, a page of the site only by a query it does not read, and writes lead nowhere', async () => {
  const old: Record<string, string> = { '/2019/gala/': '/join', '/gala.jpg': '/join', '/?p=1': '/join' }
  const findRedirect = vi.fn((target: string) => old[target] ?? null)
  const get = await startSite(findRedirect)
  for (const path of Object.keys(old)) expect(await get(path)).toEqual([301, '/join'])
  expect(await get('/2019/gala/', 'HEAD')).toEqual([301, '/join'])
  expect(await get('/2019/gala/', 'POST')).toEqual([404, null])
  expect(await get('/?p=2')).toEqual([200, null])
  expect(findRedirect).toHaveBeenLastCalledWith('/?p=2', { hasQueryOnly: true })
  findRedirect.mockClear()
  for (const path of ['/', '/join', '/join?level=x', '/robots.txt']) expect(await get(path)).toEqual([200, null])
  expect(await get('/Join/')).toEqual([308, '/join'])
  expect(findRedirect).not.toHaveBeenCalled()
})
