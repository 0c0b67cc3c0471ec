import { endpoints } from '#contract/all-endpoints.ts'
import { request, sendBytes, statusesIn } from '#tests/trust/http.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { botToken, expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { snapshotOf } from '#tests/trust/faults/snapshot.ts'
import type { World } from '#tests/trust/site.ts'

/** What a form on another site can send without a preflight, and similar requests. */
const SIMPLE_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain; x=application/json',
  'application/json/x',
  'application/jsonp',
  'text/json',
  null,
]
const ORIGINS = [
  'https://evil.example',
  'null',
  'http://localhost',
  'https://association.example.org.evil.example',
  'https://sub.association.example.org',
  'http://association.example.org',
  'https://ASSOCIATION.example.org:8443',
  'file://',
]
const METHODS = [
  'TRACE',
  'TRACK',
  'CONNECT',
  'PROPFIND',
  'PATCH',
  'PUT',
  'DELETE',
  'OPTIONS',
  'LOCK',
  'PURGE',
  'DEBUG',
  'FOO',
]
const SECRET = 'value-of-a-header-that-stays-secret'
const SITE_URL = 'https://association.example.org'

export const row: TrustRow = {
  id: 'T39',
  promise: 'CSRF, CORS, methods',
  gate: false,
  target: 'POSTs with simple content types, 8 origins, TRACE and others: 0 effects, no ACAO echo',
  async run({ world: start, quick }) {
    const world = await start({ siteUrl: SITE_URL, pages: !quick })
    const faults = new Faults()
    const victim = await preparedVictim(world)
    const before = await stateOf(world)

    const posts = endpoints.filter(({ method }) => method === 'POST')
    const simple = await inParallel(
      posts.flatMap((endpoint) => SIMPLE_TYPES.map((type) => ({ endpoint, type }))),
      4,
      async ({ endpoint: { path, access }, type }) => {
        const { status } = await request(world.site.origin, {
          method: 'POST',
          path,
          headers: {
            origin: 'https://evil.example',
            cookie: victim.cookies,
            ...(type !== null && { 'content-type': type }),
          },
          body: JSON.stringify(await victim.body(path)),
        })
        const isRefused = [401, 415].includes(status) || (access === 'signed' && status === 400)
        faults.expect(isRefused, `${path} as ${type} answered ${status}`)
        return status
      },
    )
    faults.expect((await stateOf(world)) === before, 'a form on another site had an effect')

    const paths = [
      ...new Set(endpoints.map(({ path }) => path)),
      '/healthz',
      '/api/openapi.json',
      ...(quick ? [] : ['/', '/auth/login', '/become-a-member']),
    ]
    let echoes = 0
    const origins = await inParallel(
      ORIGINS.flatMap((origin) =>
        paths.flatMap((path) => ['OPTIONS', 'GET', 'POST'].map((method) => ({ origin, path, method }))),
      ),
      8,
      async ({ origin, path, method }) => {
        const { headers, status } = await request(world.site.origin, {
          method,
          path,
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization, content-type',
          },
        })
        const granted = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
        echoes += granted.length
        faults.expect(granted.length === 0, `${method} ${path} grants ${granted.join(', ')}`, origin)
        return status
      },
    )

    const methods = await inParallel(
      METHODS.flatMap((method) => paths.map((path) => ({ method, path }))),
      8,
      async ({ method, path }) => {
        const target = method === 'CONNECT' ? 'association.example.org:443' : path
        const { text } = await sendBytes(
          world.site.origin,
          [
            `${method} ${target} HTTP/1.1\r\nHost: association.example.org\r\nX-Secret: ${SECRET}\r\nConnection: close\r\n\r\n`,
          ],
          { quietMs: 500 },
        )
        const status = statusesIn(text)[0] ?? 0
        // 0: the connection was closed without a response, as Node does for CONNECT.
        const isRefused = status === 0 || (status >= 400 && status < 500) || status === 501
        faults.expect(isRefused, `${method} ${path} answered ${status}`)
        faults.expect(!text.includes(SECRET), `${method} ${path} echoes`)
        faults.expect(status !== 405 || /\r\nallow: /i.test(text), `${method} ${path}: 405 without Allow`)
        return status
      },
    )
    faults.expect((await stateOf(world)) === before, 'something changed')
    return {
      passed: faults.count === 0,
      reached: `${simple.length} simple POSTs (${tally(simple)}), ${origins.length} calls from ${ORIGINS.length} origins with ${echoes} access-control headers, ${methods.length} odd methods (${tally(methods)}); effects ${faults.countOf('a form on another site had an effect') + faults.countOf('something changed')}; faults: ${faults}`,
    }
  },
}

/** A browser with all of the site's cookies, and bodies that would be valid as JSON. */
async function preparedVictim(world: World) {
  const visitor = new Visitor(world)
  const person = newPerson({ levelKey: 'medical_student' })
  expectStatus(await visitor.register(person), 201, 'register')
  expectStatus(await visitor.verify(person.email), 200, 'verify-email')
  const other = newPerson({ levelKey: 'medical_student' })
  expectStatus(await new Visitor(world).register(other), 201, 'register')
  const link = await world.mailbox.link(other.email, '/email-verification')
  expectStatus(await visitor.logIn('annual@example.org', 'Peachtree-1987'), 200, 'login')
  await world.quiet()
  const cookies = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function body(path: string): Promise<object> {
    const token = (action: string) => botToken(world, action)
    if (path.endsWith('/register')) return { ...newPerson(), recaptchaToken: await token('registration') }
    if (path.endsWith('/verify-email')) return { token: link.searchParams.get('token') }
    if (path.endsWith('/resend-verification'))
      return { email: person.email, recaptchaToken: await token('resend_verification') }
    if (path.endsWith('/login'))
      return { identifier: 'life@example.org', password: 'Peachtree-1987', recaptchaToken: await token('login') }
    if (path.endsWith('/forgot-password'))
      return { email: 'life@example.org', recaptchaToken: await token('password_reset') }
    if (path.endsWith('/checkout/start')) return { levelKey: person.levelKey, email: person.email }
    return {}
  }
  return { cookies, body }
}

async function stateOf(world: World): Promise<string> {
  await world.quiet()
  const { db } = world.database
  const effects = await db
    .selectFrom('outbox')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return `${await snapshotOf(world)} ${effects.count}`
}
