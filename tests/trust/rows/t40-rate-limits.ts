import { postJson, type Answer } from '../http.ts'
import { inParallel } from '../load.ts'
import { botToken, newPerson } from '../people.ts'
import { Faults, type TrustRow } from '../row.ts'
import type { World } from '../site.ts'

const OVER = 10
const SPOOFS = 40

interface Limited {
  name: string
  path: string
  action: string
  limit: number
  windowSeconds: number
  body(turn: number): object
}

/** Those of the promise that exist so far. */
const CALLS: Limited[] = [
  {
    name: 'login',
    path: '/api/auth/login',
    action: 'login',
    limit: 100,
    windowSeconds: 900,
    body: (turn) => ({ identifier: `nobody${turn}`, password: 'wrong-password' }),
  },
  {
    name: 'register',
    path: '/api/auth/register',
    action: 'registration',
    limit: 60,
    windowSeconds: 3_600,
    body: () => newPerson(),
  },
  {
    name: 'forgot',
    path: '/api/email/forgot-password',
    action: 'password_reset',
    limit: 20,
    windowSeconds: 3_600,
    body: (turn) => ({ email: `nobody${turn}@example.com` }),
  },
  {
    name: 'resend',
    path: '/api/auth/resend-verification',
    action: 'resend_verification',
    limit: 20,
    windowSeconds: 3_600,
    body: (turn) => ({ email: `nobody${turn}@example.com` }),
  },
]

/** Headers by which a visitor might claim another address; the proxy in front adds the true one at the end. */
const CLAIMS: ((fake: string) => Record<string, string>)[] = [
  (fake) => ({ 'x-forwarded-for': fake }),
  (fake) => ({ 'x-forwarded-for': `${fake}, ${fake}` }),
  (fake) => ({ 'x-real-ip': fake }),
  (fake) => ({ forwarded: `for=${fake}` }),
  (fake) => ({ 'true-client-ip': fake }),
  (fake) => ({ 'cf-connecting-ip': fake }),
  (fake) => ({ 'x-client-ip': fake }),
  (fake) => ({ 'x-cluster-client-ip': fake, via: fake }),
]

export const row: TrustRow = {
  id: 'T40',
  promise: 'Rate limits',
  gate: false,
  target:
    'login, register, forgot, resend (contact, subscribe later): 429 with message, retryAfter, limit, window; a spoofed address gives 0 extra; all shared by two instances',
  async run({ world: start }) {
    const faults = new Faults()
    const behindProxy = await start({ instances: 2, rateLimits: 'on' })
    let shared = 0
    const figures: string[] = []
    for (const [turn, call] of CALLS.entries()) {
      const address = `203.0.113.${turn + 10}`
      const served = await hammer(behindProxy, call, {
        count: call.limit + OVER,
        headers: () => ({ 'x-forwarded-for': address }),
        faults,
      })
      if (served === call.limit) shared++
      else faults.add(`${call.name}: served`, `${served} instead of ${call.limit}`)
      const extra = await hammer(behindProxy, call, { count: SPOOFS, headers: (time) => behind(address, time), faults })
      faults.expect(extra === 0, `${call.name}: spoofing gave more`, String(extra))
      const neighbour = await hammer(behindProxy, call, {
        count: 2,
        headers: () => ({ 'x-forwarded-for': `198.51.100.${turn + 1}` }),
        faults,
      })
      faults.expect(neighbour === 2, `${call.name}: another address refused`)
      figures.push(`${call.name} ${served} of ${call.limit} served, ${extra} by spoofing`)
    }
    const network = await sameNetwork(behindProxy, faults)

    // Without a proxy every claim is the visitor's own.
    const direct = await start({ rateLimits: 'on', environment: { TRUST_PROXY: 'off' } })
    let spoofed = 0
    for (const call of CALLS) {
      const served = await hammer(direct, call, {
        count: call.limit + OVER,
        headers: (time) => (CLAIMS[time % CLAIMS.length] as (typeof CLAIMS)[number])(`192.0.2.${time % 250}`),
        faults,
      })
      spoofed += Math.max(0, served - call.limit)
      faults.expect(served === call.limit, `${call.name} without a proxy: served`, String(served))
    }
    return {
      passed: faults.count === 0 && shared === CALLS.length,
      reached: `${figures.join('; ')}; ${shared} of ${CALLS.length} shared by two instances; without a proxy ${spoofed} extra; IPv6 network counted ${network ? 'once' : 'WRONG'}; faults: ${faults}`,
      notes: 'Contact and subscribe come with their pages: 4 of 6',
    }
  },
}

function behind(address: string, time: number): Record<string, string> {
  const claim = (CLAIMS[time % CLAIMS.length] as (typeof CLAIMS)[number])(`192.0.2.${time % 250}`)
  const claimed = claim['x-forwarded-for']
  return { ...claim, 'x-forwarded-for': claimed ? `${claimed}, ${address}` : address }
}

/** Asks so often, each instance in turn, and says how often it was served. */
async function hammer(
  world: World,
  { name, path, action, limit, windowSeconds, body }: Limited,
  { count, headers, faults }: { count: number; headers: (time: number) => Record<string, string>; faults: Faults },
): Promise<number> {
  const answers = await inParallel(Array.from({ length: count }), 8, async (_, time) => {
    const value = { ...body(time), recaptchaToken: await botToken(world, action) }
    return postJson(world.siteOf(time).origin, path, value, { headers: headers(time) })
  })
  for (const answer of answers) {
    if (answer.status === 429)
      faults.expect(isComplete(answer, limit, windowSeconds), `${name}: 429 incomplete`, answer.text)
    else faults.expect([200, 201, 204, 401].includes(answer.status), `${name} answered ${answer.status}`, answer.text)
  }
  return answers.filter(({ status }) => status !== 429).length
}

function isComplete({ body, headers }: Answer, limit: number, windowSeconds: number): boolean {
  const { message, code, retryAfter, limit: told, window } = body as Record<string, unknown>
  return (
    typeof message === 'string' &&
    message.length > 0 &&
    code === 'RATE_LIMITED' &&
    Number.isInteger(retryAfter) &&
    Number(retryAfter) >= 1 &&
    Number(retryAfter) <= windowSeconds &&
    headers['retry-after'] === String(retryAfter) &&
    told === limit &&
    window === windowSeconds
  )
}

/** IPv6 counts by its /64 (interface, "Starting and stopping"). */
async function sameNetwork(world: World, faults: Faults): Promise<boolean> {
  const call = CALLS[3] as Limited
  const within = (host: number) => ({ 'x-forwarded-for': `2001:db8:7:1::${host.toString(16)}` })
  const served = await hammer(world, call, { count: call.limit + OVER, headers: within, faults })
  const next = await hammer(world, call, {
    count: 2,
    headers: () => ({ 'x-forwarded-for': '2001:db8:7:2::1' }),
    faults,
  })
  faults.expect(served === call.limit && next === 2, 'IPv6 network', `${served}, ${next}`)
  return served === call.limit && next === 2
}
