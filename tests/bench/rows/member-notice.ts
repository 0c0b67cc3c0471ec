import { makeDatabase, testServers } from '#tests/trust/database.ts'
import { becomeOfficer } from '../bench-officer.ts'
import { writeNotice } from '../calls/member-notice.ts'
import { addMembers } from '../members.ts'
import type { BenchContext, BenchRow, Finding } from '../row.ts'
import { median, number } from '../statistics.ts'

const MEMBERS = 10_000
const LOOKS = 10
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
  const notice = await writeNotice(site, headers)
  const reachMs: number[] = []
  for (let look = 0; look < LOOKS; look++) reachMs.push(await notice.read())
  const perSecond = await notice.send({ withinMs: WITHIN_MS })
  await site.stop()
  return { reachMs: [median(reachMs)], perSecond }
}
