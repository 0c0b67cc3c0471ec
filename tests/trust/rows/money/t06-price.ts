import type Stripe from 'stripe'
import { botToken, expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { startProxy, type Proxy } from '#tests/trust/faults/proxy.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const PAID_LEVELS = ['annual_member', 'life_member', 'resident_fellow', 'associate_member']
/** Fields that a request could use to set its own price. */
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

const SPONSOR = '/api/sponsor/checkout/sponsor'
const TIERS: Record<string, number> = { Silver: 100_000, Gold: 200_000, Platinum: 250_000, Patron: 300_000 }
/** Invalid requests, by tier. */
const BAD_ORDERS: [tierName: unknown, amount: unknown][] = [
  ...[0.99, 0, -5, -1, 1.005, 1e9, 1e21, 1e-7, 100_000.01, null, true, [], {}, [5]].map((amount): [string, unknown] => [
    'Custom Amount',
    amount,
  ]),
  ...['0.99', '1.005', '1e9', '-5', 'NaN', 'Infinity', 'ten', '$5', '1,000', '0x10', '', ' ', '１０'].map(
    (amount): [string, unknown] => ['Custom Amount - $5.00', amount],
  ),
  ...Object.keys(TIERS).flatMap((tier): [string, unknown][] => [
    [tier, 1],
    [tier, '1.00'],
    [tier, 999.99],
    [tier, 1_000.01],
    [tier, 2_999],
  ]),
  ...['silver', 'Bronze', '', ' Custom Amount ', '__proto__', 1, null, ['Silver']].map((tier): [unknown, unknown] => [
    tier === ' Custom Amount ' ? 'A Custom Amount' : tier,
    1_000,
  ]),
]

export const row: TrustRow = {
  id: 'T06',
  promise: "Price is the server's",
  gate: true,
  target:
    'any amount, currency, quantity, level or tier in a request: charge = catalog price always, 400 (or 404) otherwise; cents exact for 10,000 random amounts',
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

    // The provider reports another amount than was ordered: no membership, and the officers are alerted.
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
      await world.quiet()
      const alerts = (await world.mailbox.emailsTo('office@example.org')).filter(({ subject }) =>
        /does not match its order/.test(subject),
      ).length
      faults.expect(alerts > 0, 'underpaid without an alarm')
      return alerts
    }
    const sponsored = await sponsorAmounts(world, { random, attempts: count(10_000, 40), faults })
    await between.close()
    return {
      passed: faults.count === 0,
      reached:
        `${charged.length - faults.countOf('other price')} of ${attempts} charges at the catalogue price, ${LEVEL_KEYS.length} bad levels ` +
        `(${tally(statuses)}), 1 underpayment reported by ${mismatched} alarm; sponsors: ${sponsored}; faults: ${faults}`,
    }
  },
}

/** Custom amounts are exact to the cent whatever else is sent, tiers have their price, and invalid orders are rejected. */
async function sponsorAmounts(
  world: World,
  { random, attempts, faults }: { random: Random; attempts: number; faults: Faults },
): Promise<string> {
  const ordered = new Map<string, number>()
  await inParallel(
    Array.from({ length: attempts }, (_, turn) => turn),
    30,
    async (turn) => {
      const [tier, price] = random.pick(Object.entries(TIERS))
      const isTier = turn % 10 === 0
      const cents = isTier ? price : random.between(100, 10_000_000)
      const dollars = (cents / 100).toFixed(2)
      const email = `cents${turn}@example.com`
      const { status, text } = await new Visitor(world).post(SPONSOR, {
        ...tamper(random, {}),
        name: 'Leela',
        company: 'Kaveri Labs',
        email,
        message: '',
        tierName: isTier ? tier : 'Custom Amount - $0.01',
        amount: turn % 2 === 0 ? dollars : Number(dollars),
      })
      if (status === 200) ordered.set(email, cents)
      else faults.add(`sponsor order answered ${status}`, text)
    },
  )
  const isSponsor = (session: Stripe.Checkout.Session) => session.customer_email?.startsWith('cents') === true
  const sessions = (await world.provider.sessions()).filter(isSponsor)
  const exact = sessions.filter(
    ({ customer_email: email, amount_total: total, currency }) =>
      ordered.get(email ?? '') === total && currency === 'usd',
  )
  faults.expect(exact.length === attempts && sessions.length === attempts, 'cents', `${exact.length} of ${attempts}`)

  const refused = await inParallel(BAD_ORDERS, 5, async ([tierName, amount]) => {
    const order = { name: 'Leela', company: 'Kaveri Labs', email: 'centsless@example.com', tierName, amount }
    const { status, text } = await new Visitor(world).post(SPONSOR, order)
    faults.expect(status === 400, `${JSON.stringify([tierName, amount])} answered ${status}`, text)
    return status
  })
  const after = (await world.provider.sessions()).filter(isSponsor).length
  faults.expect(after === sessions.length, 'a session for a bad order', String(after - sessions.length))
  return `${exact.length} of ${attempts} amounts to the cent, ${BAD_ORDERS.length} bad orders (${tally(refused)})`
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
