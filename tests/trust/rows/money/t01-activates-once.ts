import { newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { checkoutOf } from '#tests/trust/provider.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const LEVELS = ['annual_member', 'life_member', 'resident_fellow', 'associate_member']
const CONCURRENCY = 50

export const row: TrustRow = {
  id: 'T01',
  promise: 'A payment activates exactly once',
  gate: true,
  target: '1,000 paid sessions: 1,000 active, 0 double activations, 0 lost, 0 5xx, 1,000 receipts mailed once',
  quick: true,
  async run({ world: start, count, random }) {
    const sessions = count(1_000, 30)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const payers = await inParallel(Array.from({ length: sessions }), CONCURRENCY, async (_, turn) => {
      const person = newPerson({ levelKey: random.pick(LEVELS) })
      const visitor = new Visitor(world, { site: world.siteOf(turn) })
      return { person, visitor, search: await visitor.pay(person) }
    })

    const ours = (await world.provider.events()).filter((event) => checkoutOf(event) !== null)
    const actions: (() => Promise<number>)[] = []
    for (const event of ours) {
      const times = event.type === 'checkout.session.completed' ? random.between(1, 5) : random.between(1, 2)
      for (let time = 0; time < times; time++) {
        const { origin } = random.pick(world.sites)
        actions.push(async () => (await world.provider.deliver(origin, world.provider.sign(event))).status)
      }
    }
    const tokens = new Map<string, string[]>(payers.map(({ person }) => [person.email, []]))
    for (const { person, visitor, search } of payers) {
      for (let time = random.between(1, 3); time > 0; time--) {
        const site = random.pick(world.sites)
        actions.push(async () => {
          visitor.site = site
          const response = await visitor.verifySession(search)
          if (response.body?.token) tokens.get(person.email)?.push(response.body.token as string)
          return response.status
        })
      }
    }
    const statuses = await inParallel(random.shuffle(actions), CONCURRENCY, (action) => action())
    const isQuiet = await world.isQuiet(120_000)

    const faults = new Faults()
    faults.expect(isQuiet, 'outbox not empty')
    for (const status of statuses) faults.expect(status >= 200 && status < 300, `status ${status}`)
    await inParallel(payers, CONCURRENCY, async ({ person, visitor }) => {
      const mine = tokens.get(person.email) ?? []
      faults.expect(mine.length === 1, 'token not handed out exactly once', String(mine.length))
      visitor.token = mine[0] ?? null
      const { body } = await visitor.get('/api/account/profile')
      const isActive =
        body?.subscription?.status === 'ACTIVE' && body.subscription.membershipLevel.key === person.levelKey
      faults.expect(isActive, 'not active', JSON.stringify(body))
    })
    const stored = await countStored(world)
    faults.expect(stored.memberships === sessions, 'memberships', `${stored.memberships}`)
    faults.expect(stored.payments === sessions, 'payments', `${stored.payments}`)
    faults.expect((await world.provider.refunds()).length === 0, 'refunded')

    const mailed = new Map(payers.map(({ person }) => [person.email, 0]))
    for (const { to, subject } of await world.mailbox.all()) {
      const address = to[0] ?? ''
      if (/receipt/i.test(subject)) mailed.set(address, (mailed.get(address) ?? 0) + 1)
    }
    const receipts = [...mailed.values()]
    for (const times of receipts) faults.expect(times === 1, 'receipts not mailed once', String(times))

    const active = sessions - faults.countOf('not active')
    return {
      passed: faults.count === 0,
      reached:
        `${active} of ${sessions} active, ${stored.memberships - sessions} double, ${statuses.length} calls (${tally(statuses)}), ` +
        `receipts mailed: ${tally(receipts)}; faults: ${faults}`,
    }
  },
}

/** The difference made by this row: the sample members have no checkout. */
async function countStored({ database: { db } }: World): Promise<{ memberships: number; payments: number }> {
  const people = db.selectFrom('checkout').select('personId')
  const memberships = await db.selectFrom('membership').select('id').where('accountId', 'in', people).execute()
  const payments = await db.selectFrom('payment').select('id').where('accountId', 'in', people).execute()
  return { memberships: memberships.length, payments: payments.length }
}
