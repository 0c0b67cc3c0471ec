import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openEvent } from '#tests/support/events.ts'
import { membershipLife } from '#tests/support/membership-life.ts'
import { PRICE, paidSeats } from '#tests/support/paid-seats.ts'
import { DAY_MS } from '#tests/support/people.ts'
import { startSponsoring } from '#tests/support/sponsors.ts'
import { officerWith, recordSecondFactor } from '#tests/support/officers.ts'
import { failRefund } from '#standins/stripe/payments/refunds.ts'
import { openDispute } from '#standins/stripe/payments/disputes.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

/** Refunds and disputes made long after the payment or while the site was down, without webhook events. */
const app = useTestApp({ environment: { RATE_LIMITS: 'x100' } })
const { pass, join, provider, rowsOf } = membershipLife(app)
const { payFor } = paidSeats(app)
afterEach(() => app().standins.control({ webhooks: 'deliver' }))

const intents: Record<'dues' | 'sponsorship' | 'seats', string> = { dues: '', sponsorship: '', seats: '' }
const tables = { dues: 'payment', sponsorship: 'sponsorship', seats: 'rsvpOrder' } as const

async function refundState(what: keyof typeof intents) {
  const column = sql.ref(what === 'dues' ? 'paymentIntentId' : 'paymentReference')
  const row = await app()
    .database.db.selectFrom(tables[what])
    .select(['amountRefunded', 'disputeState'])
    .where(sql<boolean>`${column} = ${intents[what]}`)
    .executeTakeFirstOrThrow()
  return [row.amountRefunded, row.disputeState]
}

beforeAll(async () => {
  intents.dues = (await rowsOf(await join())).payments[0]?.paymentIntentId ?? ''
  const { body, answer } = await startSponsoring(app())
  await app()
    .browser()
    .pay(answer.body.sessionUrl as string)
  await payFor(await openEvent(app(), PRICE), 'late.returns@example.com')
  await app().drain()
  const { db } = app().database
  const paid = (table: 'sponsorship' | 'rsvpOrder', email: string) =>
    db.selectFrom(table).select('paymentReference').where('email', '=', email).executeTakeFirstOrThrow()
  intents.sponsorship = (await paid('sponsorship', body.email)).paymentReference ?? ''
  intents.seats = (await paid('rsvpOrder', 'late.returns@example.com')).paymentReference ?? ''
})

describe.each(['dues', 'sponsorship', 'seats'] as const)('%s', (what) => {
  test('a refund made while the site was down for a week is found afterwards', async () => {
    await app().standins.control({ webhooks: 'drop' })
    await provider('refunds', { payment_intent: intents[what], amount: '1000' }, { isHeard: false })
    await app().advance(7 * DAY_MS)
    await app().drain()
    expect(await refundState(what)).toEqual([1_000, null])
  })

  test('the outcome of a dispute is found within a day, weeks after it started', async () => {
    const { account } = app().standins.stripe
    const charge = account.charges.all().find(({ payment_intent }) => payment_intent === intents[what])
    if (!charge) throw new Error('the payment has no charge')
    const { id } = openDispute(account, charge)
    await app().drain()
    expect((await refundState(what))[1]).toBe('open')
    await pass(20)
    await app().standins.control({ webhooks: 'drop' })
    await provider(`disputes/${id}/close`, {}, { isHeard: false })
    await pass(1)
    expect((await refundState(what))[1]).toBe('lost')
  })
})

test('a refund that failed at the bank days later is reversed in our records, and an officer can make it again', async () => {
  const member = await join()
  const { id, payments } = await rowsOf(member)
  const president = await officerWith(app(), ['president'])
  const refund = async () => {
    await recordSecondFactor(app(), president)
    const path = `/api/console/members/${id}/payments/${payments[0]?.id}/refund`
    return president.post(path, { reason: 'Moved to Alabama' })
  }
  expect((await refund()).body.payments).toMatchObject([{ amountRefunded: 10_000 }])
  await pass(4)
  await app().standins.control({ webhooks: 'drop' })
  const { account } = app().standins.stripe
  failRefund(account, account.refunds.all().at(-1)!)
  await pass(1)
  expect((await rowsOf(member)).payments[0]).toMatchObject({ amountRefunded: 0, refundedAt: null })
  expect((await refund()).body.payments).toMatchObject([{ amountRefunded: 10_000 }])
})
