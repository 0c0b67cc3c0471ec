import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { tally } from '../load.ts'
import { Effects } from '../kill-load.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const READY_WITHIN_MS = 5_000
/** Longer than any lease on an effect: what the killed process had begun is taken up again. */
const PAST_EVERY_LEASE_MS = 125_000

export const row: TrustRow = {
  id: 'T42',
  promise: 'kill -9 of the app',
  gate: true,
  target:
    '20 rounds, killed at a random moment of 200 sign-ups, 200 webhooks, 100 resets: 0 acknowledged writes lost, 0 half states, ready again < 5 s',
  async run({ world: start, count, random }) {
    const rounds = count(20, 2)
    const sizes = { signUps: count(200, 20), updates: count(190, 10), payments: count(10, 4), resets: count(100, 10) }
    const world = await start()
    await world.control({ webhooks: 'drop' })
    const effects = new Effects(world, sizes, random)
    await effects.prepare()
    const faults = new Faults()
    const starts: number[] = []
    const acknowledged = { signUps: 0, webhooks: 0, resets: 0 }
    let asked = 0

    for (let round = 0; round < rounds; round++) {
      await effects.prepareRound()
      // Not between two requests but in the middle of up to thirty.
      const strike = () => sleep(random.between(0, 40)).then(() => world.site.program.kill())
      const result = await effects.run(random.next(), strike)
      asked += result.asked
      acknowledged.signUps += result.signUps
      acknowledged.webhooks += result.webhooks
      acknowledged.resets += result.resets

      starts.push(await world.site.start())
      await requireWhole(world, faults)
      await effects.advance(PAST_EVERY_LEASE_MS)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireKept(faults)
      // The provider tells again what was not acknowledged; then nothing is missing.
      await effects.deliverRest(faults)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireComplete(faults)
      await requireWhole(world, faults)
    }
    const slowest = Math.max(...starts)
    faults.expect(slowest < READY_WITHIN_MS, 'ready too late', `${slowest}`)
    const total = acknowledged.signUps + acknowledged.webhooks + acknowledged.resets
    return {
      passed: faults.count === 0,
      reached:
        `${rounds} kills during ${asked} requests; acknowledged ${total} (${acknowledged.signUps} sign-ups, ${acknowledged.webhooks} webhooks, ` +
        `${acknowledged.resets} resets), each looked up afterwards; ready again after at most ${(slowest / 1_000).toFixed(1)} s ` +
        `(${tally(starts.map((ms) => `${Math.ceil(ms / 1_000)} s`))}); faults: ${faults}`,
      notes: 'Contact messages come with their page',
    }
  },
}

/** Facts that are written together are there together. */
async function requireWhole({ database: { db, engine } }: World, faults: Faults): Promise<void> {
  const halves: [kind: string, query: ReturnType<typeof sql<{ count: number | string }>>][] = [
    [
      'registration without its link',
      sql`select count(*) as count from pending_registration r where r.completed_at is null and not exists
        (select 1 from one_time_token t where t.subject_id = r.id)`,
    ],
    [
      'registration without its reserved name',
      sql`select count(*) as count from pending_registration r where r.completed_at is null and not exists
        (select 1 from login_name n where n.name_key = r.username_key)`,
    ],
    [
      'reserved name without a registration',
      sql`select count(*) as count from login_name n where n.account_id is null and not exists
        (select 1 from pending_registration r where r.username_key = n.name_key)`,
    ],
    [
      'account without its names',
      sql`select count(*) as count from account a where a.deactivated_by is null and not exists
        (select 1 from login_name n where n.account_id = a.id and n.name_key = a.email_key)`,
    ],
    [
      'completed registration without an account',
      sql`select count(*) as count from pending_registration r where r.completed_at is not null and not exists
        (select 1 from account a where a.email_key = r.email_key)`,
    ],
    [
      'account without a membership',
      sql`select count(*) as count from account a where a.is_officer = 0 and exists (select 1 from pending_registration r where r.id = a.id)
        and not exists (select 1 from membership m where m.account_id = a.id)`,
    ],
    [
      'paid checkout without its payment',
      sql`select count(*) as count from checkout c where c.state = 'completed' and not exists
        (select 1 from payment p where p.checkout_id = c.id)`,
    ],
    [
      'payment without its completed checkout',
      sql`select count(*) as count from payment p where p.checkout_id is not null and not exists
        (select 1 from checkout c where c.id = p.checkout_id and c.state = 'completed')`,
    ],
    [
      'notice stored without its effect',
      sql`select count(*) as count from stripe_event e where not exists
        (select 1 from outbox o where o.payload like '%' || e.id || '%')`,
    ],
  ]
  for (const [kind, query] of halves) {
    const { rows } = await query.execute(db)
    faults.expect(Number(rows[0]?.count) === 0, kind, String(rows[0]?.count))
  }
  if (engine !== 'sqlite') return
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  faults.expect(rows[0]?.integrity_check === 'ok', 'database damaged', JSON.stringify(rows))
}
