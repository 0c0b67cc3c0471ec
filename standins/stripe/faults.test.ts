import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { openBench } from '../testing.ts'

const ANA = { email: 'ana@example.org' }

test.each([
  ['error', { type: 'StripeAPIError', statusCode: 500 }],
  ['limited', { type: 'StripeRateLimitError', statusCode: 429 }],
  ['garbage', { type: 'StripeAPIError' }],
  ['reset', { type: 'StripeConnectionError' }],
] as const)('%s does no work, as many times as requested', async (stripe, failure) => {
  await using bench = await openBench()
  await bench.standins.control({ stripe, times: 1 })
  await expect(bench.stripe.customers.create(ANA)).rejects.toMatchObject(failure)
  expect(bench.standins.stripe.customers()).toEqual([])
  expect((await bench.stripe.customers.create(ANA)).email).toBe('ana@example.org')
})

test('refuse closes each connection until it is ok again', async () => {
  await using bench = await openBench()
  await bench.standins.control({ stripe: 'refuse' })
  await expect(bench.stripe.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await bench.standins.control({ stripe: 'ok' })
  expect((await bench.stripe.customers.list()).data).toEqual([])
})

test('a black hole ends with the timeout of the client', async () => {
  await using bench = await openBench()
  await bench.standins.control({ stripe: 'blackhole' })
  await expect(bench.stripe.customers.list({}, { timeout: 60 })).rejects.toMatchObject({
    type: 'StripeConnectionError',
  })
})

test('after a lost reply the same key returns the finished work', async () => {
  await using bench = await openBench()
  await bench.standins.control({ stripe: 'lostReply', times: 1 })
  // The SDK itself retries once after a closed connection.
  const made = await bench.stripe.customers.create(ANA, { idempotencyKey: 'k1' })
  expect(bench.standins.stripe.customers().map(({ id }) => id)).toEqual([made.id])
  expect(bench.standins.stripe.requestCounts.get('POST /v1/customers')).toBe(2)
})

test('an error is stored under its key with a request not to retry', async () => {
  await using bench = await openBench()
  await bench.standins.control({ stripe: 'error', times: 1 })
  await expect(bench.stripe.customers.create(ANA, { idempotencyKey: 'k1' })).rejects.toMatchObject({ statusCode: 500 })
  const again = await bench.stripe.customers.create(ANA, { idempotencyKey: 'k1' }).catch((error: unknown) => error)
  expect(again).toMatchObject({ statusCode: 500 })
  expect((again as Stripe.errors.StripeError).headers?.['idempotent-replayed']).toBe('true')
  expect((await bench.stripe.customers.create(ANA, { idempotencyKey: 'k2' })).email).toBe('ana@example.org')
})

test('unknown control orders return 400', async () => {
  await using bench = await openBench()
  const order = (body: string) =>
    fetch(`${bench.standins.url}/control`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  for (const wrong of [
    '{"webhooks":"later"}',
    '{"stripe":"sad"}',
    '{"weather":"rain"}',
    '{"botScore":2}',
    '{}',
    'no',
    '[]',
  ]) {
    expect((await order(wrong)).status, wrong).toBe(400)
  }
  for (const right of ['{"mail":"permanent","times":1}', '{"s3":"slow","slowMs":5}', '{"reset":true}']) {
    expect((await order(right)).status, right).toBe(200)
  }
})
