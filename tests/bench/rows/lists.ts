import { request } from '#tests/trust/http.ts'
import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { becomeOfficer } from '../bench-officer.ts'
import { consoleLists } from '../calls/console-calls.ts'
import { measureCalls, slowestOf, tableOfTimes, type CallTime } from '../calls/measure-calls.ts'
import { fillLists } from '../console-lists.ts'
import { listEveryone } from '../directory-people.ts'
import { addMembers } from '../members.ts'
import type { BenchContext, BenchRow, Finding, Table } from '../row.ts'
import { number } from '../statistics.ts'

const MEMBERS = 10_000
const HISTORY = 100_000
const GUESTS = 1_000
const WITHIN_MS = 100

export const row: BenchRow = {
  name: 'lists',
  title: "Officers' lists beside 10,000 members",
  async run(context) {
    const findings: Finding[] = []
    const tables: Table[] = []
    for (const server of testServers()) {
      const own = await makeDatabase(context.temporaryFolder(), server)
      const times = await measure(context, own.url)
      await own.remove()
      findings.push({
        what: `The slowest of ${times.length} lists, p95, on ${own.engine}`,
        goal: { is: 'under', value: WITHIN_MS },
        unit: 'ms',
        digits: 1,
        rounds: [slowestOf(times)?.p95 ?? Number.NaN],
      })
      tables.push(tableOfTimes(`Each list on ${own.engine}, ms`, 'List', times))
    }
    return {
      findings,
      tables,
      notes: [
        `${number(MEMBERS, 0)} members, messages, subscribers and credentials, 40,000 values of member records, ${number(HISTORY, 0)} entries of the history, ${number(GUESTS, 0)} who come to one event; one call after another of an officer with every role, its answer read whole.`,
      ],
    }
  },
}

async function measure(context: BenchContext, databaseUrl: string): Promise<CallTime[]> {
  const { random, count } = context
  const site = await context.site({ environment: { DATABASE_URL: databaseUrl } })
  await addMembers(site.databaseUrl, MEMBERS, random)
  await listEveryone(site.databaseUrl, random)
  const sizes = { messages: MEMBERS, subscribers: MEMBERS, credentials: MEMBERS, history: HISTORY, guests: GUESTS }
  const { eventId } = await fillLists(site.databaseUrl, sizes, random)
  const headers = await becomeOfficer(site, 7)
  const get = async (path: string) => {
    const response = await request(site.url, { path: `/api/console/${path}`, headers })
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text.slice(0, 300)}`)
    return response
  }
  const times = await measureCalls(await consoleLists({ get, eventId }), count(40, 10), get)
  await site.stop()
  return times
}
