import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import {
  approvalsFor,
  endTermsAsOfficer,
  memberPage,
  officerWithSecondFactor,
  subjectsTo,
  pendingRequestAbout,
  type TestOfficer,
} from '#tests/support/second-officers.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestOfficer
let desk: TestOfficer

beforeAll(async () => {
  president = await officerWithSecondFactor(app(), 'president')
  desk = await officerWithSecondFactor(app(), 'membership')
})

let addresses = 0
const newAddress = () => `Approved.${++addresses}@example.com`

const askEmail = (by: TestOfficer, target: TestOfficer, email = newAddress()) =>
  by.browser.post(`/api/console/members/${target.accountId}/email`, {
    email,
    reason: 'The old address is gone',
    seen: target.email,
  })

/** A request to change an editor's address, pending until the president decides. */
async function waiting(by = desk) {
  const target = await officerWithSecondFactor(app(), 'editor')
  const email = newAddress()
  expect((await askEmail(by, target, email)).status).toBe(200)
  return { target, email, request: await pendingRequestAbout(president, target.accountId) }
}
const decide = (by: TestOfficer, id: string, what: 'approve' | 'decline' | 'withdraw', body: object) =>
  by.browser.post(`/api/console/approvals/${id}/${what}`, body)
const stateOf = async (id: string) =>
  (await app().database.db.selectFrom('approval').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

describe('a request', () => {
  test('is listed on Today for officers who may approve it, and no one else', async () => {
    const own = await officerWithSecondFactor(app(), 'president')
    const before = async (by: TestOfficer) => {
      const { tasks } = (await by.browser.get('/api/console/today')).body
      return tasks.find(({ key }: { key: string }) => key === 'approvals')?.count ?? 0
    }
    const [forPresident, forOwn, forDesk] = [await before(president), await before(own), await before(desk)]
    const { target } = await waiting(own)
    expect([await before(president), await before(own), await before(desk)]).toEqual([
      forPresident + 1,
      forOwn,
      forDesk,
    ])
    expect(forDesk).toBe(0)
    expect((await memberPage(desk, target.accountId)).approvals).toMatchObject([{ mayWithdraw: false }])
  })

  test('approved by two presidents concurrently: carried out once', async () => {
    const second = await officerWithSecondFactor(app(), 'president')
    const { request, email } = await waiting()
    const { version } = request
    const answers = await Promise.all([president, second].map((by) => decide(by, request.id, 'approve', { version })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('APPROVAL_CLOSED')
    await app().drain()
    expect(subjectsTo(app(), email)).toEqual(['Please confirm your new email address'])
    expect((await decide(second, request.id, 'approve', { version })).body.code).toBe('APPROVAL_CLOSED')
  })

  test('approved and declined concurrently: one of them takes effect', async () => {
    const second = await officerWithSecondFactor(app(), 'president')
    const { request, email } = await waiting()
    const answers = await Promise.all([
      decide(president, request.id, 'approve', { version: request.version }),
      decide(second, request.id, 'decline', { reason: 'Not asked for' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await app().drain()
    expect(subjectsTo(app(), email).length).toBe((await stateOf(request.id)) === 'approved' ? 1 : 0)
  })

  test('is rejected once the requesting officer’s role has ended, and can then be declined', async () => {
    const removed = await officerWithSecondFactor(app(), 'secretary')
    const { request, email } = await waiting(removed)
    await endTermsAsOfficer(app(), removed.accountId)
    const refused = await decide(president, request.id, 'approve', { version: request.version })
    expect(refused.body.code).toBe('APPROVAL_STALE')
    expect(await stateOf(request.id)).toBe('waiting')
    expect((await decide(president, request.id, 'decline', { reason: 'Role ended' })).status).toBe(200)
    await app().drain()
    expect(subjectsTo(app(), email)).toEqual([])
  })

  test('is rejected if the address was changed meanwhile', async () => {
    const { request, target } = await waiting()
    await app()
      .database.db.updateTable('account')
      .set({ email: 'other@example.com', emailKey: 'other@example.com' })
      .where('id', '=', target.accountId)
      .execute()
    const seen = await pendingRequestAbout(president, target.accountId)
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
    const stale = await decide(president, request.id, 'approve', { version: seen.version })
    expect(stale.body.code).toBe('APPROVAL_STALE')
    expect(stale.body.message).toMatch(/has changed since this request/)
  })

  test('is closed when its account is ended', async () => {
    const { request, target } = await waiting()
    const { version } = (await desk.browser.get(`/api/console/members/${target.accountId}/end?ending=request`)).body
    const body = { ending: 'request', reason: 'Asked in writing', version }
    await desk.browser.post(`/api/console/members/${target.accountId}/end`, body)
    const both = (await approvalsFor(president)).filter(({ subject }) => subject.id === target.accountId)
    expect(both.map(({ act }) => act).toSorted()).toEqual(['member.change_email', 'member.end'])
    const end = both.find(({ act }) => act === 'member.end')
    expect((await decide(president, end?.id ?? '', 'approve', { version: end?.version })).status).toBe(200)
    expect(await stateOf(request.id)).toBe('withdrawn')
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'APPROVAL_CLOSED',
    )
  })

  test('is declined with a reason, which the requesting officer receives', async () => {
    const { request, email } = await waiting()
    expect((await decide(president, request.id, 'decline', { reason: ' ' })).body.errors).toHaveProperty('reason')
    const declined = await decide(president, request.id, 'decline', { reason: 'He says he did not ask' })
    expect(declined.body.approvals.find(({ id }: { id: string }) => id === request.id)).toMatchObject({
      state: 'declined',
      note: 'He says he did not ask',
    })
    await app().drain()
    const [mail] = app().standins.mails(desk.email)
    expect(mail?.subject).toBe('Your request was declined')
    expect(mail?.text).toContain('He says he did not ask')
    expect(subjectsTo(app(), email)).toEqual([])
  })

  test('can be withdrawn only by the officer who made it', async () => {
    const { request } = await waiting()
    expect((await decide(president, request.id, 'withdraw', {})).status).toBe(404)
    expect((await decide(desk, request.id, 'withdraw', {})).status).toBe(200)
    expect((await decide(desk, request.id, 'withdraw', {})).body.code).toBe('APPROVAL_CLOSED')
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'APPROVAL_CLOSED',
    )
    expect((await decide(president, 'nothing', 'approve', { version: 'x' })).status).toBe(404)
  })

  test('the same request cannot be made twice; another act on the same account is another request', async () => {
    const { target } = await waiting()
    expect((await askEmail(president, target)).body.code).toBe('APPROVAL_WAITING')
  })
})

describe('a site with few officers', () => {
  async function site(): Promise<{ small: TestApp; only: TestOfficer }> {
    const small = await createTestApp()
    return { small, only: await officerWithSecondFactor(small, 'president') }
  }

  test('with one president no one could approve: the request is rejected immediately, with a way out', async () => {
    const { small, only } = await site()
    await using _closing = small
    const treasurer = await officerWithSecondFactor(small, 'treasurer')
    const refused = await askEmail(only, treasurer)
    expect(refused.body.code).toBe('NO_SECOND_OFFICER')
    // An officer who is not president has a president who can approve.
    const secretary = await officerWithSecondFactor(small, 'secretary')
    expect((await askEmail(secretary, treasurer)).status).toBe(200)
    // The only president cannot approve a request about himself.
    const about = await askEmail(secretary, only)
    expect(about.body.code).toBe('NO_SECOND_OFFICER')
    const { body } = await secretary.browser.get(`/api/console/members/${only.accountId}/end?ending=deceased`)
    expect(body.obstacle).toBe('At least one officer must be able to manage roles. Make someone else president first.')
    const ended = await secretary.browser.post(`/api/console/members/${only.accountId}/end`, {
      ending: 'deceased',
      reason: 'x',
      version: body.version as string,
    })
    expect(ended.body.code).toBe('LAST_PRESIDENT')
  })

  test('two presidents cannot both be ended', async () => {
    const { small, only: first } = await site()
    await using _closing = small
    const second = await officerWithSecondFactor(small, 'president')
    const secretary = await officerWithSecondFactor(small, 'secretary')
    for (const one of [first, second]) {
      const path = `/api/console/members/${one.accountId}/end`
      const { version } = (await secretary.browser.get(`${path}?ending=request`)).body
      await secretary.browser.post(path, { ending: 'request', reason: 'x', version })
    }
    const [aboutFirst, aboutSecond] = [
      await pendingRequestAbout(second, first.accountId),
      await pendingRequestAbout(first, second.accountId),
    ]
    const answers = await Promise.all([
      decide(second, aboutFirst.id, 'approve', { version: aboutFirst.version }),
      decide(first, aboutSecond.id, 'approve', { version: aboutSecond.version }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { db } = small.database
    const open = await db
      .selectFrom('account')
      .select('id')
      .where('id', 'in', [first.accountId, second.accountId])
      .where('deactivatedBy', 'is', null)
      .execute()
    expect(open).toHaveLength(1)
  })

  test('expires after a week without a decision; its requester is notified and can request it again', async () => {
    const { small, only } = await site()
    await using _closing = small
    const secretary = await officerWithSecondFactor(small, 'secretary')
    const target = await officerWithSecondFactor(small, 'editor')
    await askEmail(secretary, target)
    const { id } = await pendingRequestAbout(only, target.accountId)
    const { db } = small.database
    await db.updateTable('approval').set({ expiresAt: small.now() }).where('id', '=', id).execute()
    expect((await decide(only, id, 'approve', { version: 'x' })).body.code).toBe('APPROVAL_CLOSED')
    expect((await askEmail(secretary, target)).status).toBe(200)
    await db.updateTable('approval').set({ expiresAt: small.now() }).where('state', '=', 'waiting').execute()
    // Send pending emails first: their leases would expire when the clock advances.
    await small.drain()
    await small.advance(DAY_MS / 12)
    await small.drain()
    const states = await db.selectFrom('approval').select('state').execute()
    expect(states.map(({ state }) => state)).toEqual(['expired', 'expired'])
    expect(subjectsTo(small, secretary.email).filter((subject) => subject === 'Your request has expired')).toHaveLength(
      2,
    )
  })
})
