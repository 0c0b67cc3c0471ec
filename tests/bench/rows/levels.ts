import { loadTool, press, type LoadResult } from '../load.ts'
import { addMembers } from '../members.ts'
import type { BenchRow } from '../row.ts'

const CONNECTIONS = 64
const FEW = 100
const MANY = 10_000

export const row: BenchRow = {
  name: 'levels',
  title: 'GET /api/membership-levels',
  async run({ site, random, count }) {
    const sides = []
    for (const members of [FEW, MANY]) {
      const { url, databaseUrl } = await site()
      await addMembers(databaseUrl, members, random)
      sides.push({ members, url: url.replace('localhost', '127.0.0.1'), results: [] as LoadResult[] })
    }
    const rounds = count(5, 2)
    const seconds = count(2, 1)
    for (let round = -1; round < rounds; round++) {
      for (const side of random.shuffle(sides)) {
        const result = await press({ url: `${side.url}/api/membership-levels`, connections: CONNECTIONS, seconds })
        if (round >= 0) side.results.push(result)
      }
    }
    const [few, many] = sides.map(({ results }) => results) as [LoadResult[], LoadResult[]]
    return {
      findings: [
        {
          what: `Membership levels beside ${MANY.toLocaleString('en-US')} members`,
          goal: { is: 'at least', value: 10_000 },
          unit: 'requests/s',
          digits: 0,
          rounds: many.map(({ requestsPerSecond }) => requestsPerSecond),
        },
        {
          what: `Membership levels: time beside ${MANY.toLocaleString('en-US')} members over that beside ${FEW}`,
          goal: { is: 'at most', value: 1.3 },
          unit: 'times',
          digits: 2,
          rounds: many.map(({ requestsPerSecond }, round) => (few[round]?.requestsPerSecond ?? 0) / requestsPerSecond),
        },
        {
          what: 'Membership levels: failed requests',
          goal: { is: 'at most', value: 0 },
          unit: '',
          digits: 0,
          rounds: [[...few, ...many].reduce((sum, { errors }) => sum + errors, 0)],
        },
      ],
      notes: [
        `${CONNECTIONS} connections from one thread of ${loadTool}, both sites in turn. The answer lists every level, so the table that grows is that of members: accounts with names, consent, membership, payments and sessions. Every call is logged to a file, as on a server.`,
        'The newsletter archive (`GET /api/newsletter/campaigns`) is not part of the product yet; its row comes with it.',
      ],
    }
  },
}
