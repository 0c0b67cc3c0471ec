import { newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { checkoutOf } from '#tests/trust/provider.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'

export const row: TrustRow = {
  id: 'T02',
  promise: 'Page and webhook at the same instant',
  gate: true,
  target: '500 pairs of verify-session and webhook in parallel on two instances: 500 active once, both responses 2xx',
  async run({ world: start, count, random }) {
    const pairs = count(500, 20)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const payers = await inParallel(Array.from({ length: pairs }), 50, async (_, turn) => {
      const person = newPerson({ levelKey: random.pick(['annual_member', 'life_member']) })
      const visitor = new Visitor(world, { site: world.siteOf(turn) })
      return { person, visitor, search: await visitor.pay(person) }
    })
    const completed = new Map(
      (await world.provider.events())
        .filter((event) => event.type === 'checkout.session.completed' && checkoutOf(event) !== null)
        .map((event) => [(event.data.object as { id: string }).id, event]),
    )

    const faults = new Faults()
    const statuses: string[] = []
    for (const { visitor, search } of payers) {
      const event = completed.get(new URLSearchParams(search).get('session_id') ?? '')
      const notice = world.provider.sign(event)
      const [first, second] = random.shuffle(world.sites)
      visitor.site = first ?? world.site
      // Both are sent in the same turn of the event loop; either may be first.
      const page = () => visitor.verifySession(search)
      const webhook = () => world.provider.deliver((second ?? world.site).origin, notice)
      const pageFirst = random.chance(0.5)
      const [one, other] = await Promise.all(pageFirst ? [page(), webhook()] : [webhook(), page()])
      const [shown, taken] = pageFirst ? [one, other] : [other, one]
      statuses.push(`${shown.status}/${taken.status}`)
      faults.expect(shown.status === 200 && taken.status === 200, 'not both 2xx', `${shown.text} ${taken.text}`)
      faults.expect(shown.body?.ready === true, 'page not ready', shown.text)
      visitor.token = (shown.body?.token as string | undefined) ?? null
      faults.expect(visitor.token !== null, 'no token for who paid', shown.text)
    }
    faults.expect(await world.isQuiet(), 'outbox not empty')

    const { db } = world.database
    const active = await inParallel(payers, 20, async ({ person, visitor }) => {
      const { body } = await visitor.get('/api/account/profile')
      const owned = await db
        .selectFrom('membership')
        .innerJoin('account', 'account.id', 'membership.accountId')
        .select('membership.id')
        .where('account.email', '=', person.email)
        .execute()
      faults.expect(owned.length === 1, 'memberships of one person', String(owned.length))
      return body?.subscription?.status === 'ACTIVE' && owned.length === 1
    })
    faults.expect((await world.provider.refunds()).length === 0, 'refunded')
    const activeCount = active.filter(Boolean).length
    return {
      passed: faults.count === 0 && activeCount === pairs,
      reached: `${activeCount} of ${pairs} active once, answers page/webhook ${tally(statuses)}; faults: ${faults}`,
    }
  },
}
