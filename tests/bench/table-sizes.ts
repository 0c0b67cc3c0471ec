import { loadTool, press, type LoadResult } from './load.ts'
import type { BenchContext, RowResult } from './row.ts'

const CONNECTIONS = 64
const FEW = 100
const MANY = 10_000

/** Calls one endpoint of two sites alternately, one with a table of 100 rows and one with 10,000: both must be fast, and about equally fast. */
export async function compareTableSizes(
  { site, random, count }: BenchContext,
  {
    path,
    call,
    rows,
    fill,
  }: {
    path: string
    /** The name of the call, such as 'Membership levels'. */
    call: string
    /** The rows of the growing table, such as 'members'. */
    rows: string
    fill(databaseUrl: string, count: number): Promise<void>
  },
): Promise<RowResult> {
  const sides = []
  for (const size of [FEW, MANY]) {
    const { url, databaseUrl } = await site()
    await fill(databaseUrl, size)
    sides.push({ url: url.replace('localhost', '127.0.0.1'), results: [] as LoadResult[] })
  }
  const rounds = count(5, 2)
  const seconds = count(2, 1)
  for (let round = -1; round < rounds; round++) {
    for (const side of random.shuffle(sides)) {
      const result = await press({ url: `${side.url}${path}`, connections: CONNECTIONS, seconds })
      if (round >= 0) side.results.push(result)
    }
  }
  const [few, many] = sides.map(({ results }) => results) as [LoadResult[], LoadResult[]]
  return {
    findings: [
      {
        what: `${call} beside ${MANY.toLocaleString('en-US')} ${rows}`,
        goal: { is: 'at least', value: 10_000 },
        unit: 'requests/s',
        digits: 0,
        rounds: many.map(({ requestsPerSecond }) => requestsPerSecond),
      },
      {
        what: `${call}: time beside ${MANY.toLocaleString('en-US')} ${rows} over that beside ${FEW}`,
        goal: { is: 'at most', value: 1.3 },
        unit: 'times',
        digits: 2,
        rounds: many.map(({ requestsPerSecond }, round) => (few[round]?.requestsPerSecond ?? 0) / requestsPerSecond),
      },
      {
        what: `${call}: failed requests`,
        goal: { is: 'at most', value: 0 },
        unit: '',
        digits: 0,
        rounds: [[...few, ...many].reduce((sum, { errors }) => sum + errors, 0)],
      },
    ],
    notes: [
      `${CONNECTIONS} connections from one thread of ${loadTool}, both sites in turn. Every call is logged to a file, as on a server.`,
    ],
  }
}
