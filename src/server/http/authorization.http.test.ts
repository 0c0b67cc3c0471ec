import { beforeAll, expect, test } from 'vitest'
import { permissionsOf, ROLES } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/all-endpoints.ts'
import { definedEndpoints } from '#tests/support/defined-endpoints.ts'
import { officerWith } from '#tests/support/officers.ts'
import { deactivate } from '#tests/support/people.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const members: Record<'active' | 'deactivated' | 'revoked', TestBrowser | null> = {
  active: null,
  deactivated: null,
  revoked: null,
}
let activeEmail = ''

beforeAll(async () => {
  for (const kind of ['active', 'deactivated', 'revoked'] as const) {
    const browser = app().browser()
    const { email } = await browser.join({ levelKey: 'medical_student' })
    if (kind === 'deactivated') await deactivate(app(), email, 'officer')
    if (kind === 'revoked')
      await app().database.db.updateTable('account').set({ tokenVersion: 9 }).where('emailKey', '=', email).execute()
    if (kind === 'active') activeEmail = email
    members[kind] = browser
  }
})

function call(endpoint: Endpoint, authorization?: string) {
  return app()
    .browser()
    .call(
      endpoint.method,
      endpoint.path,
      endpoint.method === 'GET' ? undefined : {},
      authorization === undefined ? {} : { authorization },
    )
}

const bearerOf = (kind: keyof typeof members) => `Bearer ${members[kind]?.token ?? ''}`
const REQUIRED = { message: 'Authentication required', code: 'AUTHENTICATION_REQUIRED' }
const EXPIRED = { message: 'Session expired. Please log in again.', code: 'SESSION_EXPIRED' }
const INACTIVE = { message: 'Account is not active.', code: 'ACCOUNT_INACTIVE' }

/** Refusals that send a signed-in browser to the log-in page: codes of 401 and 403 (docs/product-rules.md#when-a-session-ends). */
const LOGS_OUT = new Set(['AUTHENTICATION_REQUIRED', 'SESSION_EXPIRED', 'ACCOUNT_INACTIVE'])

type Case = [caller: string, authorization: string | undefined, status: number, body: object]

const withoutBearer = (...authorizations: (string | undefined)[]) =>
  authorizations.map((authorization): Case => [`authorization ${authorization}`, authorization, 401, REQUIRED])
/** Tokens that no call accepts which reads them. Read when the tests run, since the members join before them. */
const refusedTokens = (): Case[] => [
  ['not a token', 'Bearer not-a-token', 401, EXPIRED],
  ['a revoked token', bearerOf('revoked'), 401, EXPIRED],
  ['a deactivated account', bearerOf('deactivated'), 403, INACTIVE],
]

async function expectRefused(endpoint: Endpoint, cases: readonly Case[]): Promise<void> {
  for (const [caller, authorization, status, body] of cases) {
    const response = await call(endpoint, authorization)
    expect([caller, response.status, response.body]).toEqual([caller, status, body])
  }
}

async function expectAccepted(endpoint: Endpoint, authorization?: string): Promise<void> {
  const { body } = await call(endpoint, authorization)
  expect(LOGS_OUT, `authorization ${authorization}`).not.toContain(body?.code)
}

let session: TestBrowser | null = null

/** Calls as a member, in the session of the previous endpoint, or in a new one if that call ended it. */
async function callAsMember(endpoint: Endpoint) {
  const response = session && (await call(endpoint, `Bearer ${session.token}`))
  if (response && !LOGS_OUT.has(response.body?.code)) return response
  session = app().browser()
  await session.logIn(activeEmail)
  return call(endpoint, `Bearer ${session.token}`)
}

const withAccess = (...accesses: Endpoint['access'][]) =>
  endpoints
    .filter(({ access }) => accesses.includes(access))
    .map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint])

test.each(withAccess('officer'))(
  '%s requires the documented permission, and refuses other callers',
  async (_name, endpoint) => {
    const { permission } = endpoint
    expect(permission).toBeDefined()
    await expectRefused(endpoint, [...withoutBearer(undefined), ...refusedTokens()])
    const { status, body } = await callAsMember(endpoint)
    expect([status, body.code]).toEqual([403, 'NOT_AN_OFFICER'])
    for (const role of ROLES) {
      const officer = await officerWith(app(), [role])
      const response = await call(endpoint, `Bearer ${officer.token}`)
      expect([role, LOGS_OUT.has(response.body?.code)]).toEqual([role, false])
      const isAllowed = permission !== undefined && permissionsOf([role]).includes(permission)
      const isRefused = ['NOT_AN_OFFICER', 'NOT_ALLOWED'].includes(String(response.body?.code))
      expect([role, isRefused]).toEqual([role, !isAllowed])
    }
  },
)

test.each(withAccess('member'))('%s accepts a member, and refuses other callers', async (_name, endpoint) => {
  await expectRefused(endpoint, [...withoutBearer(undefined), ...refusedTokens()])
  const { body } = await callAsMember(endpoint)
  expect(LOGS_OUT).not.toContain(body?.code)
})

/** Which header is a bearer is decided in one place, before the endpoint. */
test.each(['officer', 'member'] as const)('an endpoint for a %s refuses what is no bearer', async (access) => {
  const [first] = endpoints.filter((endpoint) => endpoint.access === access)
  if (!first) throw new Error(`No endpoint is for a ${access}`)
  await expectRefused(first, withoutBearer('Basic YTpi', 'Bearer', 'Bearer  ', 'bearer', 'Token x'))
  await expectRefused(first, [['three parts', 'Bearer a.b.c', 401, EXPIRED]])
})

test.each(withAccess('optional'))('%s needs no bearer, and refuses a bad one', async (_name, endpoint) => {
  await expectAccepted(endpoint)
  await expectRefused(endpoint, refusedTokens())
})

test.each(withAccess('anyone', 'signed'))('%s ignores the bearer', async (_name, endpoint) => {
  for (const authorization of [undefined, 'Bearer not-a-token', 'Basic YTpi'])
    await expectAccepted(endpoint, authorization)
})

test.each(withAccess('signed'))('%s refuses unsigned calls, even from a member', async (_name, endpoint) => {
  for (const kind of ['active', 'deactivated'] as const) {
    const { status, body } = await call(endpoint, bearerOf(kind))
    expect([kind, status, body.code]).toEqual([kind, 400, 'WEBHOOK_REFUSED'])
  }
})

test('every endpoint of the contract has such a test', async ({ task }) => {
  const tried = task.file.tasks.map(({ name }) => name.split(' ', 2).join(' '))
  const defined = (await definedEndpoints()).map(({ method, path }) => `${method} ${path}`)
  expect(defined.filter((endpoint) => !tried.includes(endpoint))).toEqual([])
})
