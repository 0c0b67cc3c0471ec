import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { countDeliveries } from '#server/features/newsletter/sending/delivery.repository.ts'
import { createCampaign, setSubscribers, startMailing } from '#tests/support/newsletter.ts'
import type { BenchContext, BenchRow } from '../row.ts'
import type { BenchSite } from '../site.ts'

const READERS = 10_000
const ID = 'of-this-month'
const SUBJECT = 'News of this month'
const LOOK_EVERY_MS = 100
const WITHIN_MS = 180_000
/** Longer than a batch's lease. */
const PAST_THE_LEASE_MS = 6 * 60_000
/** As in `content/profiles/neutral/settings.yaml`. */
const CONNECTIONS = 8
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export const row: BenchRow = {
  name: 'mailing',
  title: 'A newsletter to 10,000 addresses',
  slow: true,
  async run(context) {
    const readers = context.count(READERS, 1_000)
    const perSecond = await measureRate(context, readers)
    const killed = await killWhileSending(context, readers)
    return {
      findings: [
        {
          what: `Newsletter to ${readers.toLocaleString('en-US')} addresses`,
          goal: { is: 'at least', value: 500 },
          unit: 'mails/s',
          digits: 0,
          rounds: [perSecond],
        },
        {
          what: 'Over a kill -9: got it twice',
          goal: { is: 'at most', value: 0 },
          unit: '',
          digits: 0,
          rounds: [killed.twice],
        },
        {
          what: 'Over a kill -9: neither sent nor listed as uncertain',
          goal: { is: 'at most', value: 0 },
          unit: '',
          digits: 0,
          rounds: [killed.lost],
        },
        {
          what: 'Over a kill -9: uncertain, and listed',
          goal: { is: 'at most', value: CONNECTIONS },
          unit: '',
          digits: 0,
          rounds: [killed.uncertain],
        },
      ],
      notes: [
        'Into the mailbox stand-in, an SMTP server in a process of its own on the same two cores that writes every email to disk. From the start of the mailing to its last answer.',
        `Killed after ${killed.sentBefore.toLocaleString('en-US')} were accepted; started again, the clock put on so that the dead process's lease is over.`,
      ],
    }
  },
}

async function measureRate({ site }: BenchContext, readers: number): Promise<number> {
  const sender = await site()
  return withMailing(sender, readers, async (db) => {
    const startedAt = performance.now()
    await start(db)
    await accepted(db, readers)
    return readers / ((performance.now() - startedAt) / 1_000)
  })
}

async function killWhileSending({ site, random }: BenchContext, readers: number) {
  const sender = await site()
  return withMailing(sender, readers, async (db) => {
    await start(db)
    await accepted(db, random.between(Math.floor(readers / 5), Math.floor(readers / 2)))
    await sender.program.kill()
    const { accepted: sentBefore } = await countDeliveries(db.db, ID)
    await sender.start()
    await fetch(`${sender.standinsUrl}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs: PAST_THE_LEASE_MS }),
    })
    await untilSent(db)
    const counts = await countDeliveries(db.db, ID)
    const emails = (await (await fetch(`${sender.standinsUrl}/mail/messages.json`)).json()) as {
      to: string[]
      subject: string
    }[]
    const copies = new Map<string, number>()
    for (const { to, subject } of emails) {
      if (subject === SUBJECT) copies.set(to[0] ?? '', (copies.get(to[0] ?? '') ?? 0) + 1)
    }
    return {
      sentBefore,
      twice: [...copies.values()].filter((count) => count > 1).length,
      lost: Math.max(0, readers - counts.uncertain - counts.accepted),
      uncertain: counts.uncertain,
    }
  })
}

async function withMailing<T>(site: BenchSite, readers: number, run: (db: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(site.databaseUrl, quiet)
  try {
    await setSubscribers(database.db, readers)
    return await run(database)
  } finally {
    await database.close()
  }
}

const PARAGRAPH = 'The clinic opens on the first and third Saturday of each month. '.repeat(12)

async function start({ db }: Database): Promise<void> {
  await startMailing(
    db,
    createCampaign({ id: ID, subject: SUBJECT, body: `## Clinic days\n\n${PARAGRAPH}\n\nSee [the days](/clinic).` }),
  )
}

async function accepted({ db }: Database, count: number): Promise<void> {
  await until(async () => (await countDeliveries(db, ID)).accepted >= count)
}

async function untilSent({ db }: Database): Promise<void> {
  await until(async () => {
    const { waiting, sending } = await countDeliveries(db, ID)
    return waiting + sending === 0
  })
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('The mailing did not come to its end.')
    await sleep(LOOK_EVERY_MS)
  }
}
