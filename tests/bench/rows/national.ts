import { join } from 'node:path'
import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { request, type HttpResponse } from '#tests/trust/http.ts'
import { becomeOfficer } from '../bench-officer.ts'
import { consoleLists, consolePages } from '../calls/console-calls.ts'
import { directorySearches } from '../calls/directory-calls.ts'
import { measureCalls, slowestOf, type CallTime } from '../calls/measure-calls.ts'
import { memberPages, publicListing } from '../calls/member-calls.ts'
import { writeNotice } from '../calls/member-notice.ts'
import { logInActiveMember } from '../log-ins.ts'
import { fillNationalSite, NATIONAL } from '../national/national-site.ts'
import { bareEnvironment, Program, ROOT } from '../programs.ts'
import type { BenchContext, BenchRow, Finding, Table } from '../row.ts'
import type { BenchSite } from '../site.ts'
import { number } from '../statistics.ts'

const WITHIN_MS = 100
/** The second site is this much smaller, in every table. */
const TIMES = 5
const NOTICE_WITHIN_MS = 600_000

interface Measured {
  engine: string
  calls: CallTime[]
  backupSeconds: number
  startSeconds: number
  /** Emails of a notice per second; null where none was sent. */
  noticeRate: number | null
}

export const row: BenchRow = {
  name: 'national',
  title: 'A national body: 100,000 members, 1,000,000 payments, 5,000,000 emails',
  slow: true,
  async run(context) {
    const members = context.count(NATIONAL.members, NATIONAL.members / 5)
    const findings: Finding[] = []
    const tables: Table[] = []
    for (const server of testServers()) {
      const small = await measure(context, server, members / TIMES, { sendsNotice: false })
      const large = await measure(context, server, members, { sendsNotice: true })
      findings.push(...findingsOf(small, large))
      tables.push(tableOf(members, small, large))
    }
    return {
      findings,
      tables,
      notes: [
        `${number(members, 0)} members, 40 % of them past, ${number(members * NATIONAL.payments, 0)} payments with their ledger entries, ${number(members * NATIONAL.emails, 0)} emails of ${NATIONAL.emails} newsletters and notices, ${number(members * NATIONAL.history, 0)} entries of the audit log, as many subscribers and credentials as members, a tenth as many messages; one call after another, of an officer with every role, of a member or of a visitor, its answer read whole.`,
        `Growth: the median beside that of a site with a ${TIMES}th of everything. What grows more than ${TIMES} times grew faster than its table.`,
      ],
    }
  },
}

function findingsOf(small: Measured, large: Measured): Finding[] {
  const slow = large.calls.filter(({ p95 }) => p95 >= WITHIN_MS)
  const one = (what: string, value: number, goal: Finding['goal'], unit: string, digits = 0): Finding => ({
    what: `${what}, ${large.engine}`,
    goal,
    unit,
    digits,
    rounds: [value],
  })
  const faster = grownFaster(small, large)
  return [
    one(
      `The slowest of ${large.calls.length} calls, p95`,
      slowestOf(large.calls)?.p95 ?? Number.NaN,
      { is: 'under', value: WITHIN_MS },
      'ms',
      1,
    ),
    one(`Calls of ${WITHIN_MS} ms or more, p95`, slow.length, { is: 'at most', value: 0 }, ''),
    one('Calls that grew faster than their table', faster.length, { is: 'at most', value: 0 }, ''),
    one('A notice to every member', large.noticeRate ?? Number.NaN, { is: 'at least', value: 500 }, 'mails/s'),
    one('Backup', large.backupSeconds, { is: 'under', value: 600 }, 's'),
    one('Start to first answer', large.startSeconds, { is: 'under', value: 3 }, 's', 2),
  ]
}

function growthOf(small: Measured, { name, median }: CallTime): number {
  return median / (small.calls.find((one) => one.name === name)?.median ?? Number.NaN)
}

function grownFaster(small: Measured, large: Measured): CallTime[] {
  return large.calls.filter((one) => growthOf(small, one) > TIMES)
}

/** The slowest first; what grew faster than its table says so. */
function tableOf(members: number, small: Measured, large: Measured): Table {
  const faster = new Set(grownFaster(small, large))
  const times = (value: number) => `${number(value, 1)}×`
  return {
    title: `Each call on ${large.engine}, ms, beside ${number(members, 0)} members`,
    lines: [
      ['Call', 'Median', 'p95', 'Growth', ''],
      ...large.calls
        .toSorted((one, other) => other.p95 - one.p95)
        .map((one) => [
          one.name,
          number(one.median, 1),
          number(one.p95, 1),
          times(growthOf(small, one)),
          faster.has(one) ? 'faster than its table' : '',
        ]),
      ['backup, s', number(large.backupSeconds, 1), '', times(large.backupSeconds / small.backupSeconds), ''],
      ['start, s', number(large.startSeconds, 2), '', times(large.startSeconds / small.startSeconds), ''],
    ],
  }
}

async function measure(
  context: BenchContext,
  server: string | null,
  members: number,
  { sendsNotice }: { sendsNotice: boolean },
): Promise<Measured> {
  const folder = context.temporaryFolder()
  const own = await makeDatabase(folder, server)
  context.afterwards(() => own.remove())
  const site = await context.site({ environment: { DATABASE_URL: own.url } })
  await site.stop()
  const { eventId, lastNames } = await fillNationalSite(own.url, members, context.random)
  const startSeconds = (await site.start()) / 1_000
  const officer = await becomeOfficer(site, 7)
  const member = await logInActiveMember(site)
  const notice = await writeNotice(site, officer)
  const get = getter(site, officer, '/api/console/')
  const pages = await consolePages({ get }, { draft: notice.id, sent: 'campaign-1' })
  const turns = context.count(40, 20)
  const calls = [
    ...(await measureCalls([...(await consoleLists({ get, eventId })), ...pages], turns, get)),
    ...(await measureCalls([...directorySearches(lastNames), ...memberPages()], turns, getter(site, member))),
    ...(await measureCalls(publicListing(lastNames), turns, getter(site))),
  ]
  const noticeRate = sendsNotice ? await notice.send({ withinMs: NOTICE_WITHIN_MS }) : null
  const backupSeconds = await backUp(site, folder)
  await site.stop()
  return { engine: own.engine, calls, backupSeconds, startSeconds, noticeRate }
}

function getter(site: BenchSite, headers = {}, prefix = ''): (path: string) => Promise<HttpResponse> {
  return async (path) => {
    const response = await request(site.url, { path: `${prefix}${path}`, headers })
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${response.text.slice(0, 300)}`)
    return response
  }
}

/** While the site runs, as at night. @returns seconds */
async function backUp({ environment }: BenchSite, folder: string): Promise<number> {
  const startedAt = performance.now()
  const words = [join(ROOT, 'src/server/admin.ts'), 'backup', join(folder, 'backups')]
  const program = new Program(process.execPath, words, join(folder, 'backup.log'), {
    env: bareEnvironment(environment),
  })
  await program.ended
  if (program.exitCode !== 0) throw new Error(`The backup failed:\n${program.output}`)
  return (performance.now() - startedAt) / 1_000
}
