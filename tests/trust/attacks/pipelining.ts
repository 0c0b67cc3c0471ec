import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request, statusesIn } from '../http.ts'
import { percentile } from '../load.ts'
import { newPerson, Visitor } from '../people.ts'
import type { Faults } from '../row.ts'
import type { Site, World } from '../site.ts'

/** How long nothing is read. */
const UNREAD_MS = 2_500
const READ_WITHIN_MS = 20_000
/** Requested in advance and read to the end. */
const READ = 120

interface Kind {
  name: string
  /** One raw request. */
  bytes: string
  status: number
}

/** Pipelines every kind of request on connections that read nothing, then on one that reads everything; returns the peak memory. */
export async function askAhead(
  world: World,
  { connections, requests }: { connections: number; requests: number },
  faults: Faults,
): Promise<{ told: string; peakMb: number }> {
  const { site } = world
  const kinds = await kindsOf(world)
  const waits: number[] = []
  let peakMb = 0
  for (const { name, bytes } of kinds) {
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(site)))
    for (const socket of sockets) socket.write(bytes.repeat(requests))
    const until = performance.now() + UNREAD_MS
    while (performance.now() < until) {
      peakMb = Math.max(peakMb, site.program.memoryMb() ?? 0)
      const { status, ms } = await request(site.origin, { path: '/healthz' })
      waits.push(ms)
      faults.expect(status === 200, `visitor got ${status} while ${name} is asked for ahead`)
      await sleep(50)
    }
    for (const socket of sockets) socket.destroy()
  }
  for (const kind of kinds) await readAll(site, kind, faults)
  return {
    told: `${kinds.length} kinds of answers asked for ${requests} times ahead on each of ${connections} connections and not read (visitors p95 ${percentile(waits, 0.95).toFixed(0)} ms), ${READ} of each read in order`,
    peakMb,
  }
}

async function kindsOf(world: World): Promise<Kind[]> {
  const { origin } = world.site
  const member = new Visitor(world)
  await member.join(newPerson({ levelKey: 'medical_student' }))
  const home = await request(origin, { path: '/' })
  const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(home.text) ?? []
  const pictures = await request(origin, { path: '/api/s3/home/folder/gallery' })
  const [picture = '/favicon.svg'] = /\/media\/[^"\\?]+/.exec(pictures.text) ?? []
  const get = (path: string, more = '', method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const bearer = `Authorization: Bearer ${member.token}\r\n`
  const login =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  const read = (name: string, path: string, status = 200): Kind => ({ name, bytes: get(path), status })
  return [
    read('page', '/'),
    read('unknown page', '/nowhere.html', 404),
    read('page elsewhere', '/ABOUT', 308),
    read('script', asset),
    read('picture', picture),
    read('sitemap', '/sitemap.xml'),
    read('calendar', '/events.ics'),
    read('feed', '/news.rss'),
    read('description of the API', '/api/openapi.json'),
    { name: 'the same, packed', bytes: get('/api/openapi.json', 'Accept-Encoding: br\r\n'), status: 200 },
    { name: 'its HEAD', bytes: get('/api/openapi.json', '', 'HEAD'), status: 200 },
    { name: 'its 304', bytes: get('/api/openapi.json', 'If-None-Match: *\r\n'), status: 304 },
    read('levels', '/api/membership-levels'),
    read('sponsors', '/api/sponsors'),
    read('newsletters', '/api/newsletter/campaigns'),
    read('pictures', '/api/s3/home/folder/gallery'),
    read('unknown call', '/api/nowhere', 404),
    read('call without a token', '/api/account/profile', 401),
    { name: 'profile', bytes: get('/api/account/profile', bearer), status: 200 },
    { name: 'own data', bytes: get('/api/account/data', bearer), status: 200 },
    { name: 'refused input', bytes: login, status: 400 },
    { name: 'refused expectation', bytes: get('/', 'Expect: nothing\r\n'), status: 417 },
    read('health', '/healthz'),
    read('readiness', '/readyz'),
    // Behind a proxy, as here, no request counts as local.
    read('figures', '/metrics', 404),
  ]
}

async function open({ origin }: Site): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Every request gets one response, the first of the right kind, later ones possibly rejected by a limit. */
async function readAll(site: Site, { name, bytes, status }: Kind, faults: Faults): Promise<void> {
  const socket = await open(site)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.resume()
  socket.write(bytes.repeat(READ))
  const deadline = performance.now() + READ_WITHIN_MS
  const statuses = () => statusesIn(text)
  while (statuses().length < READ && !socket.destroyed && performance.now() < deadline) await sleep(20)
  socket.destroy()
  const isRight = (one: number) => one === status || one === 429
  faults.expect(statuses().length === READ, `${name}: ${statuses().length} of ${READ} answers`)
  faults.expect(statuses().every(isRight), `${name} answered otherwise`, [...new Set(statuses())].join(' '))
}
