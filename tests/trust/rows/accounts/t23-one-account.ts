import { expectStatus, newPerson, Visitor, type Person } from '#tests/trust/people.ts'
import { inParallel, tally, until } from '#tests/trust/load.ts'
import { linkIn } from '#tests/trust/mailbox.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

/** Characters that look like ASCII, or fold to it: Kelvin sign, dotless i, full width, combining, long s, zero width. */
const LOOKALIKES: [ascii: string, other: string][] = [
  ['k', '\u212a'],
  ['i', '\u0131'],
  ['i', '\u0130'],
  ['a', '\uff41'],
  ['e', 'e\u0301'],
  ['s', '\u017f'],
  ['o', '\u043e'],
  ['a', 'a\u200b'],
  ['.', '\u3002'],
  ['@', '\uff20'],
]

export const row: TrustRow = {
  id: 'T23',
  promise: 'One account per address',
  gate: true,
  target:
    '100 parallel registrations of one email address, of one username, in case and Unicode variants, two instances: 1 account; 99 uniform responses; no 5xx',
  async run({ world: start, count, random }) {
    const parallel = count(100, 12)
    const world = await start({ instances: 2 })
    const faults = new Faults()

    const addressed = await oneAddress(world, { parallel, random, faults })
    const named = await oneUsername(world, { parallel, random, faults })
    const lookalikes = await lookalikeNames(world, faults)

    const { db } = world.database
    const keys = await db.selectFrom('account').select('emailKey').where('deactivatedBy', 'is', null).execute()
    faults.expect(new Set(keys.map((key) => key.emailKey)).size === keys.length, 'two accounts with one address')
    return {
      passed: faults.count === 0,
      reached: `one e-mail: ${addressed}; one username: ${named}; lookalikes: ${lookalikes}; faults: ${faults}`,
    }
  },
}

/** All may register (a pending registration must not be revealed); regardless of how many verify and pay, there is one account. */
async function oneAddress(
  world: World,
  { parallel, random, faults }: { parallel: number; random: Random; faults: Faults },
): Promise<string> {
  const model = newPerson({ email: 'one.address@example.com', levelKey: 'medical_student' })
  const visitors = Array.from({ length: parallel }, (_, turn) => new Visitor(world, { site: world.siteOf(turn) }))
  const people = visitors.map((): Person => ({
    ...model,
    email: otherCase(model.email, random),
    username: otherCase(model.username, random),
  }))
  const responses = await inParallel(visitors, parallel, (visitor, turn) => visitor.register(people[turn] as Person))
  const shapes = new Set(responses.map(({ status, body }) => `${status} ${body?.message}`))
  faults.expect(shapes.size === 1 && responses[0]?.status === 201, 'answers not uniform', [...shapes].join(', '))

  const emails = await until(
    async () => {
      const found = await world.mailbox.emailsTo(model.email)
      return found.length >= parallel ? found : null
    },
    { withinMs: 30_000 },
  )
  faults.expect(emails !== null, 'emails missing')
  const tokens = (emails ?? []).flatMap(
    (email) => linkIn(email, '/email-verification')?.searchParams.get('token') ?? [],
  )
  faults.expect(new Set(tokens).size === parallel, 'links', String(new Set(tokens).size))
  // Each browser opens every link it can: its own cookie matches one of them.
  const verified = await inParallel(tokens, parallel, (token, turn) =>
    (visitors[turn % visitors.length] as Visitor).post('/api/auth/verify-email', { token, password: model.password }),
  )
  for (const { status, text } of verified) faults.expect([200, 410].includes(status), `verify answered ${status}`, text)
  const started = await inParallel(visitors, parallel, (visitor, turn) => visitor.start(people[turn] as Person))
  for (const { status, text } of started) faults.expect(status < 500, `start answered ${status}`, text)

  const { db } = world.database
  const accounts = await db.selectFrom('account').select('id').where('emailKey', '=', model.email).execute()
  faults.expect(accounts.length === 1, 'accounts of one address', String(accounts.length))
  const memberships = await db
    .selectFrom('membership')
    .select('id')
    .where(
      'accountId',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute()
  faults.expect(memberships.length === 1, 'memberships of one address', String(memberships.length))
  return `${responses.length} answers ${[...shapes].join(', ')}, ${accounts.length} account, starts ${tally(started.map(({ status }) => status))}`
}

/** The first gets the name; all others get the same response. */
async function oneUsername(
  world: World,
  { parallel, random, faults }: { parallel: number; random: Random; faults: Faults },
): Promise<string> {
  const responses = await inParallel(Array.from({ length: parallel }), parallel, (_, turn) => {
    const person = newPerson({ username: otherCase('the.only.one', random) })
    return new Visitor(world, { site: world.siteOf(turn) }).register(person)
  })
  const taken = responses.filter(({ status }) => status !== 201)
  const shapes = new Set(taken.map(({ status, text }) => `${status} ${text}`))
  faults.expect(taken.length === parallel - 1, 'registrations with one username', String(parallel - taken.length))
  faults.expect(
    shapes.size === 1 && taken[0]?.body?.code === 'USERNAME_TAKEN',
    'answers not uniform',
    [...shapes].join(' <> '),
  )
  return `${parallel - taken.length} of ${parallel} got it, ${taken.length} uniform (${tally(taken.map(({ status }) => status))})`
}

async function lookalikeNames(world: World, faults: Faults): Promise<string> {
  const owner = await new Visitor(world).join(
    newPerson({ email: 'lookalike.kiaseo@example.com', username: 'lookalike.kiaseo', levelKey: 'medical_student' }),
  )
  const statuses: number[] = []
  for (const [email, other] of LOOKALIKES) {
    const people = [newPerson({ email: owner.email.replace(email, other) })]
    if (owner.username.includes(email)) people.push(newPerson({ username: owner.username.replace(email, other) }))
    for (const person of people) {
      const { status, text } = await new Visitor(world).register(person)
      statuses.push(status)
      faults.expect(status === 400, `lookalike answered ${status}`, `${person.email} ${person.username} ${text}`)
    }
  }
  const again = expectStatus(await new Visitor(world).logIn(owner.email.toUpperCase(), owner.password), 200, 'login')
  faults.expect(again.body.user.email === owner.email, 'other account')
  return tally(statuses)
}

function otherCase(text: string, random: Random): string {
  return [...text].map((email) => (random.chance(0.5) ? email.toUpperCase() : email)).join('')
}
