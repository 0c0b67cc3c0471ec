import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fixtures from '#tests/support/emails/stripe-fixtures.json' with { type: 'json' }
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, percentile, tally } from '#tests/trust/load.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { snapshotOf } from '#tests/trust/faults/snapshot.ts'

const SLOWEST_MS = 200
const resources = fixtures.resources as unknown as Record<string, Record<string, unknown>>

export const row: TrustRow = {
  id: 'T11',
  promise: 'Foreign or unknown events are harmless',
  gate: false,
  undisturbed: true,
  target: "every event type of the SDK's union without our metadata: 200, 0 state changes, p99 < 200 ms",
  async run({ world: start, count, random }) {
    const rounds = count(5, 1)
    const world = await start({ instances: 2 })
    await new Visitor(world).join(newPerson())
    await world.quiet()
    await world.control({ webhooks: 'drop' })
    const types = eventTypes()
    const before = await snapshotOf(world)
    const events = random
      .shuffle(Array.from({ length: rounds }, () => types).flat())
      .map((type) => eventOf(type, random))
    const faults = new Faults()
    const responses = await inParallel(events, 4, async (event, turn) => {
      const response = await world.provider.deliver(world.siteOf(turn).origin, world.provider.sign(event))
      faults.expect(response.status === 200, `${event.type} answered ${response.status}`, response.text)
      return response
    })
    await world.quiet()
    faults.expect((await snapshotOf(world)) === before, 'state changed')
    const p99 = percentile(
      responses.map(({ ms }) => ms),
      0.99,
    )
    return {
      passed: faults.count === 0 && p99 < SLOWEST_MS && types.length > 200,
      reached: `${types.length} types, ${events.length} events: ${tally(responses.map(({ status }) => status))}, ${faults.countOf('state changed')} state changes, p99 ${p99.toFixed(0)} ms; faults: ${faults}`,
    }
  },
}

/** Every type in the installed client's declarations, and a few unknown ones. */
function eventTypes(): string[] {
  const entry = fileURLToPath(import.meta.resolve('stripe'))
  const declarations = readFileSync(join(dirname(entry), 'resources', 'WebhookEndpoints.d.ts'), 'utf8')
  const union = /type EnabledEvent = ([^;]+);/.exec(declarations)?.[1] ?? ''
  const known = [...union.matchAll(/'([a-z0-9_.]+)'/g)].map(([, type]) => type as string)
  return [...known, 'invoice.teleported', 'checkout.session.dreamt', 'customer.subscription.cloned', 'unknown', '']
}

/** The recorded object for the type's prefix, otherwise any; as recorded, with an unknown id. */
function eventOf(type: string, random: Random) {
  const name = Object.keys(resources)
    .filter((key) => type.startsWith(`${key}.`))
    .sort((a, b) => b.length - a.length)[0]
  const recorded = resources[name ?? random.pick(Object.keys(resources))] ?? {}
  const metadata = random.pick([{}, null, { order: '17' }, { person_id: 'someone' }, { level_key: 'life_member' }])
  return {
    id: `evt_${random.hex(12)}`,
    object: 'event',
    api_version: '2020-01-01',
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    type,
    data: { object: random.pick([{ ...recorded, metadata }, recorded, { id: `x_${random.hex(6)}` }, {}]) },
  }
}
