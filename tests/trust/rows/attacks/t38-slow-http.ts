import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request, sendBytes, statusesIn } from '#tests/trust/http.ts'
import { inParallel, percentile, tally } from '#tests/trust/load.ts'
import { SMUGGLING } from '#tests/trust/attacks/smuggling.ts'
import { askAhead } from '#tests/trust/attacks/pipelining.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { Site } from '#tests/trust/site.ts'

const CONNECTIONS = 300
const SLOWEST_P95_MS = 300
const MOST_MEMORY_MB = 50
/** Node checks timeouts every 30 s: ten seconds for headers, twenty for bodies, and one interval. */
const ENDED_WITHIN_MS = 55_000

export const row: TrustRow = {
  id: 'T38',
  promise: 'Large, slow or broken HTTP',
  gate: false,
  undisturbed: true,
  waits: true,
  target:
    '50 MB body, 100k keys, depth 10,000, 20 kB header, 300 slow connections, smuggling set: 413/400/431/408; normal user p95 < 300 ms at the same time; every kind of request pipelined 1,500 times on 40 connections that read nothing; memory < +50 MB',
  async run({ world: start, count }) {
    const world = await start({ pages: true })
    const { site } = world
    const faults = new Faults()
    await warmUp(site)
    const memoryBefore = site.program.memoryMb()

    const large = await largeBodies(site, faults)
    const smuggled = await smuggling(site, faults)

    const ahead = await askAhead(world, { connections: count(40, 8), requests: count(1_500, 400) }, faults)

    const visits: number[] = []
    let peak = ahead.peakMb
    let attacking = true
    const visiting = (async () => {
      while (attacking) {
        for (const path of ['/', '/api/membership-levels', '/auth/login', '/become-a-member']) {
          const { ms, status } = await request(site.origin, { path })
          visits.push(ms)
          faults.expect(status === 200, `visitor got ${status}`, path)
        }
        peak = Math.max(peak, site.program.memoryMb() ?? 0)
        await sleep(100)
      }
    })()
    const slow = await slowConnections(site, count(CONNECTIONS, 60), faults)
    attacking = false
    await visiting

    const p95 = percentile(visits, 0.95)
    faults.expect(p95 < SLOWEST_P95_MS, 'visitors wait', `${p95}`)
    const grown = memoryBefore === null ? null : Math.max(0, peak - memoryBefore)
    faults.expect(grown === null || grown < MOST_MEMORY_MB, 'memory grew', `${grown} MB`)
    faults.expect(await site.isReady(), 'not ready afterwards')
    return {
      passed: faults.count === 0,
      reached:
        `${large}; ${smuggled}; ${ahead.told}; ${slow}; ${visits.length} visits meanwhile, p95 ${p95.toFixed(0)} ms, ` +
        `memory ${grown === null ? 'not told by this system' : `+${grown.toFixed(0)} MB at the peak`}; faults: ${faults}`,
    }
  },
}

/** Warms up until the heap has its usual size. */
async function warmUp({ origin }: Site): Promise<void> {
  const paths = ['/', '/api/membership-levels', '/auth/login', '/become-a-member', '/nowhere', '/api/nowhere']
  await inParallel(Array.from({ length: 6_000 }), 50, (_, turn) =>
    request(origin, { path: paths[turn % paths.length] ?? '/' }),
  )
}

async function largeBodies({ origin }: Site, faults: Faults): Promise<string> {
  const head = (length: number | 'chunked', type = 'application/json') =>
    `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`
  const fifty = Buffer.alloc(50 * 1_048_576, 'x')
  const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, turn) => [`key${turn}`, turn])))
  const fewer = JSON.stringify(Object.fromEntries(Array.from({ length: 4_000 }, (_, turn) => [`k${turn}`, turn])))
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  const deepField = `{"identifier":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`
  const cases: [name: string, pieces: (string | Buffer)[], expected: number[]][] = [
    ['50 MB', [head(fifty.length), fifty], [413]],
    ['50 MB chunked', [head('chunked'), `${fifty.length.toString(16)}\r\n`, fifty, '\r\n0\r\n\r\n'], [413]],
    ['50 MB of another type', [head(fifty.length, 'text/plain'), fifty], [413, 415]],
    ['100k keys', [head(keys.length), keys], [413]],
    ['4,000 keys', [head(fewer.length), fewer], [400]],
    ['depth 10,000', [head(deep.length), deep], [400]],
    ['depth 8,000 in a field', [head(deepField.length), deepField], [400, 413]],
    [
      '20 kB header',
      [`GET /api/membership-levels HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_480)}\r\n\r\n`],
      [431],
    ],
    ['2,000 headers', [`GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(2_000)}\r\n`], [431, 200]],
    ['20 kB address', [`GET /${'x'.repeat(20_480)} HTTP/1.1\r\nHost: x\r\n\r\n`], [431, 414]],
    ['length a lie', [head(1_000), '{}'], [408, 0]],
    ['body longer than said', [head(2), '{}GARBAGE'], [400]],
  ]
  const statuses: number[] = []
  for (const [name, pieces, expected] of cases) {
    const { text } = await sendBytes(origin, pieces, { quietMs: name === 'length a lie' ? 500 : 4_000 })
    const status = statusesIn(text)[0] ?? 0
    statuses.push(status)
    faults.expect(expected.includes(status), `${name} answered ${status}`, text)
  }
  return `${cases.length} large bodies (${tally(statuses)})`
}

/** Each hides a second request, which must not be processed, however it is parsed. */
async function smuggling({ origin }: Site, faults: Faults): Promise<string> {
  const statuses: number[] = []
  for (const { name, bytes, mayPass } of SMUGGLING) {
    const { text } = await sendBytes(origin, [bytes], { quietMs: 1_500 })
    const responses = statusesIn(text)
    statuses.push(responses[0] ?? 0)
    faults.expect(!text.includes('"openapi"'), `${name}: the hidden request was answered`, text)
    const isRefused = (responses[0] ?? 0) >= 400 || responses.length === 0
    faults.expect(isRefused || mayPass === true, `${name} answered ${responses.join(', ')}`, text)
  }
  return `${SMUGGLING.length} smuggling vectors (${tally(statuses)})`
}

/** A third each: endless headers, endless bodies, unread responses. */
async function slowConnections({ origin }: Site, connections: number, faults: Faults): Promise<string> {
  const { hostname, port } = new URL(origin)
  const ways = ['headers', 'body', 'read'] as const
  const outcomes = await Promise.all(
    Array.from({ length: connections }, async (_, turn) => {
      const way = ways[turn % ways.length] ?? 'headers'
      const socket = connect({ host: hostname, port: Number(port) })
      return { way, ...(await hold(socket, way)) }
    }),
  )
  const told = (way: string) => {
    const those = outcomes.filter((outcome) => outcome.way === way)
    const open = those.filter(({ closed }) => !closed).length
    if (way !== 'read')
      faults.expect(open === 0, `slow ${way} still held after ${ENDED_WITHIN_MS / 1_000} s`, String(open))
    return `${way} ${tally(those.map(({ status, closed }) => (status ? String(status) : closed ? 'closed' : 'open')))}`
  }
  return `${connections} slow connections: ${ways.map(told).join('; ')}`
}

async function hold(socket: Socket, way: 'headers' | 'body' | 'read'): Promise<{ status: number; closed: boolean }> {
  let text = ''
  let closed = false
  socket.on('error', () => (closed = true))
  socket.on('close', () => (closed = true))
  if (way !== 'read') socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  if (way === 'headers') socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  if (way === 'body')
    socket.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
    )
  if (way === 'read') {
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20))
  }
  const deadline = performance.now() + ENDED_WITHIN_MS
  while (!closed && performance.now() < deadline) {
    await sleep(2_000)
    if (closed) break
    if (way === 'headers') socket.write(`X-Slow-${Math.round(performance.now())}: x\r\n`)
    if (way === 'body') socket.write(' ')
  }
  const wasClosed = closed
  socket.destroy()
  return { status: statusesIn(text)[0] ?? 0, closed: wasClosed }
}
