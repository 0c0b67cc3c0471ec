import fc from 'fast-check'
import * as z from 'zod/mini'
import { endpoints } from '#contract/all-endpoints.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { fuzzRequests, type FuzzRequest, type Known } from '#tests/trust/attacks/fuzz.ts'
import { request, type HttpResponse } from '#tests/trust/http.ts'
import { inParallel, tally } from '#tests/trust/load.ts'
import { createOfficer } from '#tests/trust/officers.ts'
import { botToken, expectStatus, newPerson, Visitor } from '#tests/trust/people.ts'
import { Faults, type TrustRow } from '#tests/trust/row.ts'
import type { World } from '#tests/trust/site.ts'

const HANG_MS = 1_000
/** Allowed responses of any call besides those in its contract entry. */
/** Additional responses of the console's authorization. */
const OF_OFFICERS: ErrorCode[] = ['NOT_AN_OFFICER', 'NOT_ALLOWED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_AGAIN']
const SHARED: ErrorCode[] = [
  'INVALID_INPUT',
  'BAD_JSON',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'TOO_LARGE',
  'HEADERS_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'AUTHENTICATION_REQUIRED',
  'SESSION_EXPIRED',
  'ACCOUNT_INACTIVE',
]
const TRACE = /\n\s+at |node_modules|\.ts:\d+|SQLITE_|syntax error at or near|ZodError/

export const row: TrustRow = {
  id: 'T29',
  promise: 'Fuzz',
  gate: true,
  undisturbed: true,
  target:
    '10,000 requests generated from the contract over every call: 0 x 5xx, 0 non-JSON responses, 0 hangs > 1 s, 0 stack traces, 0 contract violations',
  quick: true,
  async run({ world: start, count, requests, seed }) {
    const total = requests ?? count(10_000, 800)
    const world = await start({ instances: 2 })
    const known = await getToKnow(world)
    const faults = new Faults()
    const arbitrary = fuzzRequests(known)
    const statuses: number[] = []
    let slow = 0
    // Bot check tokens expire after two minutes and are single-use: a new one for each part.
    for (let done = 0; done < total; done += 500) {
      const part = fc.sample(arbitrary, { numRuns: Math.min(500, total - done), seed: seed + done })
      await inParallel(part, 8, async (request, turn) => {
        const prepared = await freshen(world, request, turn)
        const response = await send(world, prepared, turn)
        statuses.push(response.status)
        judge(request, response, faults)
        if (response.status === 0 || response.status >= 500) tell(prepared, response)
        if (response.ms <= HANG_MS) return
        // Whether it is slow on its own, not only with seven others in parallel.
        slow++
        const again = await send(world, prepared, turn)
        faults.expect(again.ms <= HANG_MS, `${request.endpoint.name} hangs`, `${again.ms} ms ${request.path}`)
      })
    }
    const alive = await Promise.all(world.sites.map((site) => site.isReady()))
    faults.expect(alive.every(Boolean), 'an instance is not ready afterwards')
    for (const site of world.sites)
      faults.expect(!/unhandled|uncaught/i.test(site.program.errors), 'unhandled', site.program.errors)
    return {
      passed: faults.count === 0,
      reached: `${statuses.length} requests over ${endpoints.length} calls (${tally(statuses)}); ${slow} asked again alone for being slow; faults: ${faults}`,
      notes:
        'Answers are held against the contract itself, in place of the prism proxy; `--requests 200000` for a night',
    }
  },
}

/** Members, people in the middle of joining, and all ids the site has returned to them. */
async function getToKnow(world: World): Promise<Known> {
  const member = new Visitor(world)
  const paid = await member.join(newPerson())
  const free = new Visitor(world)
  await free.join(newPerson({ levelKey: 'medical_student' }))
  const president = await createOfficer(world, ['president'])
  const waiting = new Visitor(world)
  const registered = newPerson()
  const search = new URLSearchParams(await waiting.pay(registered))
  const fresh = newPerson()
  expectStatus(await new Visitor(world).register(fresh), 201, 'register')
  const link = await world.mailbox.link(fresh.email, '/email-verification')
  expectStatus(await member.forgotPassword(paid.email), 200, 'forgot-password')
  const reset = await world.mailbox.link(paid.email, '/reset-password')
  const emails = [
    paid.email,
    registered.email,
    fresh.email,
    'life@example.org',
    'lapsed@example.org',
    'nobody@example.net',
  ]
  return {
    tokens: [member.token ?? '', free.token ?? '', `${member.token}x`, president.visitor.token ?? ''],
    cookies: [member, free, waiting].map(({ cookies }) =>
      [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    ),
    values: {
      email: emails,
      identifier: [...emails, paid.username],
      username: ['fuzzy.name', 'ab', paid.username, 'x'.repeat(31)],
      firstName: ['Meera'],
      lastName: ['Raghuvanshi'],
      password: [paid.password, 'monsoon-in-macon', 'short', 'password'],
      newPassword: ['another-long-one', 'short', 'password'],
      levelKey: ['annual_member', 'life_member', 'medical_student', 'no_such_level'],
      recaptchaToken: ['<token>'],
      token: [link.searchParams.get('token') ?? '', reset.searchParams.get('token') ?? ''],
      userId: [reset.searchParams.get('userId') ?? ''],
      code: ['123456', '000000'],
      bucket: ['home', 'clinic', 'exec'],
      folder: ['hero', 'gallery', 'team'],
      session_id: [search.get('session_id') ?? '', 'cs_test_unknown'],
      sessionId: [search.get('session_id') ?? '', 'cs_test_unknown'],
      nonce: [search.get('nonce') ?? '', 'x'.repeat(43)],
    },
  }
}

const ACTIONS: Record<string, string> = {
  register: 'registration',
  login: 'login',
  forgotPassword: 'password_reset',
  resendVerification: 'resend_verification',
}

async function freshen(world: World, request: FuzzRequest, turn: number): Promise<FuzzRequest> {
  let { body, headers } = request
  if (body?.includes('<token>')) {
    const token = await botToken(world, ACTIONS[request.endpoint.name] ?? 'login', turn % 10 === 0 ? 0.1 : 0.9)
    body = Buffer.from(body.toString('utf8').replaceAll('<token>', token))
  }
  if (request.signed && body) {
    const notice = world.provider.sign(body.toString('utf8'))
    body = Buffer.from(notice.body)
    headers = { ...headers, 'stripe-signature': notice.signature }
  }
  return { ...request, body, headers }
}

async function send(world: World, { method, path, headers, body }: FuzzRequest, turn: number): Promise<HttpResponse> {
  try {
    return await request(world.siteOf(turn).origin, { method, path, headers, ...(body && { body }), withinMs: 20_000 })
  } catch (error) {
    // A URL too long to be parsed: the server cannot know that it was HEAD, and sends a body.
    const isUnparsedHead = method === 'HEAD' && path.length > 15_000 && /Data after/.test(String(error))
    return { status: isUnparsedHead ? 431 : 0, headers: {}, rawHeaders: [], text: String(error), ms: 0, body: null }
  }
}

/** Everything needed to repeat the request manually. */
function tell({ method, path, headers, body }: FuzzRequest, response: HttpResponse): void {
  const asked = { method, path, headers, body: body?.toString('latin1').slice(0, 2_000) }
  process.stderr.write(`T29: ${response.status} ${response.text.slice(0, 100)} to ${JSON.stringify(asked)}\n`)
}

function judge({ endpoint, method, path }: FuzzRequest, response: HttpResponse, faults: Faults): void {
  const { status, headers, text, body } = response
  const what = `${method} ${path.slice(0, 100)}: ${text.slice(0, 100)}`
  faults.expect(status !== 0, 'no answer', what)
  faults.expect(status < 500, `${status}`, what)
  faults.expect(!TRACE.test(text), 'stack trace', what)
  if (method === 'HEAD' || status === 204 || status === 0 || (endpoint.media && status === 200)) return
  const isJson = String(headers['content-type']).startsWith('application/json') && body !== null
  faults.expect(isJson, 'not JSON', what)
  if (!isJson) return
  if (status >= 400) {
    const { code, message } = body as { code?: ErrorCode; message?: unknown }
    const officerCodes = endpoint.access === 'officer' ? OF_OFFICERS : []
    const isAllowed = code !== undefined && [...SHARED, ...officerCodes, ...endpoint.failures].includes(code)
    const fits = isAllowed && errors[code].status === status && typeof message === 'string' && message !== ''
    faults.expect(fits, `${endpoint.name}: failure outside the contract`, what)
  } else {
    const fits = status === (endpoint.status ?? 200) && (!endpoint.reply || z.safeParse(endpoint.reply, body).success)
    faults.expect(fits, `${endpoint.name}: reply outside the contract`, what)
  }
}
