import { addCampaigns } from '../newsletter.ts'
import type { BenchRow } from '../row.ts'
import { compareTableSizes } from '../table-sizes.ts'

const PATH = '/api/newsletter/campaigns?enriched=true&page=1&limit=10'
const SEARCHES = 200

export const row: BenchRow = {
  name: 'archive',
  title: 'GET /api/newsletter/campaigns',
  async run(context) {
    const { findings, notes = [] } = await compareTableSizes(context, {
      path: PATH,
      call: 'Newsletter archive',
      rows: 'campaigns',
      fill: (databaseUrl, count) => addCampaigns(databaseUrl, count, context.random),
    })
    return {
      findings: [...findings, await searchTimes(context)],
      notes: [...notes, 'Searches are each another word with another page, so that none is answered from memory.'],
    }
  },
}

/** Time of a search that is not cached. */
async function searchTimes({ site, random }: Parameters<BenchRow['run']>[0]) {
  const { url, databaseUrl } = await site()
  await addCampaigns(databaseUrl, 10_000, random)
  const times: number[] = []
  for (let turn = 0; turn < SEARCHES; turn++) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/api/newsletter/campaigns?q=word${random.between(0, 400)}&page=${turn + 1}`)
    await response.arrayBuffer()
    times.push(performance.now() - startedAt)
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  return {
    what: 'Newsletter archive: a search among 10,000 campaigns, p95 of 200',
    goal: { is: 'under' as const, value: 100 },
    unit: 'ms',
    digits: 1,
    rounds: [p95],
  }
}
