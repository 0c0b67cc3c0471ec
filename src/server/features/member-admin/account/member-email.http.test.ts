import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { DAY_MS } from '#tests/support/people.ts'
import {
  accountIdOf,
  approvalsFor,
  endTermsAsOfficer,
  memberPage,
  officerWithSecondFactor,
  subjectsTo,
  tokenInEmail,
  pendingRequestAbout,
  type TestOfficer,
} from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const PASSWORD = 'monsoon-in-macon'
let president: TestOfficer
let desk: TestOfficer

beforeAll(async () => {
  president = await officerWithSecondFactor(app(), 'president')
  desk = await officerWithSecondFactor(app(), 'membership')
})

let addresses = 0
const newAddress = () => `Corrected.${++addresses}@example.com`

async function member(levelKey = 'medical_student') {
  const browser = app().browser()
  const { email, username } = await browser.join({ levelKey })
  await app().drain()
  return { browser, email, username, id: await accountIdOf(app(), email) }
}

const ask = (by: TestOfficer, who: { id: string; email: string }, email: string, reason = 'Typing error in the list') =>
  by.browser.post(`/api/console/members/${who.id}/email`, { email, reason, seen: who.email })
const confirm = (token: string) => app().browser().post('/api/account/email/confirm', { token })
const stop = (token: string) => app().browser().post('/api/account/email/stop', { token })
const history = async (by: TestOfficer, id: string) => (await memberPage(by, id)).history.map(({ action }) => action)

describe('the address of a member', () => {
  test('changes once the new address confirms; the current one is notified, and all sessions and the password end', async () => {
    const who = await member('annual_member')
    const moved = newAddress()
    const asked = await ask(desk, who, moved)
    expect(asked.status).toBe(200)
    expect(asked.body).toMatchObject({
      email: who.email,
      emailChange: { email: moved, reason: 'Typing error in the list' },
    })
    const token = await tokenInEmail(app(), moved, '/auth/confirm-email')
    expect(subjectsTo(app(), who.email)[0]).toBe('Your email address is about to change')
    expect(app().standins.mails(who.email)[0]?.text).not.toContain(moved)
    expect((await who.browser.get('/api/account/profile')).status).toBe(200)

    const confirmed = await confirm(token)
    expect(confirmed).toMatchObject({ status: 200, body: { email: moved } })
    expect((await who.browser.get('/api/account/profile')).status).toBe(401)
    for (const name of [who.email, moved, who.username]) {
      expect((await app().browser().logIn(name, PASSWORD)).status).toBe(401)
    }
    const reset = await app()
      .browser()
      .post('/api/email/reset-password', { ...confirmed.body.choosePassword, newPassword: 'a-quieter-veranda' })
    expect(reset.status).toBe(200)
    expect((await app().browser().logIn(moved, 'a-quieter-veranda')).status).toBe(200)
    await app().drain()
    expect(subjectsTo(app(), who.email)[0]).toBe('Your email address was changed')
    expect(
      app()
        .standins.stripe.customers()
        .filter((one) => 'email' in one && one.email === moved),
    ).toHaveLength(1)
    const page = await memberPage(president, who.id)
    expect(page).toMatchObject({ email: moved })
    expect(page).not.toHaveProperty('emailChange')
    expect(page.history.find(({ action }) => action === 'email.changed')?.details).toMatchObject({
      before: who.email,
      after: moved,
      askedBy: desk.accountId,
    })
    expect(page.history.find(({ action }) => action === 'email.change_asked')?.details).toMatchObject({
      reason: 'Typing error in the list',
    })
  })

  test('an imported member who never had a password chooses one when confirming', async () => {
    const typo = newAddress()
    const added = await president.browser.post('/api/console/members', {
      email: typo,
      firstName: 'Imported',
      lastName: `Person ${addresses}`,
      levelKey: 'medical_student',
      startedOn: '2026-01-02',
      endsOn: '2027-01-02',
      paidBy: 'free',
      invites: true,
    })
    expect(added.status).toBe(201)
    const invitation = await app().browser().linkInMail(typo, '/reset-password')
    const right = newAddress()
    await ask(desk, { id: added.body.id as string, email: typo }, right)
    const { body } = await confirm(await tokenInEmail(app(), right, '/auth/confirm-email'))
    // The invitation sent to the wrong address no longer works.
    const stranger = await app()
      .browser()
      .post('/api/email/reset-password', {
        ...Object.fromEntries(invitation.searchParams),
        newPassword: 'a-stranger-here',
      })
    expect(stranger.body.code).toBe('RESET_LINK_INVALID')
    const chosen = await app()
      .browser()
      .post('/api/email/reset-password', { ...body.choosePassword, newPassword: 'a-quieter-veranda' })
    expect(chosen.status).toBe(200)
    expect((await app().browser().logIn(right, 'a-quieter-veranda')).status).toBe(200)
  })

  test('the current address can stop it, once; the officers are notified', async () => {
    const who = await member()
    const moved = newAddress()
    await ask(desk, who, moved)
    const confirmToken = await tokenInEmail(app(), moved, '/auth/confirm-email')
    const stopToken = await tokenInEmail(app(), who.email, '/auth/stop-email-change')
    expect((await stop(stopToken)).body).toEqual({ success: true })
    expect((await stop(stopToken)).body.code).toBe('EMAIL_STOP_INVALID')
    expect((await confirm(confirmToken)).body.code).toBe('EMAIL_LINK_INVALID')
    await app().drain()
    for (const { email } of [desk, president]) {
      expect(subjectsTo(app(), email)).toContain('A change of email address was stopped')
    }
    expect(await history(president, who.id)).toContain('email.change_stopped')
    expect(await memberPage(desk, who.id)).not.toHaveProperty('emailChange')
  })

  test('can be withdrawn by an officer, and expires after 3 days', async () => {
    const who = await member()
    const first = newAddress()
    await ask(desk, who, first)
    const token = await tokenInEmail(app(), first, '/auth/confirm-email')
    const withdraw = () => president.browser.post(`/api/console/members/${who.id}/email/withdraw`, {})
    expect((await withdraw()).body).not.toHaveProperty('emailChange')
    expect((await withdraw()).body.code).toBe('CHANGED_MEANWHILE')
    expect((await confirm(token)).status).toBe(410)
    expect(await history(president, who.id)).toContain('email.change_withdrawn')

    const second = newAddress()
    await ask(desk, who, second)
    const late = await tokenInEmail(app(), second, '/auth/confirm-email')
    await app()
      .database.db.updateTable('oneTimeToken')
      .set({ expiresAt: app().now() })
      .where('subjectId', '=', who.id)
      .execute()
    await app()
      .database.db.updateTable('emailChange')
      .set({ askedAt: app().now() - 3 * DAY_MS })
      .where('accountId', '=', who.id)
      .execute()
    expect((await confirm(late)).status).toBe(410)
    expect(await memberPage(desk, who.id)).not.toHaveProperty('emailChange')
  })

  test('is replaced by a change the member requests, and vice versa', async () => {
    const who = await member()
    const [byOffice, byMember] = [newAddress(), newAddress()]
    await ask(desk, who, byOffice)
    const officeToken = await tokenInEmail(app(), byOffice, '/auth/confirm-email')
    await who.browser.post('/api/account/email', { email: byMember, password: PASSWORD })
    const memberToken = await tokenInEmail(app(), byMember, '/auth/confirm-email')
    expect((await confirm(officeToken)).status).toBe(410)
    const confirmed = await confirm(memberToken)
    expect(confirmed).toMatchObject({ status: 200, body: { email: byMember, choosePassword: null } })
    expect((await who.browser.get('/api/account/profile')).status).toBe(200)
  })

  test('of two concurrent requests only the later link works', async () => {
    const who = await member()
    const wanted = [newAddress(), newAddress()]
    const answers = await Promise.all([ask(desk, who, wanted[0] ?? ''), ask(president, who, wanted[1] ?? '')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await app().drain()
    const pending = (await memberPage(desk, who.id)).emailChange?.email
    for (const email of wanted.toSorted((one) => (one === pending ? 1 : -1))) {
      if (subjectsTo(app(), email).length === 0) continue
      const { status } = await confirm(await tokenInEmail(app(), email, '/auth/confirm-email'))
      expect([email, status]).toEqual([email, email === pending ? 200 : 410])
    }
    expect((await memberPage(desk, who.id)).email).toBe(pending)
  })

  test('an address that is taken, unchanged or stale is rejected with a message, and nothing is sent', async () => {
    const [who, other] = [await member(), await member()]
    const taken = await ask(desk, who, other.email.toUpperCase())
    expect(taken.body.errors.email).toMatch(/has an account with this address\. If it is the same person, merge/)
    expect((await ask(desk, who, who.email)).body.errors.email).toMatch(/already/)
    const stale = await ask(desk, { ...who, email: 'former@example.com' }, newAddress())
    expect(stale.body.code).toBe('CHANGED_MEANWHILE')
    expect((await ask(desk, who, 'no address')).body.errors.email).toBe('Please enter a valid email address')
    expect((await ask(desk, who, newAddress(), '')).body.errors.reason).toBe('Please give a reason for the audit log')
  })

  test('an address taken by another account before confirmation leaves the account unchanged', async () => {
    const who = await member()
    const wanted = newAddress().toLowerCase()
    await ask(desk, who, wanted)
    const token = await tokenInEmail(app(), wanted, '/auth/confirm-email')
    await app().browser().join({ email: wanted, levelKey: 'medical_student' })
    expect((await confirm(token)).status).toBe(410)
    expect((await memberPage(desk, who.id)).email).toBe(who.email)
  })

  test('is void when the requesting officer lost the role, or the member got one, in the meantime', async () => {
    const removed = await officerWithSecondFactor(app(), 'membership')
    const who = await member()
    const moved = newAddress()
    await ask(removed, who, moved)
    const token = await tokenInEmail(app(), moved, '/auth/confirm-email')
    await endTermsAsOfficer(app(), removed.accountId)
    expect((await confirm(token)).body.code).toBe('EMAIL_LINK_INVALID')

    const promoted = await member()
    const next = newAddress()
    await ask(desk, promoted, next)
    const second = await tokenInEmail(app(), next, '/auth/confirm-email')
    await president.browser.post('/api/console/officers', {
      email: promoted.email,
      role: 'editor',
      startsOn: '2099-01-01',
      endsOn: '2099-12-31',
    })
    expect((await confirm(second)).body.code).toBe('EMAIL_LINK_INVALID')
  })
})

describe('permissions', () => {
  const ROLES: [Role, number][] = [
    ['president', 200],
    ['secretary', 200],
    ['membership', 200],
    ['treasurer', 403],
    ['editor', 403],
    ['viewer', 403],
  ]
  test.each(ROLES)('%s on a member: %i', async (role, status) => {
    const officer = await officerWithSecondFactor(app(), role)
    expect((await ask(officer, await member(), newAddress())).status).toBe(status)
  })

  test('no officer can change their own, not even a president', async () => {
    const own = await ask(president, { id: president.accountId, email: president.email }, newAddress())
    expect(own.body.code).toBe('OWN_ACCOUNT')
  })

  test('a member without a role is rejected', async () => {
    const who = await member()
    expect((await who.browser.post(`/api/console/members/${who.id}/email`, {})).body.code).toBe('NOT_AN_OFFICER')
  })

  test('a closed account is rejected', async () => {
    const who = await member()
    await president.browser.post(`/api/console/members/${who.id}/disable`, { reason: 'x' })
    expect((await ask(desk, who, newAddress())).body.code).toBe('ACCOUNT_CLOSED')
    expect(
      (await desk.browser.post('/api/console/members/unknown/email', { email: newAddress(), reason: 'x', seen: 'y' }))
        .status,
    ).toBe(404)
  })
})

describe('the address of an officer', () => {
  test('nothing is sent before a second officer approves; then it continues as for a member', async () => {
    const target = await officerWithSecondFactor(app(), 'treasurer')
    const moved = newAddress()
    const asked = await ask(desk, { id: target.accountId, email: target.email }, moved)
    expect(asked.body).not.toHaveProperty('emailChange')
    expect(asked.body.approvals).toMatchObject([{ mayWithdraw: true }])
    await app().drain()
    expect(subjectsTo(app(), moved)).toEqual([])
    expect(subjectsTo(app(), president.email)).toContain('A request needs a second officer')

    const request = await pendingRequestAbout(president, target.accountId)
    expect(request).toMatchObject({ mayApprove: true, mayWithdraw: false, reason: 'Typing error in the list' })
    expect(request.sentences[0]).toBe(`The address changes from ${target.email} to ${moved}.`)
    const approved = await president.browser.post(`/api/console/approvals/${request.id}/approve`, {
      version: request.version,
    })
    expect(approved.status).toBe(200)
    const token = await tokenInEmail(app(), moved, '/auth/confirm-email')
    expect(subjectsTo(app(), target.email)[0]).toBe('Your email address is about to change')
    expect((await confirm(token)).status).toBe(200)
    await app().drain()
    expect(subjectsTo(app(), desk.email)).toContain('Your request was approved')
    expect(await history(president, target.accountId)).toEqual(
      expect.arrayContaining(['approval.asked', 'approval.approved', 'email.change_asked', 'email.changed']),
    )
  })

  test('it cannot be approved by the requesting officer, the officer concerned, or a role that manages no officers', async () => {
    const [asker, target, secretary] = [
      await officerWithSecondFactor(app(), 'president'),
      await officerWithSecondFactor(app(), 'president'),
      await officerWithSecondFactor(app(), 'secretary'),
    ]
    await ask(asker, { id: target.accountId, email: target.email }, newAddress())
    const { id, version } = await pendingRequestAbout(president, target.accountId)
    const approve = (by: TestOfficer) => by.browser.post(`/api/console/approvals/${id}/approve`, { version })
    expect((await approve(asker)).body.code).toBe('APPROVAL_OWN')
    expect((await approve(target)).body.code).toBe('APPROVAL_OWN')
    expect((await approve(secretary)).body.code).toBe('NOT_ALLOWED')
    expect(await approvalsFor(secretary)).toEqual([])
    expect((await approvalsFor(asker)).find((one) => one.id === id)).toMatchObject({
      mayApprove: false,
      mayWithdraw: true,
    })
    expect((await approve(president)).status).toBe(200)
  })
})
