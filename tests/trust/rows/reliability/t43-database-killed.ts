import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '#tests/trust/http.ts'
import { Effects } from '#tests/trust/faults/kill-load.ts'
import { tally, until } from '#tests/trust/load.ts'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { PostgresServer } from '#tests/trust/faults/postgres-server.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { requireConsistent } from '#tests/trust/consistency.ts'

const BACK_WITHIN_MS = 5_000
const AWAY_MS = 1_000
/** Longer than any effect's lease: work in progress when the database died is retried. */
const PAST_EVERY_LEASE_MS = 125_000
const LEVELS = '/api/membership-levels'
const WORDS = ['/', '/about', '/events', '/faqs', '/become-a-member', '/auth/login', LEVELS, '/healthz']

export const row: TrustRow = {
  id: 'T43',
  promise: 'kill -9 of the database',
  gate: true,
  target:
    '20 rounds, the database killed at a random moment of 200 sign-ups, 200 webhooks, 100 resets, 100 messages, the app not restarted: 0 acknowledged writes lost, app reconnects < 5 s; during the outage 503 + Retry-After, public static pages 200',
  async run({ world: start, count, random }) {
    const server = await PostgresServer.make()
    if (typeof server === 'string') return { passed: false, reached: 'not measured', notes: `${server}.` }
    const rounds = count(20, 2)
    const sizes = {
      signUps: count(200, 20),
      updates: count(190, 10),
      payments: count(10, 4),
      resets: count(100, 10),
      messages: count(100, 10),
    }
    const world = await start({ pages: true, database: server.database })
    const { pid } = world.site.program
    await world.control({ webhooks: 'drop' })
    const effects = new Effects(world, sizes, random)
    await effects.prepare()
    // Cached once requested, as on any site in use.
    await request(world.site.origin, { path: LEVELS })
    const faults = new Faults()
    const reconnects: number[] = []
    let acknowledged = 0
    let asked = 0
    let meanwhile = 0

    for (let round = 0; round < rounds; round++) {
      await effects.prepareRound()
      const strike = () => sleep(random.between(0, 40)).then(() => server.kill())
      const result = await effects.run(random.next(), strike)
      asked += result.asked
      acknowledged += result.signUps + result.webhooks + result.resets + result.messages

      meanwhile += await requirePatience(world, faults)
      await server.start()
      reconnects.push(await timeUntilBack(world, faults))
      await requireConsistent(world, faults)
      await effects.advance(PAST_EVERY_LEASE_MS)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireKept(faults)
      await effects.deliverRest(faults)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireComplete(faults)
      await requireConsistent(world, faults)
    }
    faults.expect(!world.site.program.hasEnded && world.site.program.pid === pid, 'the app ended')
    const slowest = Math.max(...reconnects)
    faults.expect(slowest < BACK_WITHIN_MS, 'reconnected too late', `${slowest}`)
    return {
      passed: faults.count === 0,
      reached:
        `${rounds} kills during ${asked} requests; acknowledged ${acknowledged}, each looked up afterwards; while it was away ${meanwhile} calls and pages asked; ` +
        `back after at most ${(slowest / 1_000).toFixed(1)} s (${tally(reconnects.map((ms) => `${(ms / 1_000).toFixed(1)} s`))}); faults: ${faults}`,
      notes: 'SQLite lives in the process of the app and cannot be killed alone: T42',
    }
  },
}

/** While the database is down, calls that need it fail with Retry-After; all others work. Resolves with the number of requests. */
async function requirePatience(world: World, faults: Faults): Promise<number> {
  const visitor = new Visitor(world)
  const calls = [
    () => visitor.register(newPerson()),
    () => visitor.logIn('annual@example.org', 'Peachtree-2041'),
    () => visitor.forgotPassword('annual@example.org'),
  ]
  let askedFor = 0
  const endsAt = performance.now() + AWAY_MS
  do {
    for (const call of calls) {
      const response = await call()
      askedFor++
      faults.expect(response.status === 503, `a call that needs it answered ${response.status}`, response.text)
      faults.expect(Number(response.headers['retry-after']) > 0, '503 without Retry-After', response.text)
    }
    for (const path of WORDS) {
      const { status } = await request(world.site.origin, { path })
      askedFor++
      faults.expect(status === 200, `${path} answered ${status}`)
    }
    const ready = await request(world.site.origin, { path: '/readyz' })
    faults.expect(ready.status === 503, `/readyz answered ${ready.status}`, ready.text)
  } while (performance.now() < endsAt)
  return askedFor
}

/** From the database's first accepted connection to the app's first successful write. */
async function timeUntilBack(world: World, faults: Faults): Promise<number> {
  const startedAt = performance.now()
  const back = await until(
    async () => {
      const { status } = await new Visitor(world).register(newPerson())
      return status === 201
    },
    { withinMs: 30_000, everyMs: 25 },
  )
  faults.expect(back !== null, 'did not come back')
  return performance.now() - startedAt
}
