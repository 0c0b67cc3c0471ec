import type Stripe from 'stripe'
import { newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const DAY_MS = 86_400_000
const FAILS_AT_RENEWAL = '4000000000000341'
const WANTED = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'invoice.paid',
  'customer.subscription.deleted',
  'invoice.payment_failed',
] as const

export const row: TrustRow = {
  id: 'T09',
  promise: 'Out-of-order subscription life',
  gate: false,
  target:
    'all 120 orders of created, updated, paid, deleted and failed for one subscription: the same final state 120 of 120',
  async run({ world: start, count, random }) {
    const world = await start({ instances: 2 })
    const faults = new Faults()
    await new Visitor(world).pay(newPerson(), FAILS_AT_RENEWAL)
    await world.control({ flushWebhooks: true })
    await world.quiet()
    const initial = await membershipOf(world)
    // Its whole life happens without webhooks: paid, failed at the renewal, ended by the provider.
    await world.control({ webhooks: 'drop' })
    await world.control({ advanceMs: 390 * DAY_MS })
    const events = await lifeOf(world, initial.stripeSubscriptionId ?? '')
    const orders = random.shuffle(permutations(events)).slice(0, count(120, 12))
    const finals = new Map<string, number>()
    for (const [turn, order] of orders.entries()) {
      await world.database.db.updateTable('membership').set(initial).where('id', '=', initial.id).execute()
      for (const [place, event] of order.entries()) {
        const again = { ...event, id: `evt_order_${turn}_${place}` }
        const notice = world.provider.sign(again, { at: Date.now() + 390 * DAY_MS })
        const response = await world.provider.deliver(world.siteOf(turn + place).origin, notice)
        faults.expect(response.status === 200, `answered ${response.status}`, response.text)
      }
      faults.expect(await world.isQuiet(), 'outbox not empty')
      const { updatedAt: _when, ...facts } = await membershipOf(world)
      const final = JSON.stringify(facts)
      finals.set(final, (finals.get(final) ?? 0) + 1)
    }
    const [most = 0] = [...finals.values()].sort((a, b) => b - a)
    const final = JSON.parse([...finals.keys()][0] ?? '{}') as Awaited<ReturnType<typeof membershipOf>>
    const subscription = await world.provider.stripe.subscriptions.retrieve(initial.stripeSubscriptionId ?? '')
    faults.expect(final.stripeStatus === subscription.status, 'not what the provider says', final.stripeStatus ?? '')
    faults.expect(final.gaveUpAt === (subscription.ended_at ?? 0) * 1_000, 'ended at another second')
    faults.expect(final.pastDueSince !== null, 'the failure was forgotten')
    return {
      passed: faults.count === 0 && finals.size === 1,
      reached: `${orders.length} orders of ${events.length} notices over two instances: ${most} of ${orders.length} in the same state (${final.stripeStatus}); faults: ${faults}`,
    }
  },
}

async function membershipOf(world: World) {
  return world.database.db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .selectAll('membership')
    .where('emailKey', 'like', 'person%')
    .where('isCurrent', '=', 1)
    .executeTakeFirstOrThrow()
}

/** One webhook event of each kind about this subscription. */
async function lifeOf(world: World, subscriptionId: string): Promise<Stripe.Event[]> {
  const all = await world.provider.events()
  return WANTED.map((type) => {
    const found = all.find((event) => event.type === type && JSON.stringify(event.data.object).includes(subscriptionId))
    if (!found) throw new Error(`The provider told of no ${type}`)
    return found
  })
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, place) =>
    permutations([...items.slice(0, place), ...items.slice(place + 1)]).map((rest) => [item, ...rest]),
  )
}
