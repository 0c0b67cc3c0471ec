import { missingSentence, notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { startShippedProxies, type ShippedProxy } from '#tests/trust/faults/shipped-proxies.ts'
import { request, type Ask, type HttpResponse } from '#tests/trust/http.ts'
import { percentile, tally } from '#tests/trust/load.ts'
import { botToken } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const HOST = 'www.example.org'
const SITE_URL = 'https://www.example.org'
const COUNTERPARTS = [
  { program: 'nginx', debianPackage: 'nginx' },
  { program: 'caddy', debianPackage: 'caddy' },
]
/** What a proxy adds about a connection, or may write in another way. */
const OF_THE_PROXY = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'server',
  'via',
  'date',
  'alt-svc',
  'content-length',
])
/** How long the shipped Caddyfile waits for the site, and a little more. */
const LONGEST_MS = 17_000
const RELOADS = 400
const MESSAGE_EVERY = 40
const SUBJECT = 'Sent while the site restarted behind a proxy'
const MB = 1_000_000

/** Statuses and kinds of responses; each must be the same through a proxy. */
const ASKED: Ask[] = [
  { path: '/' },
  { path: '/events', headers: { 'accept-encoding': 'br' } },
  { path: '/nothing-here' },
  { path: '/console' },
  { path: '/favicon.svg' },
  { path: '/robots.txt' },
  { path: '/healthz' },
  { path: '/api/membership-levels' },
  { path: '/api/nothing' },
  { path: '/api/account/profile' },
  { path: '/api/contact', method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
  {
    path: '/api/contact',
    method: 'POST',
    body: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  { path: '/api/contact', method: 'DELETE' },
]
const CLOSED = ['/metrics', '/readyz', '/METRICS', '//metrics', '/%6detrics', '/./readyz', '/metrics/']

export const row: TrustRow = {
  id: 'T77',
  promise: 'nginx and Caddy with the shipped files',
  gate: false,
  undisturbed: true,
  target:
    'behind each: the same statuses and headers as the site itself, none twice, none telling a version; /metrics and /readyz closed in every spelling; bodies over 1 MB refused; a forged X-Forwarded-For gains no attempt; while the site restarts, Caddy lets every request wait and nginx says 502, no acknowledged message is lost or stored twice',
  async run({ world: start, count }) {
    const absent = notRun(COUNTERPARTS)
    if (absent) return absent
    const faults = new Faults()
    const world = await start({ siteUrl: SITE_URL, pages: true, rateLimits: 'on' })
    const { proxies, missing } = await startShippedProxies(world.site.origin)
    const sentences: string[] = []
    try {
      for (const proxy of proxies) {
        const same = await compare(world, proxy, faults)
        const large = await sendLarge(proxy, faults)
        await forgeAddress(proxy, faults)
        const restarted = await restartBehind(world, proxy, { requests: count(RELOADS, 100), faults })
        sentences.push(`${proxy.name}: ${same}; a body of 2 MB ${large}; ${restarted}`)
      }
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
    }
    const ran = proxies.map(({ name }) => (name === 'nginx' ? versionOf('nginx', '-v') : versionOf('caddy', 'version')))
    const absentOnes = COUNTERPARTS.filter(({ program }) => missing.some((name) => name.toLowerCase() === program))
    return {
      passed: faults.count === 0,
      reached: `${sentences.join('. ')}; faults: ${faults}`,
      notes: `ran: ${[...ran, ...(absentOnes.length > 0 ? [missingSentence(absentOnes)] : [])].join(', ')}; without certificates, so over http`,
    }
  },
}

const through = (proxy: ShippedProxy, asked: Ask) =>
  request(proxy.origin, { ...asked, headers: { ...asked.headers, host: HOST } })

/** Headers that differ between two moments, without their proxy. */
function headersOf({ headers }: HttpResponse): Map<string, string> {
  return new Map(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_PROXY.has(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

async function compare(world: World, proxy: ShippedProxy, faults: Faults): Promise<string> {
  const statuses: number[] = []
  for (const asked of ASKED) {
    const [direct, proxied] = [await request(world.site.origin, asked), await through(proxy, asked)]
    const name = `${proxy.name}: ${asked.method ?? 'GET'} ${asked.path}`
    statuses.push(proxied.status)
    faults.expect(direct.status === proxied.status, `${name} has another status`, `${direct.status}, ${proxied.status}`)
    const [wanted, found] = [headersOf(direct), headersOf(proxied)]
    for (const header of new Set([...wanted.keys(), ...found.keys()]))
      faults.expect(
        wanted.get(header) === found.get(header),
        `${name}: ${header} differs`,
        `${wanted.get(header)} <> ${found.get(header)}`,
      )
    const names = proxied.rawHeaders.filter((_, at) => at % 2 === 0).map((header) => header.toLowerCase())
    const twice = names.filter((header, at) => header !== 'set-cookie' && names.indexOf(header) !== at)
    faults.expect(twice.length === 0, `${name}: header twice`, twice.join(', '))
    for (const telling of ['server', 'via'])
      faults.expect(
        !/\/\d|\d\.\d+\.\d/.test(String(proxied.headers[telling] ?? '').replace(/^\d\.\d /, '')),
        `${name} tells a version`,
        String(proxied.headers[telling]),
      )
  }
  for (const path of CLOSED) {
    const { status, text } = await through(proxy, { path })
    faults.expect(status === 404 && !/outbox_|"checks"/.test(text), `${proxy.name}: ${path} is open`, String(status))
  }
  return `${ASKED.length} requests as without it (${tally(statuses)}), ${CLOSED.length} spellings of closed addresses`
}

async function sendLarge(proxy: ShippedProxy, faults: Faults): Promise<string> {
  const body = Buffer.alloc(2 * MB, 'x')
  const headers = { 'content-type': 'application/json' }
  const answer = await through(proxy, { method: 'POST', path: '/api/contact', body, headers }).catch(() => null)
  faults.expect(
    answer === null || [413, 502].includes(answer.status),
    `${proxy.name} takes 2 MB`,
    String(answer?.status),
  )
  return answer === null ? 'closes the connection' : `gets ${answer.status}`
}

/** The limit of a call that counts by address: 30 log-ins by one visitor who claims 30 addresses. */
async function forgeAddress(proxy: ShippedProxy, faults: Faults): Promise<void> {
  const counts: number[] = []
  for (const isForged of [false, true]) {
    let passed = 0
    for (let turn = 0; turn < 130; turn++) {
      const forged = { 'x-forwarded-for': `198.51.100.${turn}`, forwarded: `for=198.51.100.${turn}` }
      const { status } = await through(proxy, {
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json', ...(isForged && forged) },
        body: JSON.stringify({ identifier: 'no-one', password: 'x', recaptchaToken: 'x' }),
      })
      if (status !== 429) passed++
    }
    counts.push(passed)
  }
  const [, forged = 0] = counts
  faults.expect(forged === 0, `${proxy.name}: attempts gained by a forged address`, String(forged))
}

async function restartBehind(
  world: World,
  proxy: ShippedProxy,
  { requests, faults }: { requests: number; faults: Faults },
): Promise<string> {
  const statuses: number[] = []
  const times: number[] = []
  let messages = 0
  const subject = `${SUBJECT} (${proxy.name})`
  let isBack = false
  const restarting = (async () => {
    await world.site.program.stop()
    await world.site.start()
    isBack = true
  })()
  // Reported when awaited.
  restarting.catch(() => (isBack = true))
  for (let turn = 0; turn < requests || !isBack; turn++) {
    const startedAt = performance.now()
    const asked: Ask = { path: turn % 2 === 0 ? '/events' : '/api/membership-levels' }
    const { status } = await through(proxy, asked).catch(() => ({ status: 0 }))
    statuses.push(status)
    times.push(performance.now() - startedAt)
    if (turn % MESSAGE_EVERY === 0) {
      const sent = await sendMessage(world, proxy, subject).catch(() => null)
      if (sent?.status === 200) messages++
    }
  }
  await restarting
  const { db } = world.database
  const stored = await db.selectFrom('contactMessage').select('id').where('subject', '=', subject).execute()
  faults.expect(stored.length === messages, `${proxy.name}: messages stored`, `${stored.length} of ${messages}`)
  const slowest = Math.max(...times)
  faults.expect(slowest < LONGEST_MS, `${proxy.name}: a request hung`, `${Math.round(slowest)} ms`)
  for (const status of statuses) faults.expect([200, 502, 503, 0].includes(status), `${proxy.name}: answered ${status}`)
  return `during a restart ${statuses.length} requests (${tally(statuses)}), p99 ${Math.round(percentile(times, 0.99))} ms, ${messages} messages each stored once`
}

async function sendMessage(world: World, proxy: ShippedProxy, subject: string): Promise<HttpResponse> {
  const recaptchaToken = await botToken(world, 'contact_form')
  const message = { name: 'Leela Varghese', email: 'leela@example.com', subject, message: 'When do you open?' }
  return through(proxy, {
    method: 'POST',
    path: '/api/contact',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, recaptchaToken }),
  })
}
