import { newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { checkoutOf, WEBHOOK_PATH, WEBHOOK_SECRET, type SignedWebhookEvent } from '#tests/trust/provider.ts'
import { request } from '#tests/trust/http.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'
import { snapshotOf } from '#tests/trust/faults/snapshot.ts'

/** Signatures and bodies that no genuine event has; `null` sends no signature. */
type Forgery = { kind: string; body: string | Buffer; signature: string | null }

export const row: TrustRow = {
  id: 'T04',
  promise: 'Forged money is refused',
  gate: true,
  target: '10,000 mutated signatures and bodies: 0 accepted, all 400, state unchanged',
  quick: true,
  async run({ world: start, count, random }) {
    const mutations = count(10_000, 400)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const payers = await inParallel(Array.from({ length: 10 }), 10, async () => {
      const visitor = new Visitor(world)
      await visitor.pay(newPerson({ levelKey: random.pick(['annual_member', 'life_member']) }))
    })
    const events = (await world.provider.events()).filter(
      (event) => event.type === 'checkout.session.completed' && checkoutOf(event) !== null,
    )
    if (events.length !== payers.length) throw new Error('The payments were not told of')
    await world.quiet()

    const before = await snapshotOf(world)
    const forgeries = Array.from({ length: mutations }, () => forge(world, random, random.pick(events)))
    const faults = new Faults()
    const statuses = await inParallel(forgeries, 50, async (forgery, turn) => {
      const status = await send(world.siteOf(turn).origin, forgery)
      faults.expect(status === 400, `${forgery.kind} answered ${status}`)
      return status
    })
    await world.quiet()
    faults.expect((await snapshotOf(world)) === before, 'state changed')

    // The same events, unforged, are accepted: the forgeries were rejected for being forged.
    for (const event of events) {
      const { status } = await world.provider.deliver(world.site.origin, world.provider.sign(event))
      faults.expect(status === 200, 'genuine notice refused', String(status))
    }
    await world.quiet()
    faults.expect((await snapshotOf(world)) !== before, 'genuine notices changed nothing')

    const accepted = statuses.filter((status) => status < 400).length
    const kinds = new Set(forgeries.map(({ kind }) => kind)).size
    return {
      passed: faults.count === 0,
      reached: `${accepted} accepted of ${mutations} (${kinds} kinds): ${tally(statuses)}, state ${faults.countOf('state changed') === 0 ? 'unchanged' : 'CHANGED'}; faults: ${faults}`,
    }
  },
}

const KINDS: Record<string, (world: World, random: Random, event: object) => Omit<Forgery, 'kind'>> = {
  'no header': (_world, _random, event) => ({ body: JSON.stringify(event), signature: null }),
  'empty header': (_world, _random, event) => ({ body: JSON.stringify(event), signature: '' }),
  'wrong secret': (world, random, event) => signed(world, event, { secret: `whsec_${random.hex(16)}` }),
  "other endpoint's secret": (world, _random, event) => signed(world, event, { secret: `${WEBHOOK_SECRET}_other` }),
  'signed 301 s ago': (world, random, event) => signed(world, event, { ageSeconds: 301 + random.between(0, 5_000) }),
  'v0 instead of v1': (world, _random, event) => reworded(signed(world, event), (text) => text.replace('v1=', 'v0=')),
  'no signature, only time': (world, _random, event) =>
    reworded(signed(world, event), (text) => text.replace(/,.*/, '')),
  'other time': (world, random, event) =>
    reworded(signed(world, event), (text) =>
      text.replace(/t=(\d+)/, (_, t) => `t=${Number(t) + random.between(1, 250)}`),
    ),
  'signature byte': (world, random, event) =>
    reworded(signed(world, event), (text) => {
      const at = text.indexOf('v1=') + 3 + random.between(0, 63)
      const hex = '0123456789abcdef'
      const other = random.pick([...hex].filter((digit) => digit !== text[at]))
      return text.slice(0, at) + other + text.slice(at + 1)
    }),
  'signature cut': (world, random, event) =>
    reworded(signed(world, event), (text) => text.slice(0, -random.between(1, 40))),
  'body byte': (world, random, event) => {
    const notice = signed(world, event)
    const bytes = Buffer.from(notice.body)
    const at = random.between(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ random.between(1, 255)
    return { body: bytes, signature: notice.signature }
  },
  'body longer': (world, random, event) => {
    const notice = signed(world, event)
    return { body: notice.body + random.pick([' ', '\n', '{}', '\0']), signature: notice.signature }
  },
  'body of another notice': (world, random, event) => ({
    body: JSON.stringify({ ...event, id: `evt_${random.hex(12)}` }),
    signature: signed(world, event).signature,
  }),
  'empty body': (world, _random, event) => ({ body: '', signature: signed(world, event).signature }),
  'other livemode': (world, _random, event) => signed(world, { ...event, livemode: true }),
  'signed, but no event': (world, random) =>
    signed(world, random.pick(['null', '[]', '"x"', '{}', 'not json', '{"id":1}', '{"data":null,"livemode":false}'])),
  'random header': (_world, random, event) => ({
    body: JSON.stringify(event),
    signature: `t=${Math.floor(Date.now() / 1_000)},v1=${random.hex(32)}`,
  }),
}

function forge(world: World, random: Random, event: object): Forgery {
  const kind = random.pick(Object.keys(KINDS))
  const make = KINDS[kind]
  if (!make) throw new Error(kind)
  return { kind, ...make(world, random, event) }
}

function signed(
  world: World,
  event: object | string,
  how?: Parameters<World['provider']['sign']>[1],
): SignedWebhookEvent {
  return world.provider.sign(event, how)
}

function reworded({ body, signature }: SignedWebhookEvent, change: (text: string) => string): SignedWebhookEvent {
  return { body, signature: change(signature) }
}

async function send(origin: string, { body, signature }: Forgery): Promise<number> {
  const { status } = await request(origin, {
    method: 'POST',
    path: WEBHOOK_PATH,
    headers: { 'content-type': 'application/json', ...(signature !== null && { 'stripe-signature': signature }) },
    body,
  })
  return status
}
