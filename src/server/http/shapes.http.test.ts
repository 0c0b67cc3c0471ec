import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#contract/all-endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors } from '#contract/errors.ts'
import type { TestResponse } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })

const all = endpoints.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint])
const withBody = all.filter(([, { body }]) => body !== undefined)
const paths = [...new Set(endpoints.map(({ path }) => path))]
const methodsOf = (path: string) =>
  endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method as string)

function expectShape(response: TestResponse, code: keyof typeof errors): void {
  expect(response.status).toBe(errors[code].status)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.body).toMatchObject({ code })
  expect(typeof response.body.message).toBe('string')
  expect(JSON.stringify(response.body)).not.toMatch(/\\n\s+at |node_modules|FST_|SyntaxError|Unexpected token/)
}

/** Refuses these methods, with the allowed ones in Allow, and a method with a body. */
async function expectOtherMethodsRefused(path: string, methods: readonly string[]): Promise<void> {
  const allowed = methodsOf(path)
  const expected = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort()
  for (const method of methods) {
    if (allowed.includes(method)) continue
    const response = await app().browser().call(method, path)
    expectShape(response, 'METHOD_NOT_ALLOWED')
    expect((response.headers.get('allow') ?? '').split(', ').sort()).toEqual(expected)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
  const method = ['POST', 'PUT', 'PATCH'].find((one) => !allowed.includes(one)) ?? 'PATCH'
  expectShape(await app().browser().call(method, path, { any: 'thing' }), 'METHOD_NOT_ALLOWED')
}

test.each(paths)('%s: another method is refused with 405 and Allow, with and without a body', async (path) => {
  const other = ['DELETE', 'GET', 'POST', 'PUT', 'PATCH'].find((method) => !methodsOf(path).includes(method))
  await expectOtherMethodsRefused(path, [other ?? 'OPTIONS'])
})

/** One path for each set of methods. */
const differentPaths = new Map(paths.map((path) => [methodsOf(path).toSorted().join(' and '), path]))
test.each([...differentPaths])('where only %s are allowed: every other method is refused', async (_methods, path) => {
  await expectOtherMethodsRefused(path, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
})

function send({ method, path }: Endpoint, body: string, type = 'application/json'): Promise<TestResponse> {
  return app().browser().call(method, path, body, { 'content-type': type })
}

/** Member endpoints refuse valid bodies for lack of a bearer. */
async function expectRefusedOrEmpty(endpoint: Endpoint, body: string): Promise<void> {
  const response = await send(endpoint, body)
  if (response.status === 204) return
  expect([400, 401, 403, 404, 410], body.slice(0, 80)).toContain(response.status)
  expect(response.body).toMatchObject({ code: expect.any(String) as string, message: expect.any(String) as string })
}

test.each(withBody)('%s: a body that is no JSON object of its shape is refused', async (_name, endpoint) => {
  expectShape(await send(endpoint, '{'), 'BAD_JSON')
  expectShape(await send(endpoint, 'a=1', 'text/plain'), 'UNSUPPORTED_MEDIA_TYPE')
  for (const text of ['null', '[]', '"text"']) await expectRefusedOrEmpty(endpoint, text)
})

/** One endpoint for each access and method: these bodies meet the parser and the validator, which all endpoints share. */
const representative = [
  ...new Map(withBody.map((entry) => [`${entry[1].access} ${entry[1].method}`, entry] as const)).values(),
]
const FIELDS = [
  'email',
  'username',
  'password',
  'firstName',
  'lastName',
  'levelKey',
  'recaptchaToken',
  'token',
  'code',
  'identifier',
  'userId',
  'newPassword',
]

test.each(representative)('%s: what is almost JSON, or another type, is refused', async (_name, endpoint) => {
  for (const text of ['{"a":}', 'undefined', "{'a':1}", '{"a":1}{"b":2}', '\u0000', '{"a":"\n"}'])
    expectShape(await send(endpoint, text), 'BAD_JSON')
  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ])
    expectShape(await send(endpoint, 'a=1', type), 'UNSUPPORTED_MEDIA_TYPE')
  for (const text of ['42', 'true', '{"__proto__":{"isOfficer":true}}']) await expectRefusedOrEmpty(endpoint, text)
  expect(Object.prototype).not.toHaveProperty('isOfficer')
})

test.each(representative)('%s: large, deep and strange bodies are refused or ignored', async (_name, endpoint) => {
  expectShape(await send(endpoint, JSON.stringify({ padding: 'x'.repeat(65_536) })), 'TOO_LARGE')
  for (const text of [
    '[[[[[[]]]]]]',
    '{"constructor":{"prototype":{"x":1}}}',
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]))),
  ])
    await expectRefusedOrEmpty(endpoint, text)
  for (const value of [null, 7, true, [], {}, [['x']], { $ne: '' }, 'x'.repeat(4_500), '\u0000', '\ud800'])
    await expectRefusedOrEmpty(endpoint, JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, value]))))
})

describe('unknown addresses', () => {
  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/auth',
    '/api/auth/register/',
    '/api/auth/register/x',
    '/api/AUTH/login',
    '/api/auth%2Flogin',
    '/api/__proto__',
    '/api/auth/login;a=1',
  ])('%s: 404 in JSON, for every method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expectShape(await app().browser().call(method, path), 'NOT_FOUND')
  })

  test('a site without pages responds to other addresses in the same way', async () => {
    for (const path of ['/', '/about', '/etc/passwd']) expectShape(await app().browser().get(path), 'NOT_FOUND')
  })

  test('a path that cannot be decoded: 400', async () => {
    expectShape(await app().browser().get('/api/%E0%A4%A'), 'BAD_JSON')
  })
})

test('every response has the security headers', async () => {
  const visitor = app().browser()
  const responses = [
    await visitor.get('/api/membership-levels'),
    await visitor.get('/api/nothing'),
    await visitor.get('/api/auth/login'),
    await visitor.post('/api/auth/login', {}),
    await visitor.call('POST', '/api/auth/login', '{'),
    await visitor.get('/api/account/profile'),
    await visitor.get('/healthz'),
  ]
  for (const { headers } of responses) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('server')).toBe(false)
  }
})

test('a foreign Origin is never echoed', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example']) {
    const response = await app().browser().call('POST', '/api/auth/login', {}, { origin })
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

/** Sends raw bytes, as no well-behaved client would, and returns the response. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app().url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.setTimeout(5_000, () => socket.destroy())
  })
}

test.each([
  ['what is not HTTP', 'hello\r\n\r\n', '400'],
  ['headers of 20 kB', `GET /api/membership-levels HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  [
    'two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}',
    '400',
  ],
  [
    'a length and chunks',
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
  ],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', '400'],
])('%s is refused with the usual headers', async (_name, bytes, status) => {
  const response = await raw(bytes)
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})
