import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { SubscriptionReview } from '#contract/console/money/subscription-imports.ts'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import type { TestBrowser } from '#tests/support/browser/test-browser.ts'
import { foreignSubscriptions } from '#tests/support/orders/foreign-subscriptions.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { importSubscription } from './subscription-import.effects.ts'
import { saveSubscriptionImport } from './subscription-import.repository.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, rowsOf, subjectsTo } = membershipLife(app)
const { client, subscribe, addMember, viewOf } = foreignSubscriptions(app)
const DAY_MS = 86_400_000
const IMPORTS = '/api/console/subscription-imports'
let treasurer: TestBrowser

beforeEach(logInTreasurer)

type Choices = { key: string; levelKey: string | null }[]

async function review(choices: Choices = [], by = treasurer): Promise<SubscriptionReview> {
  const { status, body } = await by.post(`${IMPORTS}/review`, { choices })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as SubscriptionReview
}

/** Chooses the level for all prices with this name. */
async function choose(name: string, levelKey: string | null): Promise<SubscriptionReview> {
  const { prices } = await review()
  return review(prices.filter((price) => price.name.startsWith(name)).map(({ key }) => ({ key, levelKey })))
}

async function importReviewed({ digest }: Pick<SubscriptionReview, 'digest'>, by = treasurer) {
  const answer = await by.post(IMPORTS, { digest })
  await app().drain()
  return answer
}

async function recent() {
  const { body } = await treasurer.get(`${IMPORTS}/recent`)
  return body.imports as {
    id: string
    waiting: number
    imported: number
    undone: number
    exceptions: { name: string; sentence: string }[]
  }[]
}

async function undoLast(by = treasurer) {
  const [line] = await recent()
  return by.post(`${IMPORTS}/${line?.id}/undo`, {})
}

async function sentenceOf(email: string, choices: Choices = []): Promise<string | undefined> {
  const { skipped, imported } = await review(choices)
  return [...skipped, ...imported].find((row) => row.email === email)?.sentence
}

const money = () => ({
  charges: app().standins.stripe.account.charges.all().length,
  invoices: app().standins.stripe.invoices().length,
})
const mails = () =>
  app()
    .standins.mails()
    .map(({ subject, to }) => `${to.join()}: ${subject}`)
/** Everything at the provider that an import must not change. */
const subscriptionsAtProvider = () =>
  createHash('sha256').update(JSON.stringify(app().standins.stripe.subscriptions())).digest('hex')

/** Tokens last 7 days, and time passes in these tests. */
async function logInTreasurer(): Promise<void> {
  treasurer = (await newOfficer(app(), ['treasurer'])).browser
  await recordSecondFactor(app(), treasurer)
  await app().drain()
}

test('50 subscriptions go on here: nothing is charged or emailed, each renews once on its day at its old price, and its receipt is emailed', async () => {
  const members = []
  for (let i = 0; i < 50; i++) {
    const member = await addMember()
    const { id, items } = await subscribe({ email: member.email.toUpperCase() })
    members.push({ ...member, subscription: id, endsAt: items.data[0]!.current_period_end * 1_000 })
  }
  await pass(20)
  await logInTreasurer()
  const before = { ...money(), mails: mails(), subscriptions: subscriptionsAtProvider() }
  const first = await review()
  expect(first.counts).toEqual({ ready: 0, ending: 0, ours: 0, leftOut: 0, wrong: 50 })
  expect(first.prices).toMatchObject([
    { name: 'Gold Member', amount: 8_000, months: 12, subscriptions: 50, choice: 'none' },
  ])
  const chosen = await choose('Gold', 'annual_member')
  expect(chosen.counts).toMatchObject({ ready: 50, wrong: 0 })
  expect(chosen.verdicts.trim().split('\n')).toHaveLength(51)
  const answers = await Promise.all([importReviewed(chosen), importReviewed(chosen)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await recent())[0]).toMatchObject({ waiting: 0, imported: 50, exceptions: [] })
  expect((await review()).counts).toMatchObject({ ready: 0, ours: 50 })
  expect({
    ...money(),
    mails: mails(),
    subscriptions: subscriptionsAtProvider(),
  }).toEqual(before)
  for (const { id, endsAt } of members.slice(0, 3)) {
    expect(await viewOf(id)).toMatchObject({
      status: 'ACTIVE',
      renewal: 'automatic',
      startDate: '2020-03-01T12:00:00.000Z',
      nextBillDate: new Date(endsAt).toISOString(),
      membershipLevel: { key: 'annual_member', unitAmount: 8_000 },
    })
  }
  const [member] = members as [(typeof members)[number]]
  expect((await rowsOf(member)).payments).toMatchObject([{ amount: 8_000, receiptSentAt: expect.any(Number) }])
  const tools = { db: app().database.db, now: app().now(), secrets: createSecrets('x'), mediaDirectory: null }
  for (const { name, findViolations } of invariants) expect([name, await findViolations(tools)]).toEqual([name, []])

  // Three renew; the provider forgets the others, whose receipts would take their time.
  for (const { subscription } of members.slice(3)) app().standins.stripe.account.subscriptions.remove(subscription)
  await pass((member.endsAt - app().now()) / DAY_MS + 1)
  expect(money()).toEqual({ charges: before.charges + 3, invoices: before.invoices + 3 })
  const { payments, current } = await rowsOf(member)
  expect(payments.map(({ amount }) => amount)).toEqual([8_000, 8_000])
  expect(current?.levelKey).toBe('annual_member')
  expect(new Date(current?.endsAt ?? 0).getUTCFullYear()).toBe(new Date(member.endsAt).getUTCFullYear() + 1)
  expect(subjectsTo(member.email).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1)
  await app().drain()
  expect(subjectsTo(member.email).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1)
}, 60_000)

test('an undo restores what nothing happened to, and names what was renewed or stopped since', async () => {
  const [imported, lapsed, stopped] = [
    await addMember(),
    await addMember({ startedOn: '2019-03-01', endsOn: '2020-03-01' }),
    await addMember(),
  ]
  await app()
    .database.db.updateTable('membership')
    .set({ endedAt: app().now() - DAY_MS })
    .where('accountId', '=', lapsed.id)
    .execute()
  const before = await Promise.all([imported, lapsed].map(rowsOf))
  const subscriptions = []
  for (const { email } of [imported, lapsed, stopped]) subscriptions.push(await subscribe({ email }))
  await importReviewed(await review())
  expect((await recent())[0]).toMatchObject({ imported: 3 })
  expect(await viewOf(lapsed.id)).toMatchObject({ status: 'ACTIVE', renewal: 'automatic' })
  await client().subscriptions.update(subscriptions[2]?.id ?? '', { cancel_at_period_end: true })
  await app().drain()
  const charged = { ...money(), subscriptions: subscriptionsAtProvider() }

  const [line] = await recent()
  const answers = await Promise.all([0, 1].map(() => treasurer.post(`${IMPORTS}/${line?.id}/undo`, {})))
  expect(answers.map(({ status, body }) => (status === 200 ? body : body.code))).toEqual(
    expect.arrayContaining([{ undone: 2, kept: 1 }, 'CHANGED_MEANWHILE']),
  )
  await app().drain()
  expect({ ...money(), subscriptions: subscriptionsAtProvider() }).toEqual(charged)
  const unchanged = ({ memberships, payments }: Awaited<ReturnType<typeof rowsOf>>) => ({
    payments,
    memberships: memberships.map(({ updatedAt: _at, ...row }) => row),
  })
  const after = await Promise.all([imported, lapsed].map(rowsOf))
  expect(after.map(unchanged)).toEqual(before.map(unchanged))
  expect((await recent())[0]?.exceptions).toMatchObject([{ sentence: 'Its renewal was stopped.' }])
  expect(await viewOf(stopped.id)).toMatchObject({ status: 'ACTIVE', renewal: 'stopped' })
  // The provider goes on as before, and they can be imported again.
  expect((await review()).counts).toMatchObject({ ready: 2 })
  expect((await importReviewed(await review())).body).toEqual({ subscriptions: 2 })
  expect((await rowsOf(imported)).payments).toHaveLength(1)
  expect((await undoLast()).body).toEqual({ undone: 2, kept: 0 })
})

test('a renewal that is near or failed is announced by no email of the import, and what was recorded before is not recorded twice', async () => {
  const [recorded, owing, refunded] = [await addMember(), await addMember(), await addMember()]
  const members = [recorded, owing, refunded]
  await subscribe({ email: recorded.email, product: 'Silver', amount: 5_000 })
  await subscribe({ email: owing.email, product: 'Silver', amount: 5_000, card: 'pm_card_chargeCustomerFail' })
  await subscribe({ email: refunded.email, product: 'Silver', amount: 5_000 })
  const paidOn = dayOf(app().now(), app().config.timeZone)
  await pass(345)
  const { charges } = app().standins.stripe.account
  const charge = charges.all().at(-1)
  await client().refunds.create({ payment_intent: charge?.payment_intent as string, amount: 1_000 })
  await logInTreasurer()
  const text = `email,date,amount,method,reference\n${recorded.email},${addDays(paidOn, 1)},50,card,ch_old\n`
  const type = { 'content-type': 'application/octet-stream' }
  const file = await treasurer.call('POST', '/api/console/payment-import-file?filename=a.csv', text, type)
  const query = new URLSearchParams({ filename: 'a.csv', digest: file.body.digest as string })
  expect((await treasurer.call('POST', `/api/console/payment-imports?${query}`, text, type)).body.recorded).toBe(1)
  await importReviewed(await choose('Silver', 'annual_member'))
  await pass(2)
  expect(members.flatMap(({ email }) => subjectsTo(email))).toEqual([])
  const paid = async (member: { email: string }) => (await rowsOf(member)).payments.map(({ amount }) => amount)
  expect(await Promise.all(members.map(paid))).toEqual([[5_000], [5_000], []])

  await pass(20)
  expect(subjectsTo(recorded.email).filter((subject) => subject.startsWith('Receipt'))).toHaveLength(1)
  expect(await Promise.all(members.map(paid))).toEqual([[5_000, 5_000], [5_000], [5_000]])
  expect(await viewOf(owing.id)).toMatchObject({ status: 'PAST_DUE' })

  // Another officer imports a subscription that owes: only later reminders are emailed.
  await app()
    .database.db.updateTable('membership')
    .set({ stripeSubscriptionId: null, stripeStatus: null, pastDueSince: null, nextAttemptAt: null })
    .where('accountId', '=', owing.id)
    .execute()
  await logInTreasurer()
  const emails = subjectsTo(owing.email).length
  await importReviewed(await review())
  expect(await viewOf(owing.id)).toMatchObject({ status: 'PAST_DUE' })
  await pass(0.1)
  expect(subjectsTo(owing.email)).toHaveLength(emails)
})

test('a change of dues that was asked before the import does not move the old price; a later one for everyone does', async () => {
  const DUES = '/api/console/dues/associate_member'
  const change = async (amount: string) => {
    const { body } = await treasurer.get(DUES)
    const { version } = body.level as { version: string }
    const { status } = await treasurer.post(`${DUES}/price`, { amount, scope: 'everybody', version })
    expect(status).toBeLessThan(300)
    await app().drain()
  }
  await change('55')
  const { email } = await addMember({ level: 'associate_member' })
  const { id } = await subscribe({ email, product: 'Bronze', amount: 3_000 })
  await importReviewed(await choose('Bronze', 'associate_member'))
  await pass(1)
  const amount = async () => (await client().subscriptions.retrieve(id)).items.data[0]?.price.unit_amount
  expect(await amount()).toBe(3_000)
  await logInTreasurer()
  await change('60')
  await pass(0.1)
  expect(await amount()).toBe(6_000)
  expect((await rowsOf({ email })).current).toMatchObject({ levelKey: 'associate_member', renewalAmount: 6_000 })
})

test('each subscription that cannot go on here is left as it is, with the reason', async () => {
  const email = async (given?: Parameters<typeof addMember>[0]) => (await addMember(given)).email
  await subscribe({ email: 'stranger@example.org' })
  expect(await sentenceOf('stranger@example.org')).toMatch(/^No account has this email/)
  const twice = await email()
  await subscribe({ email: twice })
  await subscribe({ email: twice })
  expect(await sentenceOf(twice)).toMatch(/^Several subscriptions have this email/)
  const closed = await email()
  await subscribe({ email: closed })
  await app()
    .database.db.updateTable('account')
    .set({ deactivatedBy: 'deceased' })
    .where('email', '=', closed)
    .execute()
  expect(await sentenceOf(closed)).toBe('This account is disabled. Enable it first.')
  const life = await email({ level: 'life_member', endsOn: '' })
  await subscribe({ email: life })
  expect(await sentenceOf(life)).toMatch(/lifetime membership/)
  const officer = await newOfficer(app(), ['treasurer'])
  await subscribe({ email: officer.email })
  await recordSecondFactor(app(), officer.browser)
  const own = (await review([], officer.browser)).skipped.find((row) => row.email === officer.email)
  expect(own?.sentence).toMatch(/own account/)
  const invoiced = await email()
  await subscribe({ email: invoiced, subscription: { collection_method: 'send_invoice', days_until_due: 30 } })
  expect(await sentenceOf(invoiced)).toBe('It sends invoices and charges no card.')
  const euro = await email()
  await subscribe({ email: euro, product: 'Euro', currency: 'eur' })
  await choose('Euro', 'annual_member')
  expect(await sentenceOf(euro)).toBe('The currency is EUR; Annual Member is sold in USD.')
  const monthly = await email()
  await subscribe({ email: monthly, product: 'Monthly', interval: 'month' })
  await choose('Monthly', 'annual_member')
  expect(await sentenceOf(monthly)).toBe('Its terms last a month; those of Annual Member last a year.')
  const donor = await email()
  await subscribe({ email: donor, product: 'Donation', amount: 500 })
  await choose('Donation', null)
  expect(await sentenceOf(donor)).toBe('Its price is left out.')
  // A donation that is left out does not stand in the way.
  await subscribe({ email: donor })
  const ending = await email()
  await subscribe({ email: ending, subscription: { cancel_at_period_end: true } })
  expect((await review()).imported.map((row) => [row.email, row.verdict])).toEqual(
    expect.arrayContaining([
      [donor, 'ready'],
      [ending, 'ending'],
    ]),
  )
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  expect((await viewer.post(`${IMPORTS}/review`, { choices: [] })).body.code).toBe('NOT_ALLOWED')
  expect((await importReviewed({ digest: '0'.repeat(64) })).body.code).toBe('CHANGED_MEANWHILE')
})

test('what changes between the review and the import is not imported; an import runs once', async () => {
  const { db } = app().database
  const { accountId: importedBy } = await newOfficer(app(), ['treasurer'])
  const { accountId: noLongerOfficer } = await newOfficer(app(), ['viewer'])
  await app().drain()

  /** As if an officer had confirmed the import of a new subscription as it is, or as given. */
  async function confirmed(by: string, given: { amount?: number } = {}) {
    const member = await addMember()
    const { id: subscriptionId, customer } = await subscribe({ email: member.email })
    const row = { subscriptionId, accountId: member.id, customerId: customer as string, levelKey: 'annual_member' }
    const importId = newId(app().now())
    const file = { id: importId, importedAt: app().now(), importedBy: by }
    const effect = { effect: importSubscription, payload: { importId, subscriptionId } }
    await db.transaction().execute(async (tx) => {
      await saveSubscriptionImport(tx, file, [{ ...row, amount: 8_000, ...given }])
      await addToOutbox(tx, effect, app().now())
      await addToOutbox(tx, effect, app().now())
    })
    return { ...member, subscriptionId, importId }
  }
  const closed = await confirmed(importedBy)
  await db.updateTable('account').set({ deactivatedBy: 'officer' }).where('id', '=', closed.id).execute()
  const canceled = await confirmed(importedBy)
  await client().subscriptions.cancel(canceled.subscriptionId)
  const otherPrice = await confirmed(importedBy, { amount: 7_000 })
  const notAllowed = await confirmed(noLongerOfficer)
  const undone = await confirmed(importedBy)
  await db.updateTable('subscriptionImport').set({ undoneAt: 1 }).where('id', '=', undone.importId).execute()
  const fine = await confirmed(importedBy)
  await app().drain()
  const reasonOf = async ({ importId }: { importId: string }) =>
    (
      await db
        .selectFrom('subscriptionImportRow')
        .select(['state', 'reason'])
        .where('importId', '=', importId)
        .executeTakeFirstOrThrow()
    ).reason
  expect(await Promise.all([closed, canceled, otherPrice, notAllowed, undone, fine].map(reasonOf))).toEqual([
    'This account is disabled. Enable it first.',
    'The card provider does not charge it (canceled).',
    'It was changed at the card provider after the review. Import it again.',
    'Your role does not allow this. Ask the president if it should.',
    null,
    null,
  ])
  for (const one of [closed, canceled, otherPrice, notAllowed, undone])
    expect((await rowsOf(one)).current?.stripeSubscriptionId).toBeNull()
  const { current, payments } = await rowsOf(fine)
  expect([current?.stripeSubscriptionId, payments.length]).toEqual([fine.subscriptionId, 1])
  const audits = await db
    .selectFrom('audit')
    .select('id')
    .where('action', '=', 'membership.subscription_imported')
    .where('subjectId', '=', fine.id)
    .execute()
  expect(audits).toHaveLength(1)
})

test('the reconciler leaves imported subscriptions alone, and ends one whose membership ended here', async () => {
  const [member, left] = [await addMember(), await addMember()]
  const kept = await subscribe({ email: member.email })
  const ended = await subscribe({ email: left.email })
  await importReviewed(await review())
  const mailsBefore = mails()
  await app()
    .database.db.updateTable('membership')
    .set({ endedAt: app().now() })
    .where('stripeSubscriptionId', '=', ended.id)
    .execute()
  await pass(2)
  const statusOf = async (id: string) => (await client().subscriptions.retrieve(id)).status
  expect([await statusOf(kept.id), await statusOf(ended.id)]).toEqual(['active', 'canceled'])
  expect(subjectsTo(member.email)).toEqual([])
  expect(mails().length).toBeGreaterThan(mailsBefore.length)
})
