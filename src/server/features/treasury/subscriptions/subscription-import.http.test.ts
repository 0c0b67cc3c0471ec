import { beforeEach, expect, test } from 'vitest'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { invariants } from '#server/monitoring/invariants/all-invariants.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { foreignSubscriptions, SUBSCRIPTION_IMPORTS } from '#tests/support/orders/foreign-subscriptions.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, rowsOf, subjectsTo } = membershipLife(app)
const {
  client,
  subscribe,
  addMember,
  viewOf,
  logInTreasurer,
  treasurer,
  review,
  choose,
  importReviewed,
  recent,
  provider,
} = foreignSubscriptions(app)
const DAY_MS = 86_400_000

beforeEach(logInTreasurer)

const mails = () =>
  app()
    .standins.mails()
    .map(({ subject, to }) => `${to.join()}: ${subject}`)

test('50 subscriptions go on here: nothing is charged or emailed, each renews once on its day at its old price, and its receipt is emailed', async () => {
  const members = []
  for (let i = 0; i < 50; i++) {
    const member = await addMember()
    const { id, items } = await subscribe({ email: member.email.toUpperCase() })
    members.push({ ...member, subscription: id, endsAt: items.data[0]!.current_period_end * 1_000 })
  }
  await pass(20)
  await logInTreasurer()
  const before = { ...provider(), mails: mails() }
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
  expect({ ...provider(), mails: mails() }).toEqual(before)
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
  expect(provider()).toMatchObject({ charges: before.charges + 3, invoices: before.invoices + 3 })
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
  const charged = provider()

  const [line] = await recent()
  const answers = await Promise.all([0, 1].map(() => treasurer().post(`${SUBSCRIPTION_IMPORTS}/${line?.id}/undo`, {})))
  expect(answers.map(({ status, body }) => (status === 200 ? body : body.code))).toEqual(
    expect.arrayContaining([{ undone: 2, kept: 1 }, 'CHANGED_MEANWHILE']),
  )
  await app().drain()
  expect(provider()).toEqual(charged)
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
  const [again] = await recent()
  const undone = await treasurer().post(`${SUBSCRIPTION_IMPORTS}/${again?.id}/undo`, {})
  expect(undone.body).toEqual({ undone: 2, kept: 0 })
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
  const file = await treasurer().call('POST', '/api/console/payment-import-file?filename=a.csv', text, type)
  const query = new URLSearchParams({ filename: 'a.csv', digest: file.body.digest as string })
  expect((await treasurer().call('POST', `/api/console/payment-imports?${query}`, text, type)).body.recorded).toBe(1)
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
