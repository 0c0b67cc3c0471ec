import { beforeEach, expect, test } from 'vitest'
import { addToOutbox } from '#server/jobs/outbox.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { newOfficer, recordSecondFactor } from '#tests/support/officers.ts'
import { foreignSubscriptions, SUBSCRIPTION_IMPORTS } from '#tests/support/orders/foreign-subscriptions.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { importSubscription } from './subscription-import.effects.ts'
import { saveSubscriptionImport } from './subscription-import.repository.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, rowsOf, subjectsTo } = membershipLife(app)
const { client, subscribe, addMember, logInTreasurer, treasurer, review, choose, importReviewed } =
  foreignSubscriptions(app)

beforeEach(logInTreasurer)

async function sentenceOf(email: string): Promise<string | undefined> {
  const { skipped, imported } = await review()
  return [...skipped, ...imported].find((row) => row.email === email)?.sentence
}

test('a change of dues that was asked before the import does not move the old price; a later one for everyone does', async () => {
  const DUES = '/api/console/dues/associate_member'
  const change = async (amount: string) => {
    const { body } = await treasurer().get(DUES)
    const { version } = body.level as { version: string }
    const { status } = await treasurer().post(`${DUES}/price`, { amount, scope: 'everybody', version })
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
  const { imported } = await choose('Gold', 'annual_member')
  expect(imported.map((row) => [row.email, row.verdict])).toEqual(
    expect.arrayContaining([
      [donor, 'ready'],
      [ending, 'ending'],
    ]),
  )
  const viewer = (await newOfficer(app(), ['viewer'])).browser
  await recordSecondFactor(app(), viewer)
  expect((await viewer.post(`${SUBSCRIPTION_IMPORTS}/review`, { choices: [] })).body.code).toBe('NOT_ALLOWED')
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
  await importReviewed(await choose('Gold', 'annual_member'))
  await app()
    .database.db.updateTable('membership')
    .set({ endedAt: app().now() })
    .where('stripeSubscriptionId', '=', ended.id)
    .execute()
  await pass(2)
  const statusOf = async (id: string) => (await client().subscriptions.retrieve(id)).status
  expect([await statusOf(kept.id), await statusOf(ended.id)]).toEqual(['active', 'canceled'])
  expect(subjectsTo(member.email)).toEqual([])
  const strays = await app()
    .database.db.selectFrom('audit')
    .select('subjectId')
    .where('action', '=', 'subscription.stray')
    .execute()
  expect(strays).toEqual([{ subjectId: ended.id }])
})
