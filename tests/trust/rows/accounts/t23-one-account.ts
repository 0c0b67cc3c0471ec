import { expectStatus, newPerson, Visitor, type Person } from '../people.ts'
import { inParallel, tally, until } from '../load.ts'
import { linkIn } from '../mailbox.ts'
import type { Random } from '../random.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

/** Look like ASCII letters, or become them when folded: Kelvin sign, dotless i, full width, combining, long s, zero width. */
const LOOKALIKES: [letter: string, other: string][] = [
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
    '100 parallel registrations of one e-mail, of one username, in other case and Unicode, two instances: 1 account; 99 uniform answers; no 5xx',
  async run({ world: start, count, random }) {
    const parallel = count(100, 12)
    const world = await start({ instances: 2 })
    const faults = new Faults()

    const addressed = await oneAddress(world, { parallel, random, faults })
    const named = await oneUsername(world, { parallel, random, faults })
    const lookalikes = await lookalikeNames(world, faults)

    const { db } = world.database
    const keys = await db.selectFrom('account').select('email_key').where('deactivated_by', 'is', null).execute()
    faults.expect(new Set(keys.map((key) => key.email_key)).size === keys.length, 'two accounts with one address')
    return {
      passed: faults.count === 0,
      reached: `one e-mail: ${addressed}; one username: ${named}; lookalikes: ${lookalikes}; faults: ${faults}`,
    }
  },
}

/** All may register (a stranger must not learn that somebody waits); however many verify and pay, one account comes of it. */
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
  const answers = await inParallel(visitors, parallel, (visitor, turn) => visitor.register(people[turn] as Person))
  const shapes = new Set(answers.map(({ status, body }) => `${status} ${body?.message}`))
  faults.expect(shapes.size === 1 && answers[0]?.status === 201, 'answers not uniform', [...shapes].join(', '))

  const letters = await until(
    async () => {
      const found = await world.mailbox.letters(model.email)
      return found.length >= parallel ? found : null
    },
    { withinMs: 30_000 },
  )
  faults.expect(letters !== null, 'letters missing')
  const tokens = (letters ?? []).flatMap(
    (letter) => linkIn(letter, '/email-verification')?.searchParams.get('token') ?? [],
  )
  faults.expect(new Set(tokens).size === parallel, 'links', String(new Set(tokens).size))
  // Each browser opens every link it can: its own cookie fits one of them.
  const verified = await inParallel(tokens, parallel, (token, turn) =>
    (visitors[turn % visitors.length] as Visitor).post('/api/auth/verify-email', { token, password: model.password }),
  )
  for (const { status, text } of verified) faults.expect([200, 410].includes(status), `verify answered ${status}`, text)
  const started = await inParallel(visitors, parallel, (visitor, turn) => visitor.start(people[turn] as Person))
  for (const { status, text } of started) faults.expect(status < 500, `start answered ${status}`, text)

  const { db } = world.database
  const accounts = await db.selectFrom('account').select('id').where('email_key', '=', model.email).execute()
  faults.expect(accounts.length === 1, 'accounts of one address', String(accounts.length))
  const memberships = await db
    .selectFrom('membership')
    .select('id')
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute()
  faults.expect(memberships.length === 1, 'memberships of one address', String(memberships.length))
  return `${answers.length} answers ${[...shapes].join(', ')}, ${accounts.length} account, starts ${tally(started.map(({ status }) => status))}`
}

/** The first has the name; everybody else hears the same. */
async function oneUsername(
  world: World,
  { parallel, random, faults }: { parallel: number; random: Random; faults: Faults },
): Promise<string> {
  const answers = await inParallel(Array.from({ length: parallel }), parallel, (_, turn) => {
    const person = newPerson({ username: otherCase('the.only.one', random) })
    return new Visitor(world, { site: world.siteOf(turn) }).register(person)
  })
  const taken = answers.filter(({ status }) => status !== 201)
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
  for (const [letter, other] of LOOKALIKES) {
    const people = [newPerson({ email: owner.email.replace(letter, other) })]
    if (owner.username.includes(letter)) people.push(newPerson({ username: owner.username.replace(letter, other) }))
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
  return [...text].map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter)).join('')
}
