import { beforeAll, describe, expect, test } from 'vitest'
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
      await app().database.db.updateTable('account').set({ token_version: 9 }).where('email_key', '=', email).execute()
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

describe.each(endpoints.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]))(
  'authorization of %s',
  (_name, endpoint) => {
    const { access } = endpoint

    if (access === 'officer') {
      const { permission } = endpoint

      test('requires the documented permission, and refuses members and roles without it', async () => {
        expect(permission).toBeDefined()
        const member = app().browser()
        await member.logIn(activeEmail)
        const { status, body } = await call(endpoint, `Bearer ${member.token}`)
        expect([status, body.code]).toEqual([403, 'NOT_AN_OFFICER'])
        for (const role of ROLES) {
          const officer = await officerWith(app(), [role])
          const response = await call(endpoint, `Bearer ${officer.token}`)
          const isAllowed = permission !== undefined && permissionsOf([role]).includes(permission)
          const isRefused = ['NOT_AN_OFFICER', 'NOT_ALLOWED'].includes(String(response.body?.code))
          expect([role, isRefused]).toEqual([role, !isAllowed])
        }
      })
    }

    if (access === 'member' || access === 'officer') {
      test('refuses calls without a bearer', async () => {
        const { status, body } = await call(endpoint)
        expect([status, body]).toEqual([401, REQUIRED])
      })
      test.each(['Basic YTpi', 'Bearer', 'Bearer  ', 'bearer', 'Token x'])('refuses %s', async (authorization) => {
        const { status, body } = await call(endpoint, authorization)
        expect([status, body]).toEqual([401, REQUIRED])
      })
    }

    if (access === 'member') {
      test('accepts a member', async () => {
        // A new session each time: some calls end the existing ones.
        const browser = app().browser()
        await browser.logIn(activeEmail)
        const { body } = await call(endpoint, `Bearer ${browser.token}`)
        expect(LOGS_OUT).not.toContain(body?.code)
      })
    }

    if (access === 'member' || access === 'optional' || access === 'officer') {
      test.each(['Bearer not-a-token', 'Bearer a.b.c'])('refuses %s', async (authorization) => {
        const { status, body } = await call(endpoint, authorization)
        expect([status, body]).toEqual([401, EXPIRED])
      })
      test('refuses a revoked token', async () => {
        const { status, body } = await call(endpoint, bearerOf('revoked'))
        expect([status, body]).toEqual([401, EXPIRED])
      })
      test('refuses a deactivated account', async () => {
        const { status, body } = await call(endpoint, bearerOf('deactivated'))
        expect([status, body]).toEqual([403, INACTIVE])
      })
    }

    if (access !== 'member' && access !== 'officer') {
      test('requires no bearer', async () => {
        const { body } = await call(endpoint)
        expect(LOGS_OUT).not.toContain(body?.code)
      })
    }

    if (access === 'anyone' || access === 'signed') {
      test.each(['Bearer not-a-token', 'Basic YTpi'])('ignores %s', async (authorization) => {
        const { body } = await call(endpoint, authorization)
        expect(LOGS_OUT).not.toContain(body?.code)
      })
    }

    if (access === 'signed') {
      test.each(['active', 'deactivated'] as const)('refuses unsigned calls, even from a member (%s)', async (kind) => {
        const { status, body } = await call(endpoint, bearerOf(kind))
        expect([status, body.code]).toEqual([400, 'WEBHOOK_REFUSED'])
      })
    }
  },
)

test('has tests for every endpoint of the contract', async ({ task }) => {
  const walked = task.file.tasks.flatMap((suite) =>
    suite.type === 'suite' && suite.tasks.length > 0 ? suite.name : [],
  )
  const defined = await definedEndpoints()
  expect(walked.toSorted()).toEqual(defined.map(({ method, path }) => `authorization of ${method} ${path}`).toSorted())
})
