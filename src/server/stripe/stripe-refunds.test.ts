import { expect, test } from 'vitest'
import { failRefund } from '#standins/stripe/refunds.ts'
import { openBench } from '#standins/testing.ts'
import { createStripeGateway } from './stripe-gateway.ts'

/** A payment of 50 dollars, and who gives it back. */
async function paid() {
  const bench = await openBench()
  const session = await bench.paymentSession(5_000)
  await bench.pay(session)
  const { payment_intent } = await bench.stripe.checkout.sessions.retrieve(session.id)
  const intent = String(payment_intent)
  const { account } = bench.standins.stripe
  const keys = { secretKey: 'sk_test_bench', publishableKey: 'pk_test_bench', webhookSecret: 'whsec' }
  return {
    intent,
    account,
    stripe: bench.stripe,
    gateway: createStripeGateway({ ...keys, apiUrl: bench.standins.url, live: false }),
    refunds: () => account.refunds.all().map(({ amount, status }) => [amount, status]),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

test('a payment is given back whole, once, however often and at once it is asked for', async () => {
  await using one = await paid()
  const refund = () => one.gateway.refund(one.intent, 'refund:1')
  const outcomes = await Promise.allSettled([refund(), refund()])
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (let turn = 0; turn < 2; turn++) await refund()
  expect(one.refunds()).toEqual([[5_000, 'succeeded']])
})

test('what is left of it goes back when somebody gave a part back before', async () => {
  await using one = await paid()
  await one.stripe.refunds.create({ payment_intent: one.intent, amount: 2_000 })
  await one.gateway.refund(one.intent, 'give-back:1')
  expect(one.refunds()).toEqual([
    [2_000, 'succeeded'],
    [3_000, 'succeeded'],
  ])
})

test('what is on its way is not given back again', async () => {
  await using one = await paid()
  const made = await one.stripe.refunds.create({ payment_intent: one.intent, amount: 2_000 })
  const charge = one.account.charges.all()[0]
  if (!charge) throw new Error('it was paid')
  one.account.refunds.put({ ...made, status: 'pending' })
  one.account.charges.put({ ...charge, amount_refunded: 0 })
  await one.gateway.refund(one.intent, 'refund:1')
  expect(one.refunds()).toEqual([
    [2_000, 'pending'],
    [3_000, 'succeeded'],
  ])
})

test('one that failed at the bank can be made again, whole and in part', async () => {
  await using one = await paid()
  const fail = () => failRefund(one.account, one.account.refunds.all().at(-1)!)
  await one.gateway.refund(one.intent, 'refund:1')
  fail()
  expect(await one.gateway.readPayment(one.intent)).toMatchObject({ amountRefunded: 0, refundedAt: null })
  const part = () => one.gateway.refundPart({ paymentIntentId: one.intent, refundId: 'r1', amount: 1_000 })
  await part()
  fail()
  for (let turn = 0; turn < 2; turn++) await part()
  for (let turn = 0; turn < 2; turn++) await one.gateway.refund(one.intent, 'refund:1')
  expect(one.refunds()).toEqual([
    [5_000, 'failed'],
    [1_000, 'failed'],
    [1_000, 'succeeded'],
    [4_000, 'succeeded'],
  ])
  expect(await one.gateway.readPayment(one.intent)).toMatchObject({ amountRefunded: 5_000 })
})
