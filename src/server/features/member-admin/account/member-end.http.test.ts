import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import type { ImportReport } from '#contract/console/import.ts'
import type { Ending } from '#contract/console/member-account.ts'
import { findAccountEnd } from '#server/features/my-account/deletion/deletion.queries.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { DAY_MS } from '#tests/support/people.ts'
import {
  accountIdOf,
  memberPage,
  officerWithSecondFactor,
  subjectsTo,
  pendingRequestAbout,
  planEnd,
  type TestOfficer,
} from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { finishDeletion } from '#server/features/my-account/account.effects.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
let president: TestOfficer
let desk: TestOfficer

beforeAll(async () => {
  president = await officerWithSecondFactor(app(), 'president')
  desk = await officerWithSecondFactor(app(), 'membership')
})

async function member(levelKey = 'annual_member') {
  const browser = app().browser()
  const { email, username } = await browser.join({ levelKey })
  await app().drain()
  return { browser, email, username, id: await accountIdOf(app(), email) }
}

const plan = (by: TestOfficer, id: string, ending: Ending, on = app()) => planEnd(on, by, { id, ending })

async function end(by: TestOfficer, id: string, ending: Ending, reason = 'Request of November 3') {
  const { version } = (await plan(by, id, ending)).body
  return by.browser.post(`/api/console/members/${id}/end`, { ending, reason, version })
}

async function subscriptionOf(accountId: string) {
  const { stripeSubscriptionId: id } = await app()
    .database.db.selectFrom('membership')
    .select('stripeSubscriptionId')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return app()
    .standins.stripe.subscriptions()
    .find((one) => one.id === id)
}

const accountOf = (id: string) =>
  app().database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const membershipOf = (id: string) =>
  app()
    .database.db.selectFrom('membership')
    .selectAll()
    .where('accountId', '=', id)
    .where('isCurrent', '=', 1)
    .executeTakeFirstOrThrow()

async function reader(email: string) {
  await app()
    .database.db.insertInto('subscriber')
    .values({
      id: `reader-${email}`,
      email,
      emailKey: email.toLowerCase(),
      state: 'subscribed',
      source: 'homepage',
      askedAt: app().now(),
      confirmedAt: app().now(),
      leftAt: null,
      hardBounces: 0,
      softBounces: 0,
    })
    .execute()
}

describe('on request', () => {
  test('the renewal stops, the data is erased as by the member’s own deletion, and an email confirms it', async () => {
    const who = await member()
    await reader(who.email)
    const { body } = await plan(desk, who.id, 'request')
    expect(body).toMatchObject({ needsSecondOfficer: false, obstacle: null })
    expect(body.sentences.join(' ')).toContain(
      'The membership does not renew: our card provider stops the subscription',
    )
    expect(body.sentences.join(' ')).toContain('The newsletter and all reminders stop at once.')
    const ended = await end(desk, who.id, 'request')
    expect(ended.body).toMatchObject({ state: 'LEFT', ended: { as: 'request' } })
    expect(await subscriptionOf(who.id)).toMatchObject({ cancel_at_period_end: true, status: 'active' })
    expect((await who.browser.get('/api/account/profile')).status).toBe(403)
    expect((await app().browser().logIn(who.email)).body.code).toBe('ACCOUNT_INACTIVE')
    expect(await accountOf(who.id)).toMatchObject({ deactivatedBy: 'self', passwordHash: '', username: who.id })
    await app().drain()
    const [email] = app().standins.mails(who.email)
    expect(email?.subject).toBe('Your account was deleted')
    expect(email?.text).toContain('Our office ended the account at your request.')
    expect((await memberPage(president, who.id)).newsletter).toMatchObject({ state: 'left' })
    expect((await memberPage(president, who.id)).history[0]).toMatchObject({
      action: 'account.ended',
      details: { as: 'request', reason: 'Request of November 3' },
    })
    // They can rejoin with the same address.
    await app().browser().join({ email: who.email, username: who.username, levelKey: 'medical_student' })
  })
})

describe('on death', () => {
  test('nothing is charged again, the membership ends, and no email is sent, not even a queued one', async () => {
    const who = await member()
    await reader(who.email)
    const before = subjectsTo(app(), who.email).length
    const { body } = await plan(desk, who.id, 'deceased')
    expect(body.sentences.join(' ')).toContain('so the card is never charged again')
    const { payments } = await memberPage(president, who.id)
    const ended = await end(desk, who.id, 'deceased', 'Told by the family')
    expect(ended.body).toMatchObject({ state: 'LEFT', ended: { as: 'deceased' } })
    expect(await subscriptionOf(who.id)).toMatchObject({ status: 'canceled' })
    expect((await membershipOf(who.id)).endedAt).not.toBeNull()
    const again = await president.browser.post(
      `/api/console/members/${who.id}/payments/${payments?.[0]?.id}/receipt`,
      {},
    )
    expect([again.status, again.body.code]).toEqual([409, 'ACCOUNT_CLOSED'])
    expect(again.body.message).toContain('so no email goes to this address')
    await app().drain()
    expect(subjectsTo(app(), who.email)).toHaveLength(before)
    expect((await memberPage(president, who.id)).payments).toHaveLength(payments?.length ?? 0)
  })

  test('a lifetime membership ends too, without calling the card provider', async () => {
    const who = await member('life_member')
    await app().standins.control({ stripe: 'refuse' })
    expect((await end(desk, who.id, 'deceased')).status).toBe(200)
    await app().standins.control({ stripe: 'ok' })
    expect((await membershipOf(who.id)).endedAt).not.toBeNull()
  })

  test('neither importing an old list nor adding a member restores the account or sends an invitation', async () => {
    const who = await member('medical_student')
    await end(desk, who.id, 'deceased')
    await app().drain()
    const before = subjectsTo(app(), who.email).length
    const rows = [['email', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn']]
    rows.push([who.email, 'Meera', 'Raghuvanshi', 'annual_member', '2026-01-02', '2027-01-02'])
    const uploaded = await fetch(`${app().url}/api/console/member-import-file?filename=members.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${desk.browser.token}`, 'content-type': 'application/octet-stream' },
      body: rows.map((cells) => cells.join(',')).join('\n'),
    })
    const report = (await uploaded.json()) as ImportReport
    expect(report.counts).toMatchObject({ new: 0, wrong: 1 })
    expect(report.wrong[0]?.faults[0]).toMatchObject({
      column: 'email',
      sentence: 'The member with this address died.',
    })
    await desk.browser.post(`/api/console/member-imports/${report.id}/confirm`, { sendsInvitations: true })

    const wanted = {
      email: who.email,
      firstName: 'Meera',
      lastName: 'Raghuvanshi',
      levelKey: 'medical_student',
      startedOn: '2026-01-02',
      endsOn: '2027-01-02',
      paidBy: 'free',
      reason: 'Old list',
      invites: true,
    }
    const added = await desk.browser.post('/api/console/members', wanted)
    expect(added.status).toBe(400)
    expect(added.body.errors.isSomebodyElse).toContain('The member with this address died.')
    await app().drain()
    expect(subjectsTo(app(), who.email)).toHaveLength(before)
    // Another person in the household may use the address.
    const spouse = { ...wanted, firstName: 'Leela', isSomebodyElse: true }
    expect((await desk.browser.post('/api/console/members', spouse)).status).toBe(201)
  })

  test('a new registration with the address receives email again', async () => {
    const who = await member('medical_student')
    await end(desk, who.id, 'deceased')
    const spouse = app().browser()
    await spouse.join({ email: who.email, levelKey: 'medical_student', firstName: 'Leela' })
    await app().drain()
    expect(subjectsTo(app(), who.email)[0]).toMatch(/^Welcome/)
  })
})

describe('failures', () => {
  test('when the card provider refuses, the account is kept and the history shows it', async () => {
    const who = await member()
    await app().standins.control({ stripe: 'refuse' })
    const refused = await end(desk, who.id, 'deceased')
    await app().standins.control({ stripe: 'ok' })
    expect(refused.body).toMatchObject({ code: 'PROVIDER_FAILED' })
    expect(await accountOf(who.id)).toMatchObject({ deactivatedBy: 'deceased' })
    expect((await memberPage(president, who.id)).history.map(({ action }) => action)).toContain('account.end_failed')
    expect((await end(desk, who.id, 'deceased')).status).toBe(200)
  })

  test('after a crash the worker finishes it', async () => {
    const who = await member()
    const [{ db }, id] = [app().database, `intent-${who.id}`]
    await db
      .insertInto('accountDeletion')
      .values({
        id,
        accountId: who.id,
        askedAt: app().now(),
        ending: 'deceased',
        askedBy: desk.accountId,
        approvedBy: null,
        reason: 'Told by the family',
      })
      .execute()
    await addToOutbox(db, { effect: finishDeletion, payload: { deletionId: id } }, app().now())
    await app().drain()
    expect(await findAccountEnd(db, who.id)).toMatchObject({ ending: 'deceased' })
    expect(await subscriptionOf(who.id)).toMatchObject({ status: 'canceled' })
  })

  test('is rejected when the preview is outdated', async () => {
    const who = await member('medical_student')
    const { version } = (await plan(desk, who.id, 'request')).body
    await reader(who.email)
    const post = (given: object) =>
      desk.browser.post(`/api/console/members/${who.id}/end`, { ending: 'request', reason: 'x', version, ...given })
    expect((await post({})).body.code).toBe('CHANGED_MEANWHILE')
    expect((await post({ ending: 'deceased' })).body.code).toBe('DEATH_NOT_RECORDED')
    expect((await post({ ending: 'bored' })).body.errors).toHaveProperty('ending')
    expect((await post({ reason: ' ' })).body.errors.reason).toBe('Please give a reason for the audit log')
    expect(await accountOf(who.id)).toMatchObject({ deactivatedBy: null })
  })

  test('two concurrent requests end it once', async () => {
    const who = await member()
    const { version } = (await plan(desk, who.id, 'request')).body
    const post = (by: TestOfficer) =>
      by.browser.post(`/api/console/members/${who.id}/end`, { ending: 'request', reason: 'x', version })
    const answers = await Promise.all([post(desk), post(president)])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    await app().drain()
    const page = await memberPage(president, who.id)
    expect(page.history.filter(({ action }) => action === 'account.ended')).toHaveLength(1)
    expect(subjectsTo(app(), who.email).filter((subject) => subject === 'Your account was deleted')).toHaveLength(1)
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
    expect((await end(officer, (await member('medical_student')).id, 'request')).status).toBe(status)
  })

  test('not the officer’s own account or an ended one, but a disabled one', async () => {
    expect((await end(president, president.accountId, 'request')).body.code).toBe('OWN_ACCOUNT')
    const who = await member('medical_student')
    await president.browser.post(`/api/console/members/${who.id}/disable`, { reason: 'Rude' })
    expect((await end(desk, who.id, 'request')).status).toBe(200)
    expect((await end(desk, who.id, 'request')).body.code).toBe('ACCOUNT_CLOSED')
    expect((await plan(desk, who.id, 'request')).body.obstacle).toBe('This account was already ended or deleted.')
    expect((await plan(desk, 'unknown', 'request')).status).toBe(404)
  })

  test('an officer’s account and roles end when a second officer approves the same effects', async () => {
    const target = await officerWithSecondFactor(app(), 'treasurer')
    const asked = await end(desk, target.accountId, 'deceased', 'Told by the family')
    expect(asked.body).toMatchObject({ state: 'DECEASED' })
    expect(asked.body.approvals).toHaveLength(1)
    expect((await end(desk, target.accountId, 'deceased')).body.code).toBe('APPROVAL_WAITING')
    const seen = await pendingRequestAbout(president, target.accountId)
    expect(seen.sentences.join(' ')).toContain('The role of Treasurer ends at once.')
    await reader(target.email)
    const approve = (version: string) =>
      president.browser.post(`/api/console/approvals/${seen.id}/approve`, { version })
    expect((await approve(seen.version)).body.code).toBe('CHANGED_MEANWHILE')
    const { version } = await pendingRequestAbout(president, target.accountId)
    expect((await approve(version)).status).toBe(200)
    const page = await memberPage(president, target.accountId)
    expect(page).toMatchObject({ state: 'LEFT', ended: { as: 'deceased' } })
    expect(page.history.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['approval.asked', 'approval.approved', 'role.ended', 'account.ended']),
    )
    const { terms } = (await president.browser.get('/api/console/officers')).body
    const mine = terms.filter(({ accountId }: { accountId: string }) => accountId === target.accountId)
    expect(mine.map(({ state }: { state: string }) => state)).toEqual(['over'])
    await app().drain()
    expect(subjectsTo(app(), target.email)).not.toContain('Your account was deleted')
  })
})

test('a year after a death nothing was charged and no email was sent', async () => {
  await using later = await createTestApp()
  const officer = await officerWithSecondFactor(later, 'president')
  const browser = later.browser()
  const { email } = await browser.join({ levelKey: 'annual_member' })
  await later.drain()
  const id = await accountIdOf(later, email)
  const { version } = (await plan(officer, id, 'deceased', later)).body
  const body = { ending: 'deceased', reason: 'Told by the family', version }
  expect((await officer.browser.post(`/api/console/members/${id}/end`, body)).status).toBe(200)
  const { mails, stripe } = later.standins
  const before = [mails(email).length, stripe.account.invoices.all().length]
  for (let month = 0; month < 13; month++) {
    await later.advance(31 * DAY_MS)
    await later.drain()
  }
  expect([mails(email).length, stripe.account.invoices.all().length]).toEqual(before)
})
