import { newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { inParallel, until } from '#tests/trust/load.ts'
import { checkoutOf } from '#tests/trust/provider.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const JOB_PERIOD_MS = 15 * 60_000
const THREE_DAYS_MS = 3 * 86_400_000

export const row: TrustRow = {
  id: 'T03',
  promise: 'Lost or late webhooks lose no payment',
  gate: true,
  target:
    'all webhooks dropped and the page opened, never opened, or the webhook 3 days late: 0 lost after one job period',
  async run({ world: start, count, random }) {
    const each = count(100, 5)
    const world = await start({ instances: 2 })
    await world.control({ webhooks: 'drop' })
    const pay = () =>
      inParallel(Array.from({ length: each }), 40, async (_, turn) => {
        const person = newPerson({ levelKey: random.pick(['annual_member', 'life_member']) })
        const visitor = new Visitor(world, { site: world.siteOf(turn) })
        return { person, visitor, search: await visitor.pay(person) }
      })
    const faults = new Faults()

    const opened = await pay()
    await inParallel(opened, 20, async ({ visitor, search }) => {
      const { body } = await visitor.verifySession(search)
      faults.expect(body?.ready === true, 'page opened, not ready', JSON.stringify(body))
    })
    const afterPage = await activeOf(world, opened)

    const neverOpened = await pay()
    const before = await activeOf(world, neverOpened)
    faults.expect(before === 0, 'active without any event', String(before))
    await world.control({ advanceMs: JOB_PERIOD_MS })
    await until(async () => (await activeOf(world, neverOpened)) === each, { withinMs: 60_000, everyMs: 250 })
    const afterJob = await activeOf(world, neverOpened)

    // The site is down for three days: the reconciler does not run first.
    const late = await pay()
    await Promise.all(world.sites.map((site) => site.program.stop()))
    await world.control({ advanceMs: THREE_DAYS_MS })
    for (const site of world.sites) await site.start()
    const theirs = new Set(late.map(({ search }) => new URLSearchParams(search).get('session_id')))
    const events = (await world.provider.events()).filter(
      (event) =>
        event.type === 'checkout.session.completed' &&
        checkoutOf(event) !== null &&
        theirs.has((event.data.object as { id: string }).id),
    )
    await inParallel(events, 20, async (event, turn) => {
      const notice = world.provider.sign(event, { at: Date.now() + JOB_PERIOD_MS + THREE_DAYS_MS })
      const { status } = await world.provider.deliver(world.siteOf(turn).origin, notice)
      faults.expect(status === 200, 'late webhook refused', String(status))
    })
    await until(async () => (await activeOf(world, late)) === each, { withinMs: 60_000, everyMs: 250 })
    const afterLate = await activeOf(world, late)
    faults.expect(await world.isQuiet(), 'outbox not empty')
    faults.expect((await world.provider.refunds()).length === 0, 'refunded')

    const lost = 3 * each - afterPage - afterJob - afterLate
    return {
      passed: lost === 0 && faults.count === 0,
      reached:
        `${lost} lost: page opened ${afterPage} of ${each}, never opened ${afterJob} of ${each} after one job period, ` +
        `webhook 3 days late ${afterLate} of ${each}; faults: ${faults}`,
    }
  },
}

async function activeOf({ database: { db } }: World, people: readonly { person: Person }[]): Promise<number> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.accountId')
    .select('membership.id')
    .where('membership.isCurrent', '=', 1)
    .where(
      'account.email',
      'in',
      people.map(({ person }) => person.email),
    )
    .execute()
  return rows.length
}
