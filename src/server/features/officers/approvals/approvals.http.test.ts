import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#tests/support/people.ts'
import {
  approvalsOf,
  endTermsAsOfficer,
  memberPage,
  provedOfficer,
  subjectsTo,
  waitingAbout,
  type TestOfficer,
} from '#tests/support/second-officers.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestOfficer
let desk: TestOfficer

beforeAll(async () => {
  president = await provedOfficer(app(), 'president')
  desk = await provedOfficer(app(), 'membership')
})

let addresses = 0
const newAddress = () => `Approved.${++addresses}@example.com`

const askEmail = (by: TestOfficer, target: TestOfficer, email = newAddress()) =>
  by.browser.post(`/api/console/members/${target.accountId}/email`, {
    email,
    reason: 'The old address is gone',
    seen: target.email,
  })

/** Somebody asked for another address of an editor, which waits for the president. */
async function waiting(by = desk) {
  const target = await provedOfficer(app(), 'editor')
  const email = newAddress()
  expect((await askEmail(by, target, email)).status).toBe(200)
  return { target, email, request: await waitingAbout(president, target.accountId) }
}
const decide = (by: TestOfficer, id: string, what: 'approve' | 'decline' | 'withdraw', body: object) =>
  by.browser.post(`/api/console/approvals/${id}/${what}`, body)
const stateOf = async (id: string) =>
  (await app().database.db.selectFrom('approval').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

describe('a request', () => {
  test('stands on Today for whoever may approve it, and for nobody else', async () => {
    const own = await provedOfficer(app(), 'president')
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

  test('two presidents approve at once: it is carried out once', async () => {
    const second = await provedOfficer(app(), 'president')
    const { request, email } = await waiting()
    const { version } = request
    const answers = await Promise.all([president, second].map((by) => decide(by, request.id, 'approve', { version })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('APPROVAL_CLOSED')
    await app().settle()
    expect(subjectsTo(app(), email)).toEqual(['Please confirm your new email address'])
    expect((await decide(second, request.id, 'approve', { version })).body.code).toBe('APPROVAL_CLOSED')
  })

  test('approved and declined at once: one of the two counts', async () => {
    const second = await provedOfficer(app(), 'president')
    const { request, email } = await waiting()
    const answers = await Promise.all([
      decide(president, request.id, 'approve', { version: request.version }),
      decide(second, request.id, 'decline', { reason: 'Not asked for' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await app().settle()
    expect(subjectsTo(app(), email).length).toBe((await stateOf(request.id)) === 'approved' ? 1 : 0)
  })

  test('is refused once the role of the officer who asked has ended, and can then be declined', async () => {
    const removed = await provedOfficer(app(), 'secretary')
    const { request, email } = await waiting(removed)
    await endTermsAsOfficer(app(), removed.accountId)
    const refused = await decide(president, request.id, 'approve', { version: request.version })
    expect(refused.body.code).toBe('APPROVAL_STALE')
    expect(await stateOf(request.id)).toBe('waiting')
    expect((await decide(president, request.id, 'decline', { reason: 'Role ended' })).status).toBe(200)
    await app().settle()
    expect(subjectsTo(app(), email)).toEqual([])
  })

  test('is refused when the address was changed meanwhile', async () => {
    const { request, target } = await waiting()
    await app()
      .database.db.updateTable('account')
      .set({ email: 'other@example.com', email_key: 'other@example.com' })
      .where('id', '=', target.accountId)
      .execute()
    const seen = await waitingAbout(president, target.accountId)
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'CHANGED_MEANWHILE',
    )
    const stale = await decide(president, request.id, 'approve', { version: seen.version })
    expect(stale.body.code).toBe('APPROVAL_STALE')
    expect(stale.body.message).toMatch(/another one by now/)
  })

  test('of an account that was ended meanwhile is closed with it', async () => {
    const { request, target } = await waiting()
    const { version } = (await desk.browser.get(`/api/console/members/${target.accountId}/end?ending=request`)).body
    const body = { ending: 'request', reason: 'Asked by letter', version }
    await desk.browser.post(`/api/console/members/${target.accountId}/end`, body)
    const both = (await approvalsOf(president)).filter(({ subject }) => subject.id === target.accountId)
    expect(both.map(({ act }) => act).toSorted()).toEqual(['member.change_email', 'member.end'])
    const end = both.find(({ act }) => act === 'member.end')
    expect((await decide(president, end?.id ?? '', 'approve', { version: end?.version })).status).toBe(200)
    expect(await stateOf(request.id)).toBe('withdrawn')
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'APPROVAL_CLOSED',
    )
  })

  test('is declined with a reason, of which its asker hears', async () => {
    const { request, email } = await waiting()
    expect((await decide(president, request.id, 'decline', { reason: ' ' })).body.errors).toHaveProperty('reason')
    const declined = await decide(president, request.id, 'decline', { reason: 'He says he did not ask' })
    expect(declined.body.approvals.find(({ id }: { id: string }) => id === request.id)).toMatchObject({
      state: 'declined',
      note: 'He says he did not ask',
    })
    await app().settle()
    const [mail] = app().standins.mails(desk.email)
    expect(mail?.subject).toBe('Your request was declined')
    expect(mail?.text).toContain('He says he did not ask')
    expect(subjectsTo(app(), email)).toEqual([])
  })

  test('is withdrawn by its asker alone', async () => {
    const { request } = await waiting()
    expect((await decide(president, request.id, 'withdraw', {})).status).toBe(404)
    expect((await decide(desk, request.id, 'withdraw', {})).status).toBe(200)
    expect((await decide(desk, request.id, 'withdraw', {})).body.code).toBe('APPROVAL_CLOSED')
    expect((await decide(president, request.id, 'approve', { version: request.version })).body.code).toBe(
      'APPROVAL_CLOSED',
    )
    expect((await decide(president, 'nothing', 'approve', { version: 'x' })).status).toBe(404)
  })

  test('the same is asked for once; another act on the same account is another request', async () => {
    const { target } = await waiting()
    expect((await askEmail(president, target)).body.code).toBe('APPROVAL_WAITING')
  })
})

describe('a site with few officers', () => {
  async function site(): Promise<{ small: TestApp; only: TestOfficer }> {
    const small = await createTestApp()
    return { small, only: await provedOfficer(small, 'president') }
  }

  test('with one president nobody could approve: it is refused at once, with the cure', async () => {
    const { small, only } = await site()
    await using _closing = small
    const treasurer = await provedOfficer(small, 'treasurer')
    const refused = await askEmail(only, treasurer)
    expect(refused.body.code).toBe('NO_SECOND_OFFICER')
    // Whoever is not president has one who can approve.
    const secretary = await provedOfficer(small, 'secretary')
    expect((await askEmail(secretary, treasurer)).status).toBe(200)
    // The only president cannot be asked about himself.
    const about = await askEmail(secretary, only)
    expect(about.body.code).toBe('NO_SECOND_OFFICER')
    const { body } = await secretary.browser.get(`/api/console/members/${only.accountId}/end?ending=deceased`)
    expect(body.obstacle).toBe(
      'Somebody must be able to manage the officers. Give another person the role of president first.',
    )
    const ended = await secretary.browser.post(`/api/console/members/${only.accountId}/end`, {
      ending: 'deceased',
      reason: 'x',
      version: body.version as string,
    })
    expect(ended.body.code).toBe('LAST_PRESIDENT')
  })

  test('two presidents whose ends were asked for cannot both go', async () => {
    const { small, only: first } = await site()
    await using _closing = small
    const second = await provedOfficer(small, 'president')
    const secretary = await provedOfficer(small, 'secretary')
    for (const one of [first, second]) {
      const path = `/api/console/members/${one.accountId}/end`
      const { version } = (await secretary.browser.get(`${path}?ending=request`)).body
      await secretary.browser.post(path, { ending: 'request', reason: 'x', version })
    }
    const [aboutFirst, aboutSecond] = [
      await waitingAbout(second, first.accountId),
      await waitingAbout(first, second.accountId),
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
      .where('deactivated_by', 'is', null)
      .execute()
    expect(open).toHaveLength(1)
  })

  test('nobody decides for a week: it expires, its asker is told, and it can be asked for again', async () => {
    const { small, only } = await site()
    await using _closing = small
    const secretary = await provedOfficer(small, 'secretary')
    const target = await provedOfficer(small, 'editor')
    await askEmail(secretary, target)
    const { id } = await waitingAbout(only, target.accountId)
    const { db } = small.database
    await db.updateTable('approval').set({ expires_at: small.now() }).where('id', '=', id).execute()
    expect((await decide(only, id, 'approve', { version: 'x' })).body.code).toBe('APPROVAL_CLOSED')
    expect((await askEmail(secretary, target)).status).toBe(200)
    await db.updateTable('approval').set({ expires_at: small.now() }).where('state', '=', 'waiting').execute()
    // Emails under way are sent first: their leases would end with the jump of the clock.
    await small.settle()
    await small.advance(DAY_MS / 12)
    await small.settle()
    const states = await db.selectFrom('approval').select('state').execute()
    expect(states.map(({ state }) => state)).toEqual(['expired', 'expired'])
    expect(subjectsTo(small, secretary.email).filter((subject) => subject === 'Your request has expired')).toHaveLength(
      2,
    )
  })
})
