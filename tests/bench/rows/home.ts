import { getBrotli, fetchRaw } from '../raw-response.ts'
import { loadTool, press, type LoadResult } from '../load.ts'
import { urlForPort, startNginx, type Copy } from '../nginx.ts'
import { findPorts, findProgram } from '../programs.ts'
import type { BenchContext, BenchRow, Finding } from '../row.ts'
import { median, number } from '../statistics.ts'

const CONNECTIONS = 64
const ENCODINGS = ['br', 'identity'] as const

interface Server {
  name: 'site' | 'nginx'
  encoding: (typeof ENCODINGS)[number]
  url: string
  results: LoadResult[]
}

export const row: BenchRow = {
  name: 'home',
  title: 'The home page from the cache',
  async run(context) {
    const { url } = await context.site()
    const address = `${url.replace('localhost', '127.0.0.1')}/`
    const responses = { br: await getBrotli(address), identity: await fetchRaw(address) }
    const servers: Server[] = ENCODINGS.map((encoding) => ({ name: 'site', encoding, url: address, results: [] }))
    const nginx = findProgram('nginx')
    if (nginx) {
      const ports = await findPorts(ENCODINGS.length)
      const copies = ENCODINGS.map((encoding, at): Copy => ({ port: ports[at] ?? 0, answer: responses[encoding] }))
      const program = await startNginx(nginx, context.temporaryFolder(), copies)
      context.afterwards(() => program.stop())
      for (const [at, encoding] of ENCODINGS.entries()) {
        servers.push({ name: 'nginx', encoding, url: urlForPort(ports[at] ?? 0), results: [] })
      }
    }
    await measure(context, servers)
    return {
      findings: ENCODINGS.flatMap((encoding) => findingsOf(encoding, servers)),
      tables: [{ title: 'Each server, median of the rounds', lines: tableOf(servers, responses) }],
      notes: [
        `${CONNECTIONS} connections from one thread of ${loadTool}; the servers take turns within a round, in an order that changes. nginx: one worker, files kept open, no log, the same body and headers.`,
      ],
    }
  },
}

async function measure({ count, random }: BenchContext, servers: readonly Server[]): Promise<void> {
  const rounds = count(5, 2)
  const seconds = count(2, 1)
  for (let round = -1; round < rounds; round++) {
    for (const server of random.shuffle(servers)) {
      const headers: Record<string, string> = server.encoding === 'br' ? { 'Accept-Encoding': 'br' } : {}
      const result = await press({ url: server.url, connections: CONNECTIONS, seconds, headers })
      // The first one is a warm-up.
      if (round >= 0) server.results.push(result)
    }
  }
}

function findingsOf(encoding: Server['encoding'], servers: readonly Server[]): Finding[] {
  const site = resultsOf('site', encoding, servers)
  const nginx = resultsOf('nginx', encoding, servers)
  const words = encoding === 'br' ? 'Brotli' : 'not compressed'
  return [
    {
      what: `Home page, ${words}: requests/s beside nginx`,
      goal: { is: 'at least', value: 0.8 },
      unit: 'of nginx',
      digits: 2,
      rounds: nginx.map((other, round) => (site[round]?.requestsPerSecond ?? 0) / other.requestsPerSecond),
      missing: 'nginx is not installed here',
    },
    {
      what: `Home page, ${words}: p99 at ${CONNECTIONS} connections`,
      goal: { is: 'under', value: 10 },
      unit: 'ms',
      digits: 1,
      rounds: site.map(({ p99Ms }) => p99Ms),
    },
    {
      what: `Home page, ${words}: failed requests`,
      goal: { is: 'at most', value: 0 },
      unit: '',
      digits: 0,
      rounds: [site.reduce((sum, { errors }) => sum + errors, 0)],
    },
  ]
}

function resultsOf(name: Server['name'], encoding: Server['encoding'], servers: readonly Server[]): LoadResult[] {
  return servers.find((server) => server.name === name && server.encoding === encoding)?.results ?? []
}

function tableOf(
  servers: readonly Server[],
  responses: Record<Server['encoding'], { bytes: Buffer }>,
): (string | number)[][] {
  return [
    ['Server', 'Encoding', 'Bytes', 'Requests/s', 'Lowest', 'Highest', 'p99 ms'],
    ...servers.map(({ name, encoding, results }) => {
      const rates = results.map(({ requestsPerSecond }) => requestsPerSecond)
      return [
        name,
        encoding,
        number(responses[encoding].bytes.length, 0),
        number(median(rates), 0),
        number(Math.min(...rates), 0),
        number(Math.max(...rates), 0),
        number(median(results.map(({ p99Ms }) => p99Ms)), 2),
      ]
    }),
  ]
}
