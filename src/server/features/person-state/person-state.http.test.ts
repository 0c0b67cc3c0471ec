import { beforeEach, describe, expect, test } from 'vitest'
import { joinForDirectory } from '#tests/support/content/directory.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { useMerging } from '#tests/support/merging.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { memberPage, officerWithSecondFactor, type TestOfficer } from '#tests/support/second-officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const people = useMerging(app)
const { join, pass, rowsOf, subjectsTo, emailTo } = membershipLife(app)
const DAY = 86_400_000
let president: TestOfficer
let desk: TestOfficer

// Terms of officers end while days pass in these tests.
beforeEach(async () => {
  president = await officerWithSecondFactor(app(), 'president')
  desk = await officerWithSecondFactor(app(), 'membership')
})

/** Officers log in again after days. */
async function refresh() {
  for (const officer of [president, desk]) {
    await officer.browser.logIn(officer.email, 'monsoon-in-macon-twice')
    await recordSecondFactor(app(), officer.browser)
  }
}

const at = (id: string, rest = '') => `/api/console/members/${id}/${rest}`
const report = (id: string, source: string, by = desk) => by.browser.post(at(id, 'death-reports'), { source })
const set = (id: string, state: string, seen: string, by = desk) =>
  by.browser.post(at(id, 'state'), { state, seen, reason: 'As discussed' })

async function reportTwice(id: string) {
  expect((await report(id, 'Obituary in the Telegraph')).status).toBe(200)
  expect((await report(id, 'The family called', president)).status).toBe(200)
}

async function recordDeath(id: string) {
  await reportTwice(id)
  await pass(7)
  await refresh()
  const { status, body } = await set(id, 'deceased', 'living')
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const cancellations = (subscription: string) =>
  app().standins.stripe.account.subscriptions.get(subscription)?.cancel_at_period_end

// First, because the officers of merges do not log in again when days pass.
test('no email goes to the address of an account that was merged into that of the person either', async () => {
  const [kept, merged] = [await people.join(), await people.join()]
  expect((await people.merge(kept, merged)).status).toBe(200)
  await recordDeath(kept.id)
  await app().drain()
  const sent = subjectsTo(merged.email)
  await app().browser().post('/api/auth/forgot-password', { email: merged.email })
  await app().browser().post('/api/newsletter/subscribe', { email: merged.email })
  await app().drain()
  expect(subjectsTo(merged.email)).toEqual(sent)
  const { db } = app().database
  const suppressed = () => db.selectFrom('suppression').selectAll().where('reason', '=', 'deceased').execute()
  expect(await suppressed()).toHaveLength(2)
  // An account that is being ended for good is not opened again first.
  await db.insertInto('accountDeletion').values({ id: 'under-way', accountId: kept.id, askedAt: app().now() }).execute()
  expect((await set(kept.id, 'living', 'deceased')).body.code).toBe('ENDING_UNDER_WAY')
  await db.deleteFrom('accountDeletion').where('id', '=', 'under-way').execute()
  expect((await set(kept.id, 'living', 'deceased')).status).toBe(200)
  expect(await suppressed()).toEqual([])
})

describe('a report', () => {
  test('alone changes nothing, and the account gets one email', async () => {
    const who = await join()
    const { id } = await rowsOf(who)
    const before = (await who.browser.get('/api/account/profile')).body
    expect((await report(id, 'Obituary in the Telegraph')).body).toMatchObject({ state: 'living', decidableFrom: null })
    await report(id, 'The family called', president)
    await app().drain()
    expect((await who.browser.get('/api/account/profile')).body).toEqual(before)
    expect(subjectsTo(who.email).filter((subject) => /still here/.test(subject))).toHaveLength(1)
  })

  test('is decided with two sources, after seven days, and History names them', async () => {
    const who = await join()
    const { id } = await rowsOf(who)
    await report(id, 'Obituary in the Telegraph')
    expect((await set(id, 'deceased', 'living')).body.code).toBe('TWO_SOURCES_NEEDED')
    await report(id, 'obituary in the TELEGRAPH ', president)
    expect((await set(id, 'deceased', 'living')).body.code).toBe('TWO_SOURCES_NEEDED')
    await report(id, 'The family called', president)
    expect((await set(id, 'deceased', 'living')).body.code).toBe('TIME_TO_OBJECT')
    await pass(7)
    await refresh()
    expect((await set(id, 'deceased', 'living')).body).toMatchObject({
      state: 'deceased',
      decision: { sources: ['Obituary in the Telegraph', 'The family called'] },
      reports: [],
    })
    expect((await memberPage(president, id)).history[0]).toMatchObject({
      action: 'person.deceased',
      details: { sources: ['Obituary in the Telegraph', 'The family called'] },
    })
  })
})

test('after it: no email for 400 days, the payment is ended once, and directory, card and log-in are gone', async () => {
  const who = await join()
  const { id, current } = await rowsOf(who)
  const other = await joinForDirectory(app())
  const { body: choice } = await who.browser.call('PUT', '/api/account/directory', {
    inMembers: true,
    inPublic: false,
    takesMessages: true,
  })
  const { url } = (await who.browser.get('/api/account/card')).body.code as { url: string }
  expect((await other.browser.get(`/api/directory/${choice.entryId}`)).status).toBe(200)
  await app().drain()
  await recordDeath(id)
  const sent = subjectsTo(who.email).length
  expect(cancellations(current?.stripeSubscriptionId ?? '')).toBe(true)
  expect((await set(id, 'deceased', 'living')).body.code).toBe('CHANGED_MEANWHILE')
  await other.browser.logIn(other.email)
  expect((await other.browser.get(`/api/directory/${choice.entryId}`)).status).toBe(404)
  const gate = await newOfficer(app(), ['secretary'])
  await recordSecondFactor(app(), gate.browser)
  const { body: scanned } = await gate.browser.post('/api/console/cards/scan', { code: url })
  expect(scanned.card).toMatchObject({ status: 'disabled' })
  expect((await app().browser().logIn(who.email)).body.code).toBe('ACCOUNT_INACTIVE')
  // Whatever anyone does with the address.
  await app().browser().post('/api/auth/forgot-password', { email: who.email })
  await app().browser().register({ email: who.email })
  await app().browser().post('/api/newsletter/subscribe', { email: who.email })
  for (let days = 0; days < 400; days += 40) await pass(40)
  expect(subjectsTo(who.email)).toHaveLength(sent)
  const queued = app()
    .database.db.selectFrom('outbox')
    .select('kind')
    .where('subject', '=', id)
    .where('doneAt', 'is', null)
  expect(await queued.execute()).toEqual([])
  expect(app().standins.stripe.account.subscriptions.get(current?.stripeSubscriptionId ?? '')?.status).toBe('canceled')
  expect((await rowsOf(who)).payments).toHaveLength(1)
}, 60_000)

test('an undo within 30 days restores everything but the ended payment, and says so; later there is none', async () => {
  const who = await join()
  const { id, current } = await rowsOf(who)
  const { db } = app().database
  const reader = { state: 'subscribed' as const, source: 'homepage', askedAt: 1, confirmedAt: 1, leftAt: null }
  const key = { id: `reader-${id}`, email: who.email, emailKey: who.email }
  await db
    .insertInto('subscriber')
    .values({ ...key, ...reader, hardBounces: 0, softBounces: 0 })
    .execute()
  const suppressed = async () =>
    (await db.selectFrom('suppression').selectAll().where('reason', '=', 'deceased').execute()).length
  const before = await suppressed()
  await recordDeath(id)
  expect(await suppressed()).toBe(before + 1)
  const subscription = async () => (await memberPage(president, id)).newsletter
  expect(await subscription()).toMatchObject({ state: 'left' })
  expect((await set(id, 'living', 'living')).body.code).toBe('CHANGED_MEANWHILE')
  const { body } = await set(id, 'living', 'deceased')
  expect(body).toMatchObject({ state: 'living', decision: null })
  await app().drain()
  expect(emailTo(who.email, /open again/).text).toContain('no longer renews automatically')
  expect(await subscription()).toMatchObject({ state: 'subscribed' })
  expect(await suppressed()).toBe(before)
  const again = app().browser()
  expect((await again.logIn(who.email)).status).toBe(200)
  expect((await rowsOf(who)).current).toMatchObject({ cancelAtPeriodEnd: 1, endedAt: null })
  expect(cancellations(current?.stripeSubscriptionId ?? '')).toBe(true)
  expect((await again.get('/api/account/data')).body.personStates).toMatchObject([
    { what: 'death reported' },
    { what: 'death reported' },
    { what: 'deceased', sources: ['Obituary in the Telegraph', 'The family called'] },
  ])

  await recordDeath(id)
  await pass(31)
  await refresh()
  expect((await set(id, 'living', 'deceased')).body.code).toBe('UNDO_OVER')
})

test('if the provider refuses, nothing has changed', async () => {
  const who = await join()
  const { id, current } = await rowsOf(who)
  await reportTwice(id)
  await app().advance(7 * DAY)
  await refresh()
  await app().standins.control({ stripe: 'refuse' })
  expect((await set(id, 'deceased', 'living')).body.code).toBe('PROVIDER_FAILED')
  await app().standins.control({ stripe: 'ok' })
  expect((await desk.browser.get(at(id, 'state'))).body.state).toBe('living')
  // The provider did it, although its response was lost, and a webhook said so since: the record still names the ended payment.
  const subscription = app().standins.stripe.account.subscriptions.get(current?.stripeSubscriptionId ?? '')
  if (subscription) subscription.cancel_at_period_end = true
  await app().database.db.updateTable('membership').set({ cancelAtPeriodEnd: 1 }).where('accountId', '=', id).execute()
  const { status, body } = await set(id, 'deceased', 'living')
  expect([status, body.decision?.endedRenewal]).toEqual([200, true])
})

test('lost contact changes neither rights nor log-in', async () => {
  const who = await join({ levelKey: 'medical_student' })
  const { id } = await rowsOf(who)
  expect((await set(id, 'lost', 'living')).body).toMatchObject({
    state: 'lost',
    decision: { sources: ['As discussed'] },
  })
  expect((await who.browser.get('/api/account/profile')).status).toBe(200)
  expect((await memberPage(desk, id)).state).toBe('ACTIVE')
  expect((await set(id, 'living', 'lost')).body.state).toBe('living')
})

describe('who may', () => {
  test('not on the own account, not on an officer without managing roles, not by a viewer', async () => {
    expect((await report(desk.accountId, 'A joke')).body.code).toBe('OWN_ACCOUNT')
    expect((await set(desk.accountId, 'lost', 'living')).body.code).toBe('OWN_ACCOUNT')
    expect((await set(president.accountId, 'lost', 'living')).body.code).toBe('OFFICER_ACCOUNT')
    const viewer = await officerWithSecondFactor(app(), 'viewer')
    expect((await report(president.accountId, 'A joke', viewer)).body.code).toBe('NOT_ALLOWED')

    const second = await officerWithSecondFactor(app(), 'president')
    await report(second.accountId, 'Obituary', president)
    await report(second.accountId, 'The family called', desk)
    await pass(7)
    await refresh()
    expect((await set(second.accountId, 'deceased', 'living')).body.code).toBe('OFFICER_ACCOUNT')
    expect((await set(second.accountId, 'deceased', 'living', president)).status).toBe(200)
  })
})
