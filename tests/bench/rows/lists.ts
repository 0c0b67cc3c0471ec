import { request } from '#tests/trust/http.ts'
import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { percentile } from '#tests/trust/load.ts'
import { becomeOfficer } from '../bench-officer.ts'
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
      const slowest = times.toSorted((one, other) => other.p95 - one.p95)[0]
      findings.push({
        what: `The slowest of ${times.length} lists, p95, on ${own.engine}`,
        goal: { is: 'under', value: WITHIN_MS },
        unit: 'ms',
        digits: 1,
        rounds: [slowest?.p95 ?? Number.NaN],
      })
      tables.push({
        title: `Each list on ${own.engine}, ms`,
        lines: [
          ['List', 'Median', 'p95'],
          ...times.map(({ list, median, p95 }) => [list, number(median, 1), number(p95, 1)]),
        ],
      })
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

async function measure(
  context: BenchContext,
  databaseUrl: string,
): Promise<{ list: string; median: number; p95: number }[]> {
  const { random, count } = context
  const site = await context.site({ environment: { DATABASE_URL: databaseUrl } })
  await addMembers(site.databaseUrl, MEMBERS, random)
  await listEveryone(site.databaseUrl, random)
  const sizes = { messages: MEMBERS, subscribers: MEMBERS, credentials: MEMBERS, history: HISTORY, guests: GUESTS }
  const { eventId } = await fillLists(site.databaseUrl, sizes, random)
  const headers = await becomeOfficer(site, 7)
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
  const get = async (path: string) => {
    const response = await request(site.url, { path: `/api/console/${path}`, headers })
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text.slice(0, 300)}`)
    return response
  }
  const someone = (await get('members?q=member77')).body.members[0].id as string
  const halfway = (await get(`audit`)).body.entries.at(-1).id as string

  const lists: [list: string, path: (turn: number) => string][] = [
    ['members by name', () => 'members'],
    ['members, page 100', () => 'members?page=100'],
    ['members, last page', () => 'members?page=200'],
    ['members, a name searched', () => 'members?q=menon'],
    ['members, an address searched', (turn) => `members?q=member${turn * 37}@`],
    ['members, two words, none has both', () => 'members?q=iyer+unknown'],
    ['members with an active membership', () => 'members?status=ACTIVE'],
    ['members lapsed', () => 'members?status=EXPIRED'],
    ['members of a level', () => 'members?level=life_member'],
    ['members by status', () => 'members?order=status'],
    ['members by credentials', () => 'members?order=credentials&descending=yes'],
    ['members by last payment', () => 'members?order=lastPayment&descending=yes'],
    ['members with filters combined', () => 'members?status=ACTIVE,PAST_DUE&renewal=manual&credentials=none'],
    ['members by a field of their record', () => `members?record=${encodeURIComponent('specialty=Cardiology')}`],
    [
      'members by two fields of their record, one not entered',
      () => `members?record=${encodeURIComponent('city=Macon&school=')}&order=joined`,
    ],
    ['members counted by every filter', () => 'members/counts'],
    ['members counted beside a search', () => 'members/counts?q=menon'],
    ["a member's timeline", () => `members/${someone}/timeline`],
    ['members who joined within a year', () => `members?joinedFrom=${day(366)}&joinedTo=${day(1)}&order=joined`],
    ['members by day of joining, backwards', () => 'members?order=joined&descending=yes'],
    ['members by end of term', () => 'members?order=ends&page=50'],
    ['members by level', () => 'members?order=level&page=50'],
    ['members whose credentials wait', () => 'members?credentials=waiting'],
    [
      'members as a view keeps them: active, ending within 60 days, by end',
      () => 'members?status=ACTIVE&ending=60&order=ends',
    ],
    ['views of the list', () => 'views?list=members'],
    ['one member', () => `members/${someone}`],
    ['payments of a month', () => `payments?from=${day(71)}&to=${day(40)}`],
    ['payments of ten years, a name searched', (turn) => `payments?from=${day(3_650)}&to=${day(0)}&q=missing${turn}`],
    [
      'payments of ten years, page 50 by name',
      () => `payments?from=${day(3_650)}&to=${day(0)}&sort=name&order=asc&page=50`,
    ],
    ['the year', () => 'year'],
    ['messages, open', () => 'messages?state=open'],
    ['messages, answered, page 150', () => 'messages?state=answered&page=150'],
    ['messages, a word searched that is in none', (turn) => `messages?state=answered&q=nothing${turn}`],
    ['subscribers', () => 'subscribers'],
    ['subscribers, page 100', () => 'subscribers?page=100'],
    ['subscribers, an address searched', (turn) => `subscribers?q=reader${turn * 31}@`],
    ['credential desk', () => 'credentials'],
    ['history', () => 'audit'],
    ['history, further back', () => `audit?before=${halfway}`],
    ['history of one kind', () => 'audit?q=published'],
    ['history of a person', () => 'audit?q=kulkarni'],
    ['history, a word searched that is in one entry', (turn) => `audit?q=404-555-${90_000 + turn}`],
    ['history, a word searched that is in none', (turn) => `audit?q=nothing${turn}`],
    ['events with RSVPs', () => 'rsvp'],
    ['check-in list', () => `rsvp/${eventId}/door`],
    ['newsletters', () => 'newsletters'],
    ['sponsors', () => 'sponsors'],
    ['officers', () => 'officers'],
    ['what needs attention today', () => 'today'],
  ]
  const results = []
  for (const [list, path] of lists) {
    const times: number[] = []
    for (let turn = -2; turn < count(40, 10); turn++) {
      const { ms } = await get(path(turn + 3))
      if (turn >= 0) times.push(ms)
    }
    results.push({ list, median: percentile(times, 0.5), p95: percentile(times, 0.95) })
  }
  await site.stop()
  return results
}
