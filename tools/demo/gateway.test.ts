import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createGateway, type Gateway } from './gateway.ts'
import { clientAddress, destinationOf } from './destinations.rules.ts'

test.each([
  ['GET', '/', 'site'],
  ['GET', '/console/members?x=/control', 'site'],
  ['POST', '/api/demo/enter', 'site'],
  ['GET', '/mail', 'site'],
  ['POST', '/control', 'site'],
  ['POST', '/v1/customers', 'site'],
  ['GET', '/s3/bucket', 'site'],
  ['GET', '/npi/', 'site'],
  ['POST', '/recaptcha/api/siteverify', 'site'],
  ['GET', '/checkout/../control', 'site'],
  ['GET', '/checkout/%2e%2e/control', 'site'],
  ['GET', '/checkout/cs_test_1', 'standins'],
  ['POST', '/checkout/cs_test_1/code', 'standins'],
  ['POST', '/portal/bps_1/cancel', 'standins'],
  ['DELETE', '/portal/bps_1', 'site'],
  ['GET', '/recaptcha/token?action=login', 'standins'],
  ['GET', '/metrics', 'nowhere'],
  ['GET', '/%6detrics', 'nowhere'],
  ['GET', '//readyz', 'nowhere'],
  ['POST', '/api/stripe/webhook', 'nowhere'],
  ['POST', '/api/newsletter/bounces', 'nowhere'],
  ['GET', 'http://127.0.0.1/metrics', 'nowhere'],
  ['GET', '/robots.txt', 'robots'],
])('%s %s is for %s', (method, url, destination) => {
  expect(destinationOf(method, url)).toBe(destination)
})

test('the visitor is who the trusted proxies say, never what the visitor says', () => {
  expect(clientAddress('203.0.113.7', 0)).toBe('203.0.113.7')
  expect(clientAddress('1.1.1.1, 198.51.100.2, 127.0.0.1', 1)).toBe('198.51.100.2')
})

const open: (Server | Gateway)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await (one instanceof Object && 'use' in one ? one.close() : void one.close())
})

/** A gateway before a server that answers with what it got. */
async function gatewayBefore({ proxies = 0, bytes = 1_000 } = {}) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.setHeader('set-cookie', ['a=1', 'b=2']).end(Buffer.concat(chunks)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const gateway = createGateway({ siteUrl: 'http://localhost', proxies, bytes })
  const url = `http://127.0.0.1:${await gateway.listen(0, '127.0.0.1')}`
  open.push(gateway, server)
  return { gateway, url, seen, backend: { site: port, standins: port } }
}

test('visitors read that the demo is starting until it runs', async () => {
  const { gateway, url, backend } = await gatewayBefore()
  const page = await fetch(`${url}/events`)
  expect([page.status, page.headers.get('retry-after'), page.headers.get('x-robots-tag')]).toEqual([
    503,
    '5',
    'noindex',
  ])
  expect(await page.text()).toContain('This demo is resetting')
  expect(await (await fetch(`${url}/api/events`)).json()).toMatchObject({ code: 'UNAVAILABLE' })
  gateway.use(backend)
  expect((await fetch(`${url}/events`)).status).toBe(200)
  gateway.use({ site: 9, standins: 9 })
  expect((await fetch(`${url}/events`)).status).toBe(503)
})

test('it passes on bodies and cookies, keeps search engines out, and tells the site who asks', async () => {
  const { gateway, url, seen, backend } = await gatewayBefore()
  gateway.use(backend)
  const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil.example' }
  const response = await fetch(`${url}/api/contact`, { method: 'POST', body: 'hello', headers })
  expect(await response.text()).toBe('hello')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
  expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-host')
  expect((await fetch(`${url}/map`)).headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('behind a proxy, what that proxy says is kept', async () => {
  const { gateway, url, seen, backend } = await gatewayBefore({ proxies: 1 })
  gateway.use(backend)
  await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(seen[0]?.headers['x-forwarded-for']).toBe('203.0.113.7, 127.0.0.1')
})

test('no request is larger than a tenth of what the demo takes, and all of them together are no larger than that', async () => {
  const { gateway, url, backend } = await gatewayBefore({ bytes: 1_000 })
  gateway.use(backend)
  const post = async (size: number) => {
    const response = await fetch(`${url}/api/console/media/home/hero`, { method: 'POST', body: 'x'.repeat(size) })
    return [response.status, (await response.text()).length === size]
  }
  expect(await post(101)).toEqual([413, false])
  for (let sent = 101; sent + 90 <= 1_000; sent += 90) expect(await post(90)).toEqual([200, true])
  expect((await post(90))[0]).toBe(413)
  gateway.use(backend)
  expect(await post(90)).toEqual([200, true])
})
