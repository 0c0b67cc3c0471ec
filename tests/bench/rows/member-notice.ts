import { setTimeout as sleep } from 'node:timers/promises'
import type { MemberEmailDetail } from '#contract/console/emails/member-emails.ts'
import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { postJson, request } from '#tests/trust/http.ts'
import { becomeOfficer } from '../bench-officer.ts'
import { addMembers } from '../members.ts'
import type { BenchContext, BenchRow, Finding } from '../row.ts'
import { median, number } from '../statistics.ts'

const MEMBERS = 10_000
const PATH = '/api/console/member-emails'
const LOOKS = 10
const LOOK_EVERY_MS = 500
const WITHIN_MS = 180_000

export const row: BenchRow = {
  name: 'member-notice',
  title: 'A notice to 10,000 members',
  slow: true,
  async run(context) {
    const members = context.count(MEMBERS, 1_000)
    const findings: Finding[] = []
    for (const server of testServers()) {
      const own = await makeDatabase(context.temporaryFolder(), server)
      const { reachMs, perSecond } = await measure(context, own.url, members)
      await own.remove()
      findings.push(
        {
          what: `Whom it reaches, before sending, on ${own.engine}`,
          goal: { is: 'under', value: 100 },
          unit: 'ms',
          digits: 0,
          rounds: reachMs,
        },
        {
          what: `Sending, from the press of the button, on ${own.engine}`,
          goal: { is: 'at least', value: 500 },
          unit: 'mails/s',
          digits: 0,
          rounds: [perSecond],
        },
      )
    }
    return {
      findings,
      notes: [
        `${number(members, 0)} members on the list; into the mailbox stand-in on the same two cores. The time to send includes fixing the list.`,
      ],
    }
  },
}

async function measure(context: BenchContext, databaseUrl: string, members: number) {
  const site = await context.site({ environment: { DATABASE_URL: databaseUrl } })
  await addMembers(site.databaseUrl, members, context.random)
  const headers = await becomeOfficer(site, 0)
  const audience = { filter: {} }
  const created = await post(PATH, { name: 'Annual meeting', topic: 'notice', audience })
  const path = `${PATH}/${created.id}`
  const reachMs: number[] = []
  for (let look = 0; look < LOOKS; look++) reachMs.push((await request(site.url, { path, headers })).ms)
  const startedAt = performance.now()
  const { reach } = await post(`${path}/send`, { version: created.version, at: null })
  while ((await read()).state !== 'finished') {
    if (performance.now() - startedAt > WITHIN_MS) throw new Error('The notice was not sent in time.')
    await sleep(LOOK_EVERY_MS)
  }
  const perSecond = reach.email / ((performance.now() - startedAt) / 1_000)
  await site.stop()
  return { reachMs: [median(reachMs)], perSecond }

  async function post(to: string, body: object): Promise<MemberEmailDetail> {
    const response = await postJson(site.url, to, body, { headers })
    if (response.status >= 300) throw new Error(`${to} answered ${response.status}: ${response.text}`)
    return response.body as MemberEmailDetail
  }

  async function read(): Promise<MemberEmailDetail> {
    const { text } = await request(site.url, { path, headers })
    return JSON.parse(text) as MemberEmailDetail
  }
}
