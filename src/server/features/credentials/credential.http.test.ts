import { expect, test } from 'vitest'
import { membershipLife } from '#tests/support/membership-life.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { findCredential } from './credential.queries.ts'
import { applyCredentialDecision } from './credential.service.ts'

const app = useTestApp()
const { join, emailTo, rowsOf, subscriptionOf } = membershipLife(app)
const PATH = '/api/account/credentials'
const NPI = { npi: '1234567893', licenceState: 'ga' }

async function decideFor(email: string, status: 'approved' | 'declined', evidence: string): Promise<boolean> {
  const { db } = app().database
  const { id } = await rowsOf({ email })
  const credential = await findCredential(db, id)
  if (!credential) throw new Error('nothing was given')
  const decided = await applyCredentialDecision(
    db,
    credential,
    { status, officerId: 'officer-1', evidence },
    app().now(),
  )
  await app().drain()
  return decided
}

test('submitted credentials await review, while the membership is active', async () => {
  const { browser, email } = await join()
  expect((await browser.get(PATH)).body).toEqual({ credentials: null })
  const { status, body } = await browser.call('PUT', PATH, NPI)
  expect(status).toBe(200)
  expect(body.credentials).toMatchObject({ npi: '1234567893', licenceState: 'GA', status: 'waiting', reason: null })
  expect((await browser.get(PATH)).body).toEqual(body)
  expect((await subscriptionOf({ email })).status).toBe('ACTIVE')
})

test('approval sends an email and records the officer, time and evidence', async () => {
  const { browser, email } = await join()
  await browser.call('PUT', PATH, NPI)
  expect(await decideFor(email, 'approved', 'NPPES looked up')).toBe(true)
  expect(emailTo(email, /^Your credentials are verified$/).text).toContain('verified your NPI')
  const { body } = await browser.get(PATH)
  expect(body.credentials).toMatchObject({ status: 'approved', reason: null, decidedAt: expect.any(String) as string })
  const { id } = await rowsOf({ email })
  const audit = await app().database.db.selectFrom('audit').selectAll().where('subjectId', '=', id).execute()
  expect(audit.find(({ action }) => action === 'credentials.approved')).toMatchObject({
    actor: 'officer-1',
    details: expect.stringContaining('NPPES looked up') as string,
  })
  // Unchanged credentials stay approved; changed ones are reviewed again.
  expect((await browser.call('PUT', PATH, NPI)).body.credentials.status).toBe('approved')
  expect((await browser.call('PUT', PATH, { ...NPI, licenceState: 'FL' })).body.credentials.status).toBe('waiting')
})

test('declining sends the reason, and the same credentials can be submitted again', async () => {
  const { browser, email } = await join()
  await browser.call('PUT', PATH, NPI)
  await decideFor(email, 'declined', 'The registry has another name.')
  expect(emailTo(email, /could not verify/).text).toContain('The registry has another name.')
  expect((await browser.get(PATH)).body.credentials).toMatchObject({ reason: 'The registry has another name.' })
  expect((await browser.call('PUT', PATH, NPI)).body.credentials.status).toBe('waiting')
})

test('of two concurrent decisions one succeeds', async () => {
  const { browser, email } = await join()
  await browser.call('PUT', PATH, NPI)
  const { db } = app().database
  const credential = await findCredential(db, (await rowsOf({ email })).id)
  if (!credential) throw new Error('nothing was given')
  const decisions = await Promise.all(
    (['approved', 'declined'] as const).map((status) =>
      applyCredentialDecision(db, credential, { status, officerId: status, evidence: 'x' }, app().now()),
    ),
  )
  expect(decisions.filter(Boolean)).toHaveLength(1)
})
