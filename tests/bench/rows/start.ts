import { setTimeout as sleep } from 'node:timers/promises'
import { inParallel } from '#tests/trust/load.ts'
import { press } from '../load.ts'
import { logInAs } from '../log-ins.ts'
import { addMembers } from '../members.ts'
import type { BenchContext, BenchRow } from '../row.ts'
import type { BenchSite } from '../site.ts'
import { number } from '../statistics.ts'

const MEMBERS = 1_000
const CONNECTIONS = 64

export const row: BenchRow = {
  name: 'start',
  title: 'Starting, and memory after a load',
  async run(context) {
    const site = await context.site()
    const starts: number[] = []
    for (let round = 0; round < context.count(7, 3); round++) {
      await site.stop()
      starts.push(await site.start())
    }
    const before = site.program.memory()
    await load(context, site)
    const after = site.program.memory()
    return {
      findings: [
        {
          what: 'Start to first answer, warm',
          goal: { is: 'under', value: 1.5 },
          unit: 's',
          digits: 2,
          rounds: starts.map((ms) => ms / 1_000),
        },
        {
          what: 'Resident memory after a load test',
          goal: { is: 'under', value: 180 },
          unit: 'MB',
          digits: 0,
          rounds: after ? [after.now] : [],
          missing: 'this system does not tell it in /proc',
        },
      ],
      notes: [
        'From starting the process, on a database that exists, to the last byte of the first home page.',
        ...(before && after
          ? [
              `Memory was ${number(before.now, 0)} MB before, and ${number(after.peak, 0)} MB at the most: each password being checked takes 20 MB for a few milliseconds.`,
            ]
          : []),
      ],
    }
  },
}

/** Pages in both encodings, API calls and parallel log-ins: what makes a server's memory grow. */
async function load({ count, random }: BenchContext, site: BenchSite): Promise<void> {
  await addMembers(site.databaseUrl, MEMBERS, random)
  const url = site.url.replace('localhost', '127.0.0.1')
  const seconds = count(3, 1)
  for (const path of ['/', '/become-a-member', '/api/membership-levels', '/no-such-page']) {
    await press({ url: url + path, connections: CONNECTIONS, seconds, headers: { 'Accept-Encoding': 'br' } })
  }
  const people = Array.from({ length: count(500, 100) }, () => random.between(0, MEMBERS - 1))
  await inParallel(people, 16, (member) => logInAs(site, member))
  await sleep(1_000)
}
