import { setTimeout as sleep } from 'node:timers/promises'
import { tally } from '#tests/trust/load.ts'
import { Effects } from '#tests/trust/faults/kill-load.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { requireConsistent } from '#tests/trust/consistency.ts'

const READY_WITHIN_MS = 5_000
/** Longer than any effect's lease: work of the killed process is retried. */
const PAST_EVERY_LEASE_MS = 125_000

export const row: TrustRow = {
  id: 'T42',
  promise: 'kill -9 of the app',
  gate: true,
  target:
    '20 rounds, killed at a random moment of 200 sign-ups, 200 webhooks, 100 resets, 100 messages: 0 acknowledged writes lost, 0 inconsistent states, ready again < 5 s',
  async run({ world: start, count, random }) {
    const rounds = count(20, 2)
    const sizes = {
      signUps: count(200, 20),
      updates: count(190, 10),
      payments: count(10, 4),
      resets: count(100, 10),
      messages: count(100, 10),
    }
    const world = await start()
    await world.control({ webhooks: 'drop' })
    const effects = new Effects(world, sizes, random)
    await effects.prepare()
    const faults = new Faults()
    const starts: number[] = []
    const acknowledged = { signUps: 0, webhooks: 0, resets: 0, messages: 0 }
    let asked = 0

    for (let round = 0; round < rounds; round++) {
      await effects.prepareRound()
      // In the middle of up to thirty requests, not between two.
      const strike = () => sleep(random.between(0, 40)).then(() => world.site.program.kill())
      const result = await effects.run(random.next(), strike)
      asked += result.asked
      acknowledged.signUps += result.signUps
      acknowledged.webhooks += result.webhooks
      acknowledged.resets += result.resets
      acknowledged.messages += result.messages

      starts.push(await world.site.start())
      await requireConsistent(world, faults)
      await effects.advance(PAST_EVERY_LEASE_MS)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireKept(faults)
      // The provider resends unacknowledged events; then nothing is missing.
      await effects.deliverRest(faults)
      faults.expect(await world.isQuiet(90_000), 'outbox not empty')
      await effects.requireComplete(faults)
      await requireConsistent(world, faults)
    }
    const slowest = Math.max(...starts)
    faults.expect(slowest < READY_WITHIN_MS, 'ready too late', `${slowest}`)
    const total = acknowledged.signUps + acknowledged.webhooks + acknowledged.resets + acknowledged.messages
    return {
      passed: faults.count === 0,
      reached:
        `${rounds} kills during ${asked} requests; acknowledged ${total} (${acknowledged.signUps} sign-ups, ${acknowledged.webhooks} webhooks, ` +
        `${acknowledged.resets} resets, ${acknowledged.messages} messages), each looked up afterwards; ready again after at most ${(slowest / 1_000).toFixed(1)} s ` +
        `(${tally(starts.map((ms) => `${Math.ceil(ms / 1_000)} s`))}); faults: ${faults}`,
    }
  },
}
