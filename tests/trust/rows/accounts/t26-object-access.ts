import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import type { HttpResponse } from '#tests/trust/http.ts'
import { tally } from '#tests/trust/load.ts'
import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

/** A person's data that another must never see or change. */
interface Victim {
  person: Person
  accountId: string
  sessionIds: string[]
  checkoutSessionId: string
  customerId: string
  subscriptionId: string
}

/** A valid body, for calls that validate theirs first. */
function goodBody({ name }: Endpoint, { email, username, password }: Person): Record<string, unknown> {
  switch (name) {
    case 'updateProfile':
      return { username: `${username}.x`, name: { first: 'Other', last: 'Person' } }
    case 'changePassword':
      return { currentPassword: password, newPassword: 'a-quieter-veranda' }
    case 'changeEmail':
      return { email: `moved.${email}`, password }
    case 'deleteAccount':
      return { password }
    case 'giveCredentials':
      return { npi: '1234567893', licenceState: 'GA' }
    case 'submitAnswers':
      return { values: { npi: '1234567893', licenceState: 'GA' } }
    case 'giveTraining':
      return { stage: 'student', place: 'Emory School of Medicine', endsOn: `${new Date().getFullYear() + 2}-05-31` }
    case 'startCheckout':
      return { levelKey: 'life_member' }
    default:
      return {}
  }
}

/** Every field name that could contain an id or a permission. */
function crossed({ person, accountId, customerId, subscriptionId, checkoutSessionId, sessionIds }: Victim) {
  const name = { first: 'Taken', last: 'Over' }
  const ids = ['_id', 'id', 'accountId', 'account_id', 'userId', 'user_id', 'personId', 'sub', 'memberId', 'profileId']
  return {
    ...Object.fromEntries(ids.map((key) => [key, accountId])),
    customer: customerId,
    stripeCustomerId: customerId,
    stripe_customer_id: customerId,
    subscription: subscriptionId,
    subscriptionId,
    sessionId: checkoutSessionId,
    session_id: checkoutSessionId,
    sid: sessionIds[0],
    user: { _id: accountId, email: person.email },
    account: { id: accountId },
    profile: { _id: accountId, name },
  }
}

/** Fields that people must not be able to set for themselves. */
const RIGHTS = {
  role: 'admin',
  isOfficer: true,
  is_officer: 1,
  status: 'ACTIVE',
  kind: 'ONE_TIME',
  tokenVersion: 99,
  token_version: 99,
  createdAt: '1990-01-01T00:00:00.000Z',
  created_at: 0,
  password_hash: 'x',
  deactivated_by: 'officer',
  membershipLevel: { key: 'life_member' },
}

export const row: TrustRow = {
  id: 'T26',
  promise: 'Object access',
  gate: true,
  target: '2 members x all bearer calls with crossed ids; extra fields in PUT: 0 crossings, 0 extra fields stored',
  async run({ world: start }) {
    const world = await start()
    const faults = new Faults()
    const calls = endpoints.filter(({ access }) => access === 'member' || access === 'optional')
    const responses: HttpResponse[] = []
    const victims = [await makeVictim(world), await makeVictim(world)]

    for (const victim of victims) {
      const before = await stateOf(world, victim)
      for (const endpoint of calls) {
        const attacker = new Visitor(world)
        const person = await attacker.join(newPerson())
        responses.push(...(await attack(endpoint, attacker, { person, victim })))
        for (const response of responses.slice(-3)) {
          for (const secret of secretsOf(victim)) {
            faults.expect(!response.text.includes(secret), `${endpoint.name} shows another`, response.text)
          }
        }
        await world.quiet()
        faults.expect((await stateOf(world, victim)) === before, `${endpoint.name} changes another`)
        const { officer, lifetime } = await rightsOf(world, person)
        faults.expect(!officer && !lifetime, `${endpoint.name} gives rights`)
      }
    }

    const stored = await tryExtraFields(world, faults)
    return {
      passed: faults.count === 0,
      reached: `${victims.length} members x ${calls.length} bearer calls, ${responses.length} requests with crossed ids (${tally(responses.map(({ status }) => status))}); ${stored} requests with extra fields; faults: ${faults}`,
    }
  },
}

/** In the body, in the query, and in path parameters. */
async function attack(
  { method, path, name, body }: Endpoint,
  attacker: Visitor,
  { person, victim }: { person: Person; victim: Victim },
): Promise<HttpResponse[]> {
  const cross = crossed(victim)
  const texts = Object.entries(cross).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const query = `?${new URLSearchParams(texts)}`
  const target = path.replace(/:(\w+)/g, () => victim.sessionIds[0] ?? victim.accountId)
  const good = goodBody({ name } as Endpoint, person)
  const value = body === undefined ? undefined : { ...cross, ...good, ...RIGHTS }
  const first = await attacker.call(method, `${target}${query}`, value)
  // Some calls end their own session.
  await attacker.logIn(person.email, person.password)
  const second = await attacker.call(method, target, method === 'GET' ? undefined : { ...good, ...cross })
  await attacker.logIn(person.email, person.password)
  const third = await attacker.call(method, `${target}${query}&nonce=guessed`, value)
  return [first, second, third]
}

async function tryExtraFields(world: World, faults: Faults): Promise<number> {
  const puts = endpoints.filter(({ method, access }) => method === 'PUT' && access === 'member')
  let sent = 0
  for (const endpoint of puts) {
    for (const extra of [RIGHTS, { email: 'else@example.com', _id: 'x', id: 'x' }]) {
      const visitor = new Visitor(world)
      const person = await visitor.join(newPerson({ levelKey: 'medical_student' }))
      const good = goodBody(endpoint, person)
      const { accountId } = await describe(world, person)
      // Written as text, so that `__proto__` is an ordinary field.
      const text = `{"__proto__":{"isOfficer":true,"is_officer":1},"constructor":{"prototype":{"is_officer":1}},${JSON.stringify({ ...extra, ...good }).slice(1)}`
      const response = await visitor.call(endpoint.method, endpoint.path, text, { 'content-type': 'application/json' })
      sent++
      faults.expect(response.status === 200, `${endpoint.name}: refused for extra fields`, response.text)
      const row = await world.database.db
        .selectFrom('account')
        .selectAll()
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      faults.expect(row.email === person.email, `${endpoint.name}: email stored`, row.email)
      faults.expect(row.isOfficer === 0, `${endpoint.name}: officer stored`)
      faults.expect(row.deactivatedBy === null, `${endpoint.name}: deactivation stored`)
      faults.expect(row.tokenVersion <= 2, `${endpoint.name}: version stored`, `${row.tokenVersion}`)
      faults.expect(row.createdAt > 0 && !row.passwordHash.startsWith('x'), `${endpoint.name}: column stored`)
      faults.expect(row.emailKey === person.email.toLowerCase(), `${endpoint.name}: key stored`)
    }
  }
  return sent
}

async function makeVictim(world: World): Promise<Victim> {
  const visitor = new Visitor(world)
  const person = await visitor.join(newPerson())
  expectStatus(await new Visitor(world).logIn(person.email, person.password), 200, 'login')
  await world.quiet()
  return describe(world, person)
}

async function describe(world: World, person: Person): Promise<Victim> {
  const { db } = world.database
  const account = await db.selectFrom('account').selectAll().where('email', '=', person.email).executeTakeFirstOrThrow()
  const sessions = await db.selectFrom('session').select('id').where('accountId', '=', account.id).execute()
  const membership = await db
    .selectFrom('membership')
    .selectAll()
    .where('accountId', '=', account.id)
    .executeTakeFirst()
  const checkout = await db.selectFrom('checkout').selectAll().where('personId', '=', account.id).executeTakeFirst()
  return {
    person,
    accountId: account.id,
    sessionIds: sessions.map(({ id }) => id),
    checkoutSessionId: checkout?.stripeSessionId ?? '',
    customerId: account.stripeCustomerId ?? '',
    subscriptionId: membership?.stripeSubscriptionId ?? '',
  }
}

/** Everything stored about a person, as text; without timestamps that change with a visit. */
async function stateOf(world: World, { accountId, customerId, subscriptionId }: Victim): Promise<string> {
  const { db } = world.database
  const { updatedAt: _, ...account } = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const sessions = await db
    .selectFrom('session')
    .select(['id', 'revokedAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  const memberships = await db
    .selectFrom('membership')
    .select(['id', 'levelKey', 'isCurrent', 'cancelAtPeriodEnd', 'endedAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  const names = await db.selectFrom('loginName').selectAll().where('accountId', '=', accountId).execute()
  const payments = await db.selectFrom('payment').select('id').where('accountId', '=', accountId).execute()
  const wishes = await db.selectFrom('emailChange').selectAll().where('accountId', '=', accountId).execute()
  const { stripe } = world.provider
  const subscription = subscriptionId ? await stripe.subscriptions.retrieve(subscriptionId) : null
  const customer = customerId ? await stripe.customers.retrieve(customerId) : null
  const outside = {
    ends: subscription?.cancel_at_period_end,
    status: subscription?.status,
    email: customer && 'email' in customer ? customer.email : null,
  }
  return JSON.stringify([account, sessions, memberships, names, payments, wishes, outside])
}

/** Values that must not appear in another person's response; ids sent in the request are excluded where they are only echoed. */
function secretsOf({ person, customerId, subscriptionId }: Victim): string[] {
  return [person.email, `"${person.username}"`, customerId, subscriptionId].filter((secret) => secret.length > 3)
}

async function rightsOf(world: World, { email }: Person): Promise<{ officer: boolean; lifetime: boolean }> {
  const { db } = world.database
  const found = await db
    .selectFrom('account')
    .leftJoin('membership', 'membership.accountId', 'account.id')
    .select(['account.isOfficer', 'membership.kind'])
    .where('account.emailKey', '=', email.toLowerCase())
    .execute()
  return {
    officer: found.some(({ isOfficer: officer }) => officer === 1),
    lifetime: found.some(({ kind }) => kind === 'ONE_TIME'),
  }
}
