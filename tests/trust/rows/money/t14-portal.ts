import { sql } from 'kysely'
import { inParallel } from '#tests/trust/load.ts'
import { request } from '#tests/trust/http.ts'
import { newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PORTAL = '/api/billing/portal-session'

export const row: TrustRow = {
  id: 'T14',
  promise: 'The portal is for its owner only',
  gate: false,
  target:
    '100 members, crossed: own customer only; ONE_TIME refused; no portal without a customer; the URL absent from logs and database',
  async run({ world: start, count }) {
    const members = count(100, 10)
    const world = await start({ instances: 2, environment: { LOG_LEVEL: 'debug' } })
    const faults = new Faults()
    const visitors = await inParallel(Array.from({ length: members }), 4, (_, turn) => joined(world, turn))
    const urls = await inParallel(visitors, 4, async ({ visitor }, turn) => {
      const other = visitors[(turn + 1) % members]
      // Every field that could name another person.
      const crossed = {
        customer: other?.customerId,
        customerId: other?.customerId,
        accountId: other?.accountId,
        userId: other?.accountId,
      }
      const response = await visitor.post(PORTAL, crossed)
      faults.expect(response.status === 200, `answered ${response.status}`, response.text)
      return response.body.url as string
    })
    faults.expect(new Set(urls).size === members, 'an address given twice')

    // Every second one cancels with the URL they got: only their own subscription may end.
    await inParallel(urls, 4, async (url, turn) => {
      if (turn % 2 === 1) return
      const { pathname } = new URL(url)
      await request(world.standinsUrl, {
        method: 'POST',
        path: `${pathname}/cancel`,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    })
    const cancels = new Map(
      (await world.provider.subscriptions()).map((one) => [one.metadata['person_id'], one.cancel_at_period_end]),
    )
    for (const [turn, { accountId }] of visitors.entries()) {
      faults.expect(cancels.get(accountId) === (turn % 2 === 0), 'subscription of another member', accountId)
    }

    const anonymous = await new Visitor(world).post(PORTAL, {})
    faults.expect(anonymous.status === 401, `without a token ${anonymous.status}`, anonymous.text)
    const lifetime = new Visitor(world)
    await lifetime.join(newPerson({ levelKey: 'life_member' }))
    const refused = await lifetime.post(PORTAL, {})
    faults.expect(
      refused.status === 409 && refused.body.code === 'LIFETIME_MEMBERSHIP',
      'lifetime not refused',
      refused.text,
    )
    const student = new Visitor(world)
    await student.join(newPerson({ levelKey: 'medical_student' }))
    const free = await student.post(PORTAL, {})
    faults.expect(
      free.status === 200 && !String(free.body.url).includes('/portal/'),
      'a portal without a customer',
      free.text,
    )

    await world.quiet()
    const ids = urls.map((url) => new URL(url).pathname.split('/').at(-1) ?? '')
    const logs = world.sites.map(({ program }) => program.output + program.errors).join('')
    const stored = await everything(world)
    const leaks = ids.filter((id) => logs.includes(id) || stored.includes(id))
    for (const id of leaks) faults.add('the address was kept', id)
    return {
      passed: faults.count === 0 && logs.length > 0 && stored.length > 0,
      reached: `${members} members with crossed names, ${new Set(urls).size} addresses of their own, ${leaks.length} of them in ${Math.round(logs.length / 1024)} kB of logs or in the database; faults: ${faults}`,
    }
  },
}

async function joined(
  world: World,
  turn: number,
): Promise<{ visitor: Visitor; accountId: string; customerId: string }> {
  const visitor = new Visitor(world, { site: world.siteOf(turn) })
  const person: Person = await visitor.join(newPerson())
  const account = await world.database.db
    .selectFrom('account')
    .select(['id', 'stripeCustomerId'])
    .where('emailKey', '=', person.email)
    .executeTakeFirstOrThrow()
  return { visitor, accountId: account.id, customerId: account.stripeCustomerId ?? '' }
}

/** Every row of every table, as text. */
async function everything({ database: { db } }: World): Promise<string> {
  const tables = await db.introspection.getTables()
  const dumps = await Promise.all(
    tables.map(async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(db)).rows),
  )
  return JSON.stringify(dumps)
}
