import { expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { request } from '#tests/trust/http.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import { snapshotOf } from '#tests/trust/faults/snapshot.ts'

const PARALLEL = 50
const FREE = 'medical_student'

export const row: TrustRow = {
  id: 'T12',
  promise: 'Free level',
  gate: false,
  target:
    'completed=true x 50 in parallel: active once; /stripe/success?free=1 works on reload; forging free=1 grants nothing',
  async run({ world: start, count }) {
    const rounds = count(20, 2)
    const world = await start({ instances: 2, pages: true })
    const faults = new Faults()
    const tokens: number[] = []
    const { db } = world.database

    for (let round = 0; round < rounds; round++) {
      const person = newPerson({ levelKey: FREE })
      const first = new Visitor(world)
      expectStatus(await first.register(person), 201, 'register')
      expectStatus(await first.verify(person.email), 200, 'verify-email')
      const tabs = Array.from({ length: PARALLEL }, (_, turn) => {
        const tab = new Visitor(world, { site: world.siteOf(turn) })
        for (const [name, value] of first.cookies) tab.cookies.set(name, value)
        return tab
      })
      const responses = await inParallel(tabs, PARALLEL, (tab) => tab.start(person))
      for (const { status, body, text } of responses) {
        const isFine = (status === 200 && body.completed === true) || status === 409
        faults.expect(isFine, `start answered ${status}`, text)
      }
      const handed = responses.flatMap(({ body }) => (body?.token ? [body.token as string] : []))
      tokens.push(handed.length)
      faults.expect(handed.length === 1, 'token not handed out once', String(handed.length))
      const owned = await db
        .selectFrom('membership')
        .innerJoin('account', 'account.id', 'membership.accountId')
        .select('membership.id')
        .where('account.email', '=', person.email)
        .execute()
      faults.expect(owned.length === 1, 'memberships of one person', String(owned.length))
      first.token = handed[0] ?? null
      const { body } = await first.get('/api/account/profile')
      faults.expect(body?.subscription?.status === 'ACTIVE', 'not active', JSON.stringify(body))
    }

    const before = await snapshotOf(world)
    const pages = await inParallel([1, 2, 3], 1, async () => {
      const response = await request(world.site.origin, {
        path: '/stripe/success?free=1',
        headers: { accept: 'text/html' },
      })
      faults.expect(
        response.status === 200 && response.text.includes('Membership Activated!'),
        'page',
        String(response.status),
      )
      faults.expect(response.headers['set-cookie'] === undefined, 'page sets a cookie')
      return response.text
    })
    faults.expect(new Set(pages).size === 1, 'page differs on reload')
    const stranger = new Visitor(world)
    const forged = [
      await stranger.get('/api/account/profile?free=1'),
      await stranger.get('/api/stripe/checkout/verify-session?free=1'),
      await stranger.get('/api/stripe/checkout/payment-status?free=1'),
      await stranger.post('/api/stripe/checkout/start?free=1', {
        levelKey: FREE,
        email: 'annual@example.org',
        free: 1,
      }),
      await stranger.post('/api/stripe/checkout/start', { levelKey: 'life_member', completed: true, free: true }),
    ]
    for (const { status, body, text } of forged) {
      faults.expect(status >= 400 && status < 500 && !body?.token, `forged call answered ${status}`, text)
    }
    faults.expect((await snapshotOf(world)) === before, 'forging changed something')
    return {
      passed: faults.count === 0,
      reached: `${rounds} people x ${PARALLEL} starts: tokens each ${tally(tokens)}, 1 membership each; page the same on ${pages.length} loads; ${forged.length} forgeries (${tally(forged.map(({ status }) => status))}); faults: ${faults}`,
    }
  },
}
