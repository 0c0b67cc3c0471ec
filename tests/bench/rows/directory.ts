import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { request } from '#tests/trust/http.ts'
import { directorySearches } from '../calls/directory-calls.ts'
import { measureCalls, slowestOf, tableOfTimes } from '../calls/measure-calls.ts'
import { listEveryone } from '../directory-people.ts'
import { logInActiveMember } from '../log-ins.ts'
import { addMembers } from '../members.ts'
import type { BenchContext, BenchRow, Finding, Table } from '../row.ts'
import { number } from '../statistics.ts'

const LISTED = 20_000
const WITHIN_MS = 100

export const row: BenchRow = {
  name: 'directory',
  title: 'Directory search, 20,000 people',
  async run(context) {
    const findings: Finding[] = []
    const tables: Table[] = []
    for (const server of testServers()) {
      const own = await makeDatabase(context.temporaryFolder(), server)
      const searches = await measure(context, own.url)
      await own.remove()
      findings.push({
        what: `The slowest of ${searches.length} searches, p95, on ${own.engine}`,
        goal: { is: 'under', value: WITHIN_MS },
        unit: 'ms',
        digits: 1,
        rounds: [slowestOf(searches)?.p95 ?? Number.NaN],
      })
      tables.push(tableOfTimes(`Each search on ${own.engine}, ms`, 'Search', searches))
    }
    return {
      findings,
      tables,
      notes: [
        `${number(LISTED, 0)} members, all listed, each with four values, and five planted entries; one call after another of a member.`,
      ],
    }
  },
}

async function measure(context: BenchContext, databaseUrl: string) {
  const { random, count } = context
  const site = await context.site({ environment: { DATABASE_URL: databaseUrl } })
  await addMembers(site.databaseUrl, LISTED, random)
  const lastNames = await listEveryone(site.databaseUrl, random)
  const headers = await logInActiveMember(site)
  const times = await measureCalls(directorySearches(lastNames), count(100, 20), async (path) => {
    const response = await request(site.url, { path, headers })
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text}`)
    return response
  })
  await site.stop()
  return times
}
