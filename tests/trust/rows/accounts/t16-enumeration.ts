import { Agent } from 'node:http'
import { insertSubscribers } from '#server/features/newsletter/subscribers/subscriber.commands.ts'
import { createSubscriber } from '#tests/support/newsletter.ts'
import { newPerson, Visitor, botToken, expectStatus } from '#tests/trust/people.ts'
import { areaUnderCurve, inParallel } from '#tests/trust/load.ts'
import { postJson, type HttpResponse } from '#tests/trust/http.ts'
import type { Random } from '#tests/trust/random.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const FARTHEST = 0.05
/** The kinds of owners of an address. */
const KINDS = ['unknown', 'known', 'pending', 'deactivated', 'departed'] as const
type Kind = (typeof KINDS)[number]

/** This many addresses of each kind alternate, so that no single database row is always cached. */
const POOL = 20
const WARM_UP = 20

/** The member who requests a change to each address. */
const ASKING = newPerson({ email: 'asking.member@example.com', levelKey: 'medical_student' })

interface Call {
  name: string
  path: string
  /** null: no bot check. */
  action: string | null
  /** The one response for every address. */
  status: number
  body(email: string, random: Random): object
  /** Sent by a logged-in member. */
  asMember?: true
  /** It changes the state of an address, so each is used once: subscribed, pending, unsubscribed or unknown. */
  askedOnce?: true
}

const CALLS: Call[] = [
  {
    name: 'login',
    path: '/api/auth/login',
    action: 'login',
    status: 401,
    body: (identifier) => ({ identifier, password: 'wrong-password-of-a-stranger' }),
  },
  {
    name: 'register',
    path: '/api/auth/register',
    action: 'registration',
    status: 201,
    body: (email, random) => ({ ...newPerson({ email, username: `u${random.hex(8)}` }), levelKey: 'annual_member' }),
  },
  {
    name: 'forgot',
    path: '/api/email/forgot-password',
    action: 'password_reset',
    status: 200,
    body: (email) => ({ email }),
  },
  {
    name: 'resend',
    path: '/api/auth/resend-verification',
    action: 'resend_verification',
    status: 204,
    body: (email) => ({ email }),
  },
  {
    name: 'change of address',
    path: '/api/account/email',
    action: null,
    status: 200,
    body: (email) => ({ email, password: ASKING.password }),
    asMember: true,
  },
  {
    name: 'subscribe',
    path: '/api/newsletter/subscribe',
    action: 'newsletter_subscribe',
    status: 200,
    body: (email) => ({ email, source: 'homepage' }),
    askedOnce: true,
  },
  {
    name: 'unsubscribe',
    path: '/api/newsletter/unsubscribe',
    action: null,
    status: 200,
    body: (email) => ({ email }),
    askedOnce: true,
  },
]
/** The newsletter states of the kinds. */
const READERS = { known: 'subscribed', pending: 'pending', deactivated: 'left' } as const

export const row: TrustRow = {
  id: 'T16',
  promise: 'Email enumeration: log-in, register, forgot, resend, change of address, subscribe, unsubscribe',
  gate: true,
  undisturbed: true,
  target:
    'known, unknown, pending, deactivated, deleted by its owner: 500 interleaved pairs each: same status, headers, body bytes; abs(AUC-0.5) <= 0.05; the owner gets an email',
  async run({ world: start, count, random }) {
    const pairs = count(500, 30)
    // Every limit counts and none is reached, so timing is realistic.
    const world = await start({ rateLimits: 'x100000' })
    const pools = await makePools(world)
    const asking = new Visitor(world)
    await asking.join(ASKING)
    await world.quiet()
    const faults = new Faults()
    const areas: string[] = []
    let farthest = 0

    for (const call of CALLS) {
      const measured = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]))
      const shapes = new Map<string, Kind>()
      const addresses = call.askedOnce ? await readersFor(world, call.name, 2 * (pairs + WARM_UP)) : pools
      await measure(pairs)
      if (worst(measured) > FARTHEST) await measure(pairs)
      async function measure(rounds: number): Promise<void> {
        const asked = { call, pools: addresses, rounds, random, token: asking.token ?? '' }
        await timeCalls(world, asked, (kind, response) => {
          measured.get(kind)?.push(response.ms)
          shapes.set(shapeOf(response), kind)
          faults.expect(response.status === call.status, `${call.name}, ${kind}: ${response.status}`, response.text)
        })
      }
      faults.expect(shapes.size === 1, `${call.name}: answers differ`, [...shapes.keys()].join(' <> '))
      for (const kind of KINDS.slice(1)) {
        const area = areaOf(measured, kind)
        farthest = Math.max(farthest, Math.abs(area - 0.5))
        faults.expect(Math.abs(area - 0.5) <= FARTHEST, `${call.name}, ${kind}: told apart by time`, area.toFixed(3))
      }
      const figures = KINDS.slice(1).map((kind) => `${kind} ${areaOf(measured, kind).toFixed(3)}`)
      areas.push(`${call.name} (${measured.get('unknown')?.length} pairs): ${figures.join(', ')}`)
    }

    await world.quiet()
    await requireNotes(world, pools, faults)
    return {
      passed: faults.count === 0,
      reached: `AUC against unknown: ${areas.join('; ')}; farthest from 0.5: ${farthest.toFixed(3)}; answers the same: ${CALLS.length - [...CALLS].filter(({ name }) => faults.countOf(`${name}: answers differ`) > 0).length} of ${CALLS.length}; faults: ${faults}`,
      notes:
        'For subscribe and unsubscribe the kinds are: unknown, subscribed, awaiting confirmation, unsubscribed, and unknown again. A call whose kinds can be distinguished is measured once more with the same number of pairs, and all count',
    }
  },
}

type Pools = Record<Kind, string[]>

async function makePools(world: World): Promise<Pools> {
  const names = (kind: string) => Array.from({ length: POOL }, (_, turn) => `${kind}.address.${turn + 10}@example.com`)
  const pools: Pools = {
    unknown: names('unknown'),
    known: names('members'),
    pending: names('pending'),
    deactivated: names('dormant'),
    departed: names('departed'),
  }
  await inParallel([...pools.known, ...pools.deactivated], 8, (email) =>
    new Visitor(world).join(newPerson({ email, levelKey: 'medical_student' })),
  )
  await inParallel(pools.pending, 8, async (email) => {
    expectStatus(await new Visitor(world).register(newPerson({ email })), 201, 'register')
  })
  await inParallel(pools.departed, 8, async (email) => {
    const visitor = new Visitor(world)
    const { password } = await visitor.join(newPerson({ email, levelKey: 'medical_student' }))
    expectStatus(await visitor.call('DELETE', '/api/account', { password }), 200, 'delete')
  })
  // Like members deactivated by officers.
  await world.database.db
    .updateTable('account')
    .set({ deactivatedBy: 'officer' })
    .where('email', 'in', pools.deactivated)
    .execute()
  await world.quiet()
  return pools
}

/** Enough addresses of each kind to use each once for one newsletter call. */
async function readersFor(world: World, call: string, count: number): Promise<Pools> {
  const names = (kind: Kind) =>
    Array.from({ length: count }, (_, turn) => `${kind}.${call}.${turn + 1_000}@example.com`)
  const pools = Object.fromEntries(KINDS.map((kind) => [kind, names(kind)])) as Pools
  for (const [kind, state] of Object.entries(READERS)) {
    await insertSubscribers(
      world.database.db,
      pools[kind as Kind].map((email) => createSubscriber(email, state)),
    )
  }
  return pools
}

/** One connection, sequential calls: each round has every kind once, in random order. */
async function timeCalls(
  world: World,
  { call, pools, rounds, random, token }: { call: Call; pools: Pools; rounds: number; random: Random; token: string },
  seen: (kind: Kind, response: HttpResponse) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const warmUp = Math.min(WARM_UP, rounds)
  for (let round = -warmUp; round < rounds; round++) {
    for (const kind of random.shuffle(KINDS)) {
      const recaptchaToken = call.action === null ? undefined : await botToken(world, call.action)
      const email = call.askedOnce ? pools[kind].shift() : random.pick(pools[kind])
      const value = { ...call.body(email ?? '', random), recaptchaToken }
      const headers: Record<string, string> = call.asMember ? { authorization: `Bearer ${token}` } : {}
      const reply = await postJson(world.site.origin, call.path, value, { agent, headers })
      if (round >= 0) seen(kind, reply)
    }
  }
  agent.destroy()
}

/** The parts of a response that could reveal a kind: everything except the date and random values. */
function shapeOf({ status, rawHeaders, text }: HttpResponse): string {
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = String(rawHeaders[at]).toLowerCase()
    const value = String(rawHeaders[at + 1])
    if (name === 'date') continue
    headers.push(`${name}: ${name === 'set-cookie' ? value.replace(/=[^;]+/, (drawn) => `=<${drawn.length}>`) : value}`)
  }
  const body = text.replace(/"userId":"([^"]+)"/, (_, id: string) => `"userId":"<${id.length}>"`)
  return `${status} ${headers.join(' | ')} ${body}`
}

function areaOf(measured: ReadonlyMap<Kind, number[]>, kind: Kind): number {
  return areaUnderCurve(measured.get('unknown') ?? [], measured.get(kind) ?? [])
}

function worst(measured: ReadonlyMap<Kind, number[]>): number {
  return Math.max(...KINDS.slice(1).map((kind) => Math.abs(areaOf(measured, kind) - 0.5)))
}

/** Owners are notified that someone registered with their address; unknown addresses get no password reset email. */
async function requireNotes(world: World, pools: Pools, faults: Faults): Promise<void> {
  for (const email of [...pools.known, ...pools.deactivated]) {
    const emails = await world.mailbox.emailsTo(email)
    const toOwner = emails.filter(({ text }) => /already|deactivated|not active/i.test(text))
    faults.expect(toOwner.length > 0, 'owner got no note', email)
    const links = emails.slice(0, -3).filter(({ text }) => text.includes('/email-verification?'))
    faults.expect(links.length === 0, 'owner got a verification link', email)
  }
  for (const email of pools.unknown) {
    const about = (await world.mailbox.emailsTo(email)).filter(({ text }) => text.includes('/reset-password?'))
    faults.expect(about.length === 0, 'stranger got a reset link', email)
  }
}
