import { postJson, type HttpResponse } from '#tests/trust/http.ts'
import { inParallel } from '#tests/trust/load.ts'
import { botToken, newPerson, Visitor } from '#tests/trust/people.ts'
import { openSponsorForm, sendMessage } from '#tests/trust/browser/public-forms.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const OVER = 10
const SPOOFS = 40
const MESSAGES_A_WINDOW = 5
const MESSAGES_AN_HOUR = 20
const WINDOW_MS = 601_000
const MESSAGE = 'When is the next clinic day, please?'

interface Limited {
  name: string
  path: string
  action: string
  limit: number
  windowSeconds: number
  /** A wider limit that also applies to the call; the response may name its figure. */
  widerLimit?: number
  body(turn: number): object
}

const ACCOUNT_CALLS: Limited[] = [
  {
    name: 'login',
    path: '/api/auth/login',
    action: 'login',
    limit: 100,
    windowSeconds: 900,
    body: (turn) => ({ identifier: `unknown${turn}`, password: 'wrong-password' }),
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
    body: (turn) => ({ email: `unknown${turn}@example.com` }),
  },
  {
    name: 'resend',
    path: '/api/auth/resend-verification',
    action: 'resend_verification',
    limit: 20,
    windowSeconds: 3_600,
    body: (turn) => ({ email: `unknown${turn}@example.com` }),
  },
]

/** Public calls. @param formToken of the sponsors' form */
function publicCalls(formToken: string): Limited[] {
  const sponsor = {
    path: '/api/sponsor/checkout/sponsor',
    action: 'sponsor_checkout',
    windowSeconds: 3_600,
    body: () => ({
      name: 'Leela',
      email: newPerson().email,
      company: 'Kaveri Labs',
      tierName: 'Silver',
      amount: 1_000,
    }),
  }
  return [
    {
      name: 'contact',
      path: '/api/contact',
      action: 'contact_form',
      limit: 5,
      windowSeconds: 600,
      body: () => ({ name: 'Leela', email: newPerson().email, subject: 'A question', message: MESSAGE }),
    },
    {
      name: 'subscribe',
      path: '/api/newsletter/subscribe',
      action: 'newsletter_subscribe',
      limit: 30,
      windowSeconds: 3_600,
      body: () => ({ email: newPerson().email, source: 'homepage' }),
    },
    { ...sponsor, name: 'sponsor checkout', limit: 30, body: () => ({ ...sponsor.body(), formToken }) },
    { ...sponsor, name: 'sponsor checkout without its form', limit: 10, widerLimit: 30 },
  ]
}

/** Headers a visitor could use to spoof an address; the proxy in front appends the true one. */
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
    'login, register, forgot, resend, contact, subscribe, sponsor checkout: 429 with message, retryAfter, limit, window; a spoofed address gains 0 extra; all limits shared by two instances',
  async run({ world: start }) {
    const faults = new Faults()
    const behindProxy = await start({ instances: 2, rateLimits: 'on' })
    const calls = [...ACCOUNT_CALLS, ...publicCalls(await openSponsorForm(behindProxy))]
    let shared = 0
    const figures: string[] = []
    for (const [turn, call] of calls.entries()) {
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
    const anHour = await messagesAnHour(behindProxy, faults)

    // Without a proxy every header comes from the visitor.
    const direct = await start({ rateLimits: 'on', environment: { TRUST_PROXY: 'off' } })
    let spoofed = 0
    for (const call of calls.filter(({ widerLimit }) => widerLimit === undefined)) {
      const served = await hammer(direct, call, {
        count: call.limit + OVER,
        headers: (time) => (CLAIMS[time % CLAIMS.length] as (typeof CLAIMS)[number])(`192.0.2.${time % 250}`),
        faults,
      })
      spoofed += Math.max(0, served - call.limit)
      faults.expect(served === call.limit, `${call.name} without a proxy: served`, String(served))
    }
    return {
      passed: faults.count === 0 && shared === calls.length,
      reached: `${figures.join('; ')}; ${shared} of ${calls.length} shared by two instances; without a proxy ${spoofed} extra; IPv6 network counted ${network ? 'once' : 'WRONG'}; contact ${anHour} of ${MESSAGES_AN_HOUR} an hour; faults: ${faults}`,
    }
  },
}

/** The second limit of the contact form: it allows four windows of the first one, then none. */
async function messagesAnHour(world: World, faults: Faults): Promise<number> {
  const visitor = new Visitor(world, { address: '198.51.100.200' })
  let served = 0
  for (let window = 0; window <= MESSAGES_AN_HOUR / MESSAGES_A_WINDOW; window++) {
    for (let turn = 0; turn < MESSAGES_A_WINDOW; turn++) {
      visitor.site = world.siteOf(turn)
      const response = await sendMessage(visitor, { email: newPerson().email })
      if (response.status === 200) served++
      else if (served < MESSAGES_AN_HOUR)
        faults.add(`contact within the hour answered ${response.status}`, response.text)
      else
        faults.expect(
          isComplete(response, MESSAGES_AN_HOUR, 3_600),
          'contact by the hour: 429 incomplete',
          response.text,
        )
    }
    await world.control({ advanceMs: WINDOW_MS })
  }
  faults.expect(served === MESSAGES_AN_HOUR, 'contact by the hour: served', String(served))
  return served
}

function behind(address: string, time: number): Record<string, string> {
  const claim = (CLAIMS[time % CLAIMS.length] as (typeof CLAIMS)[number])(`192.0.2.${time % 250}`)
  const claimed = claim['x-forwarded-for']
  return { ...claim, 'x-forwarded-for': claimed ? `${claimed}, ${address}` : address }
}

/** Sends the requests, alternating between instances, and returns how many were served. */
async function hammer(
  world: World,
  { name, path, action, limit, windowSeconds, widerLimit, body }: Limited,
  { count, headers, faults }: { count: number; headers: (time: number) => Record<string, string>; faults: Faults },
): Promise<number> {
  const responses = await inParallel(Array.from({ length: count }), 8, async (_, time) => {
    const value = { ...body(time), recaptchaToken: await botToken(world, action) }
    return postJson(world.siteOf(time).origin, path, value, { headers: headers(time) })
  })
  for (const response of responses) {
    if (response.status === 429) {
      const hasFigures = [limit, widerLimit ?? limit].some((figure) => isComplete(response, figure, windowSeconds))
      faults.expect(hasFigures, `${name}: 429 incomplete`, response.text)
    } else
      faults.expect(
        [200, 201, 204, 401].includes(response.status),
        `${name} answered ${response.status}`,
        response.text,
      )
  }
  return responses.filter(({ status }) => status !== 429).length
}

function isComplete({ body, headers }: HttpResponse, limit: number, windowSeconds: number): boolean {
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

/** IPv6 is counted by /64. */
async function sameNetwork(world: World, faults: Faults): Promise<boolean> {
  const call = ACCOUNT_CALLS[3] as Limited
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
