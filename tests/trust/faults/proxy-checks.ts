import { request, type Ask, type HttpResponse } from '../http.ts'
import { tally } from '../load.ts'
import type { Faults } from '../row.ts'
import type { World } from '../site.ts'
import type { ShippedProxy } from './shipped-proxies.ts'

const HOST = 'www.example.org'
/** Of a site behind a shipped proxy. */
export const PROXIED_SITE_URL = `https://${HOST}`
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

/** A request to the site by its name. */
export const through = (proxy: ShippedProxy, asked: Ask) =>
  request(proxy.origin, { ...asked, headers: { ...asked.headers, host: HOST } })

/** Headers that differ between two moments, without their proxy. */
function headersOf({ headers }: HttpResponse): Map<string, string> {
  return new Map(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_PROXY.has(name))
      .map(([name, value]) => [name, String(value)]),
  )
}

/** Statuses and headers are the same as without the proxy, and addresses of the machine itself are closed. */
export async function compareWithDirect(world: World, proxy: ShippedProxy, faults: Faults): Promise<string> {
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

/** A body over the limit is refused. Returns how. */
export async function sendLarge(proxy: ShippedProxy, faults: Faults): Promise<string> {
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
export async function forgeAddress(proxy: ShippedProxy, faults: Faults): Promise<void> {
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
