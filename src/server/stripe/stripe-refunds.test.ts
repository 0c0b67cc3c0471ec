import { expect, test } from 'vitest'
import { failRefund } from '#standins/stripe/payments/refunds.ts'
import { openBench } from '#standins/testing.ts'
import { createStripeGateway } from './stripe-gateway.ts'

/** A payment of $50 and a gateway to refund it. */
async function createPaidBench() {
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

test('a full refund is made once, even when requested repeatedly and concurrently', async () => {
  await using bench = await createPaidBench()
  const refund = () => bench.gateway.refund(bench.intent, 'refund:1')
  const outcomes = await Promise.allSettled([refund(), refund()])
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (let turn = 0; turn < 2; turn++) await refund()
  expect(bench.refunds()).toEqual([[5_000, 'succeeded']])
})

test('refunds the rest of a partially refunded payment', async () => {
  await using bench = await createPaidBench()
  await bench.stripe.refunds.create({ payment_intent: bench.intent, amount: 2_000 })
  await bench.gateway.refund(bench.intent, 'refund:2')
  expect(bench.refunds()).toEqual([
    [2_000, 'succeeded'],
    [3_000, 'succeeded'],
  ])
})

test('a pending refund is not made again', async () => {
  await using bench = await createPaidBench()
  const made = await bench.stripe.refunds.create({ payment_intent: bench.intent, amount: 2_000 })
  const charge = bench.account.charges.all()[0]
  if (!charge) throw new Error('the payment has no charge')
  bench.account.refunds.put({ ...made, status: 'pending' })
  bench.account.charges.put({ ...charge, amount_refunded: 0 })
  await bench.gateway.refund(bench.intent, 'refund:1')
  expect(bench.refunds()).toEqual([
    [2_000, 'pending'],
    [3_000, 'succeeded'],
  ])
})

test('a refund that failed at the bank can be made again, in full and in part', async () => {
  await using bench = await createPaidBench()
  const fail = () => failRefund(bench.account, bench.account.refunds.all().at(-1)!)
  await bench.gateway.refund(bench.intent, 'refund:1')
  fail()
  expect(await bench.gateway.readPayment(bench.intent)).toMatchObject({ amountRefunded: 0, refundedAt: null })
  const part = () => bench.gateway.refundPartially({ paymentIntentId: bench.intent, refundId: 'r1', amount: 1_000 })
  await part()
  fail()
  for (let turn = 0; turn < 2; turn++) await part()
  for (let turn = 0; turn < 2; turn++) await bench.gateway.refund(bench.intent, 'refund:1')
  expect(bench.refunds()).toEqual([
    [5_000, 'failed'],
    [1_000, 'failed'],
    [1_000, 'succeeded'],
    [4_000, 'succeeded'],
  ])
  expect(await bench.gateway.readPayment(bench.intent)).toMatchObject({ amountRefunded: 5_000 })
})
