import type Stripe from 'stripe'
import { botToken, expectStatus, newPerson, Visitor } from '../people.ts'
import { inParallel, tally } from '../load.ts'
import { startProxy, type Proxy } from '../proxy.ts'
import type { Random } from '../random.ts'
import { Faults, type TrustRow } from '../row.ts'

const PAID_LEVELS = ['annual_member', 'life_member', 'resident_fellow', 'associate_member']
/** Fields by which a request might try to name its own price. */
const FIELDS = [
  'amount',
  'unitAmount',
  'unit_amount',
  'price',
  'priceId',
  'currency',
  'quantity',
  'tierName',
  'amount_total',
  'line_items',
  'discount',
  'coupon',
  'interval',
  'mode',
  'isRecurring',
  'trial_period_days',
]
const VALUES: unknown[] = [
  0,
  1,
  -5,
  0.01,
  0.99,
  1.005,
  1e9,
  1e21,
  '1',
  '0',
  '1000',
  'NaN',
  null,
  true,
  'usd',
  'jpy',
  [],
  {},
  [{ price: 'price_free', quantity: 0 }],
  'free',
  -0,
]
const LEVEL_KEYS: unknown[] = [
  '',
  ' ',
  'medical_student\u0000',
  'ANNUAL_MEMBER',
  'annual member',
  'annual_member;',
  'no_such_level',
  '__proto__',
  'constructor',
  '../annual_member',
  1,
  null,
  true,
  [],
  ['annual_member'],
  { key: 'annual_member' },
  'a'.repeat(65),
]

export const row: TrustRow = {
  id: 'T06',
  promise: "Price is the server's",
  gate: true,
  target:
    'whatever amount, currency, quantity or level a request names: charge = catalogue price always, 400 (or 404) otherwise',
  quick: true,
  async run({ world: start, count, random }) {
    const attempts = count(300, 12)
    let proxy: Proxy | null = null
    const world = await start({
      environment: async (standinsUrl) => {
        proxy = await startProxy(standinsUrl)
        return { STRIPE_API_URL: proxy.url }
      },
    })
    const between = proxy as unknown as Proxy
    await world.control({ webhooks: 'drop' })
    const faults = new Faults()
    const levels = (await new Visitor(world).get('/api/membership-levels')).body as {
      key: string
      unitAmount: number
      currency: string
    }[]
    const priceOf = new Map(levels.map((level) => [level.key, level]))

    const charged = await inParallel(Array.from({ length: attempts }), 30, async () => {
      const person = newPerson({ levelKey: random.pick(PAID_LEVELS) })
      const visitor = new Visitor(world)
      const body = tamper(random, person)
      expectStatus(await register(visitor, person, body), 201, 'register')
      expectStatus(await visitor.verify(person.email), 200, 'verify-email')
      const { levelKey, email, firstName, lastName } = person
      const started = await visitor.post('/api/stripe/checkout/start', {
        ...body,
        levelKey,
        email,
        firstName,
        lastName,
      })
      faults.expect(started.status === 200, `start answered ${started.status}`, started.text)
      const session = await world.provider.stripe.checkout.sessions.retrieve(started.body?.sessionId as string)
      const level = priceOf.get(levelKey)
      faults.expect(
        isCataloguePrice(session, level),
        'other price',
        `${levelKey} ${session.amount_total} ${session.currency}`,
      )
      await world.provider.pay(started.body.sessionUrl as string)
      return session.id
    })

    const statuses = await inParallel(LEVEL_KEYS, 5, async (levelKey) => {
      const visitor = new Visitor(world)
      const person = newPerson()
      expectStatus(await visitor.register(person), 201, 'register')
      expectStatus(await visitor.verify(person.email), 200, 'verify-email')
      const { status, text } = await visitor.post('/api/stripe/checkout/start', { levelKey, email: person.email })
      faults.expect(status === 400 || status === 404, `level ${JSON.stringify(levelKey)} answered ${status}`, text)
      return status
    })

    // The provider says something else was paid than was ordered: no membership, and somebody is told.
    const mismatched = await mismatch()
    async function mismatch(): Promise<number> {
      const visitor = new Visitor(world)
      const person = newPerson()
      const url = await visitor.toHostedPage(person)
      const back = await world.provider.pay(url)
      between.change = ({ path, status, body }) =>
        path.includes('/checkout/sessions/')
          ? { status, body: JSON.stringify({ ...(JSON.parse(body) as object), amount_total: 100 }) }
          : null
      const { body } = await visitor.verifySession(back?.search ?? '')
      between.change = null
      faults.expect(body?.ready === false, 'underpaid and ready', JSON.stringify(body))
      await world.isQuiet()
      const alarms = (await world.mailbox.letters('office@example.org')).filter(({ subject }) =>
        /does not fit its order/.test(subject),
      ).length
      faults.expect(alarms > 0, 'underpaid without an alarm')
      return alarms
    }
    await between.close()
    return {
      passed: faults.count === 0,
      reached:
        `${charged.length - faults.countOf('other price')} of ${attempts} charges at the catalogue price, ${LEVEL_KEYS.length} bad levels ` +
        `(${tally(statuses)}), 1 underpayment reported by ${mismatched} alarm; faults: ${faults}`,
      notes: 'Memberships only: sponsor amounts (custom, tiers, 10,000 random amounts) come with the sponsor checkout',
    }
  },
}

function isCataloguePrice(
  session: Stripe.Checkout.Session,
  level: { unitAmount: number; currency: string } | undefined,
): boolean {
  return session.amount_total === level?.unitAmount && session.currency === level?.currency.toLowerCase()
}

function tamper(random: Random, person: object): Record<string, unknown> {
  const extra = Array.from({ length: random.between(1, 6) }, () => [random.pick(FIELDS), random.pick(VALUES)] as const)
  return { ...person, ...Object.fromEntries(extra) }
}

async function register(visitor: Visitor, person: object, body: Record<string, unknown>) {
  return visitor.post('/api/auth/register', {
    ...body,
    ...person,
    recaptchaToken: await botToken(visitor.world, 'registration'),
  })
}
