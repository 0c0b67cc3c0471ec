import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { postJson, request } from '#tests/trust/http.ts'
import { percentile } from '#tests/trust/load.ts'
import { listEveryone } from '../directory-people.ts'
import { fetchBotToken } from '../log-ins.ts'
import { addMembers, emailFor, PASSWORD } from '../members.ts'
import type { BenchContext, BenchRow, Finding, Table } from '../row.ts'
import type { BenchSite } from '../site.ts'
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
      const slowest = searches.toSorted((one, other) => other.p95 - one.p95)[0]
      findings.push({
        what: `The slowest of ${searches.length} searches, p95, on ${own.engine}`,
        goal: { is: 'under', value: WITHIN_MS },
        unit: 'ms',
        digits: 1,
        rounds: [slowest?.p95 ?? Number.NaN],
      })
      tables.push({
        title: `Each search on ${own.engine}, ms`,
        lines: [
          ['Search', 'Median', 'p95'],
          ...searches.map(({ search, median, p95 }) => [search, number(median, 1), number(p95, 1)]),
        ],
      })
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
  const nameAt = (turn: number) => lastNames[turn * 7] ?? ''
  const misspelled = (name: string) => name.slice(0, 3) + name.charAt(4) + name.charAt(3) + name.slice(5)

  const searches: [search: string, query: (turn: number) => Record<string, string>][] = [
    ['everyone', () => ({})],
    ['everyone, the last page', () => ({ page: '5' })],
    ['a last name', (turn) => ({ q: nameAt(turn) })],
    ['a name and a city', (turn) => ({ q: `${nameAt(turn)} macon` })],
    ['the beginning of a name', (turn) => ({ q: nameAt(turn).slice(0, 2) })],
    ['a misspelled name', (turn) => ({ q: misspelled(nameAt(turn)) })],
    ['a city', () => ({ q: 'savannah' })],
    ['a misspelled specialty', () => ({ q: 'nephology' })],
    ['two words that many have', () => ({ q: 'cardiology macon' })],
    ['a word that everyone has', () => ({ q: 'clinic' })],
    ['a filter', () => ({ 'field.specialty': 'Cardiology' })],
    ['two filters and a word', () => ({ q: 'athens', 'field.specialty': 'Cardiology', 'field.languages': 'Odia' })],
    ['nothing that exists', (turn) => ({ q: `xyzzyq${turn}` })],
  ]
  const results = []
  for (const [search, query] of searches) {
    const times: number[] = []
    for (let turn = -2; turn < count(100, 20); turn++) {
      const path = `/api/directory?${new URLSearchParams(query(turn + 3))}`
      const response = await request(site.url, { path, headers })
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text}`)
      if (turn >= 0) times.push(response.ms)
    }
    results.push({ search, median: percentile(times, 0.5), p95: percentile(times, 0.95) })
  }
  await site.stop()
  return results
}

/** The members of the bench also have memberships that ended. */
async function logInActiveMember(site: BenchSite): Promise<{ authorization: string }> {
  for (let member = 0; member < 50; member++) {
    const body = { identifier: emailFor(member), password: PASSWORD, recaptchaToken: await fetchBotToken(site) }
    const { token } = (await postJson(site.url, '/api/auth/login', body)).body as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    if ((await request(site.url, { path: '/api/directory', headers })).status === 200) return headers
  }
  throw new Error('No member of the bench has an active membership.')
}
