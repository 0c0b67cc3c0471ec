import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { notRun, versionOf } from '#tests/trust/faults/counterparts.ts'
import { Effects } from '#tests/trust/faults/kill-load.ts'
import { PgBouncer } from '#tests/trust/faults/pgbouncer.ts'
import { PostgresServer } from '#tests/trust/faults/postgres-server.ts'
import { requireConsistent } from '#tests/trust/consistency.ts'
import { tally, until } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { Site, World } from '#tests/trust/site.ts'

const BACK_WITHIN_MS = 5_000
/** Longer than any effect's lease: work in progress at the strike is retried. */
const PAST_EVERY_LEASE_MS = 125_000
const AWAY_MS = 1_000
const QUIET_WITHIN_MS = 30_000
const STATEMENT_TIMEOUT = '10s'

interface Strike {
  name: string
  run(parts: { bouncer: PgBouncer; server: PostgresServer; world: World }): Promise<void>
}

const STRIKES: Strike[] = [
  {
    name: 'PgBouncer killed',
    async run({ bouncer }) {
      await bouncer.end('SIGKILL')
      await sleep(AWAY_MS)
      await bouncer.start()
    },
  },
  {
    name: 'its connections to the server ended',
    async run({ bouncer }) {
      for (let turn = 0; turn < 5; turn++) {
        await bouncer.endServerConnections()
        await sleep(AWAY_MS / 10)
      }
    },
  },
  {
    name: 'PgBouncer restarted',
    async run({ bouncer }) {
      await bouncer.end('SIGINT')
      await bouncer.start()
    },
  },
  {
    name: 'PostgreSQL killed behind it',
    async run({ server }) {
      await server.kill()
      await sleep(AWAY_MS)
      await server.start()
    },
  },
  {
    name: 'an instance replaced while the connections end',
    async run({ bouncer, world }) {
      const replaced = world.siteOf(1)
      await replaced.program.stop()
      const starting = replaced.start()
      await Promise.all([bouncer.endServerConnections(), starting])
    },
  },
]

export const row: TrustRow = {
  id: 'T83',
  promise: 'PgBouncer with the shipped file',
  gate: false,
  undisturbed: true,
  target:
    'two instances behind PgBouncer in transaction mode: PgBouncer killed and restarted, its connections ended, PostgreSQL killed behind it and an instance replaced, each during sign-ups, webhooks of payments, resets and messages: 0 acknowledged lost, nothing twice, every instance writes again < 5 s, no failure is taken for a fault of the site; statements keep their limit; check and backup work through it',
  async run({ world: start, count, random }) {
    const absent = notRun([{ program: 'pgbouncer', debianPackage: 'pgbouncer' }])
    if (absent) return absent
    const server = await PostgresServer.make()
    if (typeof server === 'string') return { passed: true, reached: `not run: ${server}` }
    const bouncer = await PgBouncer.make(server)
    const world = await start({ instances: 2, database: bouncer.database })
    const faults = new Faults()
    await world.control({ webhooks: 'drop' })
    const effects = new Effects(
      world,
      {
        signUps: count(100, 20),
        updates: count(90, 10),
        payments: count(10, 4),
        resets: count(50, 10),
        messages: count(50, 10),
      },
      random,
    )
    await effects.prepare()
    const backs: number[] = []
    let asked = 0
    let acknowledged = 0
    let outputs = ''
    const rounds = count(2 * STRIKES.length, STRIKES.length)
    for (let round = 0; round < rounds; round++) {
      const { name, run } = STRIKES[round % STRIKES.length] as Strike
      await effects.prepareRound()
      // The output of a process that is replaced ends with it.
      const before = world.sites.map(({ program }) => program)
      const result = await effects.run(random.next(), async () => {
        await sleep(random.between(0, 40))
        await run({ bouncer, server, world })
      })
      asked += result.asked
      acknowledged += result.signUps + result.webhooks + result.resets + result.messages
      for (const site of world.sites) backs.push(await timeUntilBack(world, site, { name, faults }))
      // Effects in progress first: when the clock is advanced, their leases end while they still run.
      faults.expect(await world.isQuiet(QUIET_WITHIN_MS), 'outbox not empty', name)
      await effects.advance(PAST_EVERY_LEASE_MS)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty', name)
      await effects.requireKept(faults)
      await effects.deliverRest(faults)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty', name)
      await effects.requireComplete(faults)
      await requireConsistent(world, faults)
      for (const program of new Set([...before, ...world.sites.map((site) => site.program)])) outputs += program.output
    }
    for (const line of outputs.split('\n').filter((text) => text.includes('unexpected failure')))
      faults.add('a failure taken for a fault', /"message":"[^"]*"/.exec(line)?.[0])
    const twice = await requireOnce(world, faults)
    await requireLimit(bouncer, faults)
    const leftovers = await bouncer.countLeftovers()
    faults.expect(leftovers === 0, 'advisory locks left behind', String(leftovers))
    await runCommands(world, faults)
    const slowest = Math.max(...backs)
    faults.expect(slowest < BACK_WITHIN_MS, 'back too late', `${Math.round(slowest)} ms`)
    return {
      passed: faults.count === 0,
      reached:
        `${rounds} rounds (${STRIKES.map(({ name }) => name).join(', ')}) during ${asked} requests at two instances; acknowledged ${acknowledged}, each looked up afterwards; ` +
        `${twice} emails twice; each instance writes again after at most ${(slowest / 1_000).toFixed(1)} s (${tally(backs.map((ms) => `${(ms / 1_000).toFixed(1)} s`))}); ` +
        `statements end after ${STATEMENT_TIMEOUT}; check and backup went through it; faults: ${faults}`,
      notes: `ran: ${versionOf('pgbouncer', '--version')}; deploy/pgbouncer.ini as shipped, except for ports, names, password and log`,
    }
  },
}

/** From the end of the strike to an instance's first successful write. */
async function timeUntilBack(world: World, site: Site, { name, faults }: { name: string; faults: Faults }) {
  const startedAt = performance.now()
  const back = await until(
    async () => (await new Visitor(world, { site }).register(newPerson()).catch(() => null))?.status === 201,
    { withinMs: 30_000, everyMs: 25 },
  )
  faults.expect(back !== null, 'did not come back', name)
  return performance.now() - startedAt
}

/** No email came twice, and no payment is booked twice. Returns how many emails did. */
async function requireOnce(world: World, faults: Faults): Promise<number> {
  const ids = (await world.mailbox.all()).map(({ headers }) => String(headers['message-id']))
  const twice = ids.length - new Set(ids).size
  faults.expect(twice === 0, 'emails twice', String(twice))
  const { db } = world.database
  const payments = await db.selectFrom('payment').select('checkoutId').where('checkoutId', 'is not', null).execute()
  const booked = payments.map(({ checkoutId }) => checkoutId)
  faults.expect(new Set(booked).size === booked.length, 'payments twice', String(booked.length - new Set(booked).size))
  return twice
}

/** The limit for statements that the site cannot send through PgBouncer is set by it. */
async function requireLimit(bouncer: PgBouncer, faults: Faults): Promise<void> {
  const client = new pg.Client({ connectionString: bouncer.url })
  await client.connect()
  const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout')
  await client.end()
  const limit = rows[0]?.statement_timeout
  faults.expect(limit === STATEMENT_TIMEOUT, 'statements without the limit', limit)
}

async function runCommands(world: World, faults: Faults): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'association-backups-'))
  try {
    for (const words of [['check'], ['backup', folder]])
      await world.site.admin(...words).catch((error: Error) => faults.add(`${words[0]} failed`, error.message))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
