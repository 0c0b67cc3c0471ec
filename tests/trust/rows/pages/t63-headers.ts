import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request, type HttpResponse } from '#tests/trust/http.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { observatoryScore, policyFindings } from '#tests/trust/attacks/header-rules.ts'
import { botToken, newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World, WorldOptions } from '#tests/trust/site.ts'
import { buildSite } from '#tools/build.ts'

const A_PLUS = 130
const SITE_URL = 'https://association.example.org'
const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** On every response, with any status. */
const EVERYWHERE = [
  'x-content-type-options',
  'x-frame-options',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'strict-transport-security',
]

/** As in production: the real third parties' URLs. */
const THIRD_PARTIES = {
  RECAPTCHA_URL: 'https://www.google.com/recaptcha',
  RECAPTCHA_SITE_KEY: 'site-key',
  RECAPTCHA_SECRET_KEY: 'secret-key',
  MAP_EMBED_URL: 'https://www.openstreetmap.org/export/embed.html',
}

interface Seen {
  name: string
  expected: number[]
  answer: HttpResponse
}

export const row: TrustRow = {
  id: 'T63',
  promise: 'Headers',
  gate: true,
  target:
    'header snapshot over 200/304/308/404/405/413/415/429/500 of pages and API: score >= 130 (A+), 0 high or medium policy findings, the same on 404/413/500',
  async run({ world: start }) {
    const world = await start({
      siteUrl: SITE_URL,
      pages: true,
      rateLimits: 'on',
      environment: THIRD_PARTIES,
    })
    const faults = new Faults()
    const seen = [
      ...(await broken(world)),
      ...(await brokenPage(start)),
      ...(await pages(world)),
      ...(await api(world)),
      ...(await others(world)),
    ]
    for (const { name, expected, answer: response } of seen) {
      faults.expect(expected.includes(response.status), `${name} answered ${response.status}`, response.text)
      requireHeaders(name, response, faults)
    }

    const words = seen.filter(({ answer: response }) => !isDrawing(response))
    const values = new Map(
      EVERYWHERE.map((header) => [
        header,
        new Set(words.map(({ answer: response }) => String(response.headers[header]))),
      ]),
    )
    for (const [header, found] of values) faults.expect(found.size === 1, `${header} differs`, [...found].join(' <> '))
    // Newsletters are read on other sites, and their own page has no origin: only pictures may be loaded there.
    for (const { name, answer: reply } of seen.filter((one) => isDrawing(one.answer))) {
      const policy = String(reply.headers['cross-origin-resource-policy'])
      faults.expect(reply.status >= 400 || policy === 'cross-origin', `${name}: a picture for this site alone`, policy)
    }
    const shown = seen.filter(({ answer: response }) => isPage(response))
    const findings = shown.flatMap(({ name, answer: response }) =>
      policyFindings(String(response.headers['content-security-policy'])).map((finding) => `${name}: ${finding}`),
    )
    for (const finding of findings) faults.add('policy finding', finding)
    const scores = shown.map(({ answer: response }) => observatoryScore(response.headers, []))
    const lowest = Math.min(...scores)
    faults.expect(lowest >= A_PLUS, 'score', String(lowest))
    const cookies = await cookiesOf(start)
    for (const cookie of cookies) {
      const isFine = /; Secure/.test(cookie) && /; HttpOnly/.test(cookie) && /; SameSite=Lax/.test(cookie)
      faults.expect(isFine, 'cookie', cookie.replace(/=[^;]+/, '=…'))
    }
    return {
      passed: faults.count === 0,
      reached:
        `${seen.length} answers (${tally(seen.map(({ answer: response }) => response.status))}): ${EVERYWHERE.length} headers the same on all; lowest score of ${shown.length} pages ${lowest}, ` +
        `${findings.length} policy findings, ${cookies.length} cookies; faults: ${faults}`,
      notes: "Findings by csp_evaluator; the score by the published table of MDN's HTTP Observatory",
    }
  },
}

function isPage({ headers }: HttpResponse): boolean {
  return String(headers['content-type']).startsWith('text/html')
}

function isDrawing({ headers }: HttpResponse): boolean {
  return String(headers['content-type']).startsWith('image/svg')
}

function requireHeaders(name: string, { status, headers, rawHeaders }: HttpResponse, faults: Faults): void {
  for (const header of EVERYWHERE) faults.expect(headers[header] !== undefined, `${name} (${status}) without ${header}`)
  const policy = String(headers['content-security-policy'] ?? '')
  // A picture may use its own styles, and nothing else.
  const isPicture = isDrawing({ headers } as HttpResponse)
  const isClosed = policy === CLOSED || (isPicture && policy === `${CLOSED}; style-src 'unsafe-inline'`)
  if (!isPage({ headers } as HttpResponse) && status !== 304)
    faults.expect(isClosed, `${name} (${status}): policy`, policy)
  faults.expect(policy !== '', `${name} (${status}) without content-security-policy`)
  const referrer = String(headers['referrer-policy'])
  faults.expect(
    ['no-referrer', 'strict-origin-when-cross-origin'].includes(referrer),
    `${name}: referrer-policy`,
    referrer,
  )
  for (const telling of ['server', 'x-powered-by', 'via'])
    faults.expect(headers[telling] === undefined, `${name} tells ${telling}`)
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((header) => header.toLowerCase())
  const twice = names.filter((header, at) => header !== 'set-cookie' && names.indexOf(header) !== at)
  faults.expect(twice.length === 0, `${name} (${status}): header twice`, twice.join(', '))
}

async function ofSite(
  world: World,
  name: string,
  expected: number[],
  asked: Parameters<typeof request>[1],
): Promise<Seen> {
  return { name, expected, answer: await request(world.site.origin, asked) }
}

async function pages(world: World): Promise<Seen[]> {
  const paths = [
    '/',
    '/become-a-member',
    '/auth/login',
    '/auth/account',
    '/reset-password',
    '/email-verification',
    '/stripe/success?free=1',
    '/stripe/cancel',
    '/privacy-policy',
    '/terms-conditions',
  ]
  const shown = await inParallel(paths, 4, (path) => ofSite(world, `page ${path}`, [200], { path }))
  const tag = String(shown[0]?.answer.headers['etag'])
  const secret = await ofSite(world, 'page with a token', [200], { path: '/reset-password?token=x&userId=y' })
  return [
    ...shown,
    secret,
    await ofSite(world, 'page again', [304], { path: '/', headers: { 'if-none-match': tag } }),
    await ofSite(world, 'page moved', [308], { path: '/Auth/Login/' }),
    await ofSite(world, 'unknown page', [404], { path: '/no-such-page' }),
    await ofSite(world, 'unknown file', [404], { path: '/no-such-file.png' }),
    await ofSite(world, 'unknown asset', [404], { path: '/assets/none-abcdef.js' }),
    await ofSite(world, 'page posted to', [405], { method: 'POST', path: '/', body: 'x' }),
    await ofSite(world, 'page, large body', [413], { method: 'POST', path: '/', body: Buffer.alloc(1_048_576) }),
    await ofSite(world, 'page, long header', [431], { path: '/', headers: { 'x-long': 'x'.repeat(20_000) } }),
    await ofSite(world, 'page, undecodable', [400, 404], { path: '/%E0%A4%A' }),
    await ofSite(world, 'icon', [200], { path: '/favicon.svg' }),
  ]
}

async function api(world: World): Promise<Seen[]> {
  const json = { 'content-type': 'application/json' }
  const login = '/api/auth/login'
  const forgot = {
    method: 'POST',
    path: '/api/email/forgot-password',
    headers: { ...json, 'x-forwarded-for': '192.0.2.200' },
    body: '{}',
  }
  for (let time = 0; time < 21; time++) await request(world.site.origin, forgot)
  return [
    await ofSite(world, 'levels', [200], { path: '/api/membership-levels' }),
    await ofSite(world, 'no bearer', [401], { path: '/api/account/profile' }),
    await ofSite(world, 'bad input', [400], { method: 'POST', path: login, headers: json, body: '{}' }),
    await ofSite(world, 'bad JSON', [400], { method: 'POST', path: login, headers: json, body: '{' }),
    await ofSite(world, 'no proof', [403], {
      method: 'POST',
      path: '/api/stripe/checkout/start',
      headers: json,
      body: '{"levelKey":"life_member","email":"a@example.com"}',
    }),
    await ofSite(world, 'unknown call', [404], { path: '/api/no-such-call' }),
    await ofSite(world, 'other method', [405], { method: 'PUT', path: login, headers: json, body: '{}' }),
    await ofSite(world, 'large body', [413], {
      method: 'POST',
      path: login,
      headers: json,
      body: Buffer.alloc(80_000, 'x'),
    }),
    await ofSite(world, 'very large body', [413], {
      method: 'POST',
      path: login,
      headers: json,
      body: Buffer.alloc(2_000_000, 'x'),
    }),
    await ofSite(world, 'other type', [415], {
      method: 'POST',
      path: login,
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    }),
    await ofSite(world, 'too often', [429], forgot),
    await ofSite(world, 'long header', [431], {
      path: '/api/membership-levels',
      headers: { 'x-long': 'x'.repeat(20_000) },
    }),
    await ofSite(world, 'forged notice', [400], {
      method: 'POST',
      path: '/api/stripe/webhook',
      headers: json,
      body: '{}',
    }),
  ]
}

async function others(world: World): Promise<Seen[]> {
  return inParallel(['/healthz', '/readyz', '/api/openapi.json', '/robots.txt', '/sitemap.xml'], 2, (path) =>
    ofSite(world, path, path === '/readyz' ? [200, 503] : [200], { path }),
  )
}

/** A table is missing for a moment, before anything was cached: the response is our own failure. */
async function broken(world: World): Promise<Seen[]> {
  const { db } = world.database
  await db.schema.alterTable('membershipLevel').renameTo('membership_level_away').execute()
  try {
    return [await ofSite(world, 'call that fails', [500], { path: '/api/membership-levels' })]
  } finally {
    await db.schema.alterTable('membership_level_away').renameTo('membershipLevel').execute()
  }
}

/** The built site with one page whose code throws, like a bug of ours. */
async function brokenPage(start: (options: WorldOptions) => Promise<World>): Promise<Seen[]> {
  const { directory } = await buildSite({ log: () => {} })
  // Next to the build, so that it resolves its libraries.
  const copy = `${directory}-broken-${process.pid}`
  cpSync(directory, copy, { recursive: true })
  renameSync(join(copy, 'server', 'index.js'), join(copy, 'server', 'sound.js'))
  writeFileSync(join(copy, 'server', 'index.js'), BROKEN_ENTRY)
  try {
    const world = await start({ siteUrl: SITE_URL, environment: { ...THIRD_PARTIES, BUILD_DIR: copy } })
    return [
      await ofSite(world, 'page that throws while it renders', [500, 503], { path: '/stripe/cancel' }),
      await ofSite(world, 'page whose data fail', [500, 503], { path: '/auth/login' }),
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const BROKEN_ENTRY = `import * as sound from './sound.js'
export * from './sound.js'
const fail = () => { throw new Error('broken on purpose') }
const broken = { 'stripe/cancel': { default: fail }, 'auth/login': { loader: fail } }
export const routes = Object.fromEntries(Object.entries(sound.routes).map(([id, route]) =>
  [id, broken[route.path] ? { ...route, module: { ...route.module, ...broken[route.path] } } : route]))
`

/** Every cookie the site sets while a person joins. */
async function cookiesOf(start: (options: object) => Promise<World>): Promise<string[]> {
  const world = await start({ siteUrl: SITE_URL })
  const set: string[] = []
  const visitor = new Visitor(world)
  const person = newPerson()
  const note = (response: HttpResponse) => set.push(...(response.headers['set-cookie'] ?? []))
  note(await visitor.register(person))
  note(await visitor.verify(person.email))
  note(await visitor.start(person))
  const recaptchaToken = await botToken(world, 'login')
  note(
    await visitor.post('/api/auth/login', {
      identifier: 'annual@example.org',
      password: 'Peachtree-1987',
      recaptchaToken,
    }),
  )
  return set
}
