import { expect, test } from 'vitest'
import { DAY_MS, openBench } from '#standins/testing.ts'

test('payments of a day are paid out two days later, less the fees, and arrive the day after', async () => {
  await using bench = await openBench()
  const { stripe } = bench
  const session = await bench.paymentSession(200_000)
  await bench.pay(session)
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id)
  expect((await stripe.payouts.list()).data).toEqual([])

  await bench.standins.control({ advanceMs: 2 * DAY_MS })
  const [onItsWay] = (await stripe.payouts.list()).data
  expect(onItsWay).toMatchObject({ amount: 200_000 - 5_830, status: 'in_transit' })
  await stripe.refunds.create({ payment_intent: intent as string, amount: 50_000 })

  await bench.standins.control({ advanceMs: 3 * DAY_MS })
  const { data } = await stripe.payouts.list({ limit: 1 })
  expect(data).toMatchObject([{ amount: -50_000, status: 'paid' }])
  const all = (await stripe.payouts.list()).data
  expect(all.map(({ id }) => id)).toEqual([data[0]?.id, onItsWay?.id])

  const lines = await stripe.balanceTransactions.list({ payout: onItsWay?.id ?? '', expand: ['data.source'] })
  expect(lines.data.map(({ type, amount, fee, net }) => ({ type, amount, fee, net }))).toEqual([
    { type: 'payout', amount: -194_170, fee: 0, net: -194_170 },
    { type: 'charge', amount: 200_000, fee: 5_830, net: 194_170 },
  ])
  expect(lines.data[1]?.source).toMatchObject({ object: 'charge', payment_intent: intent })
  expect(lines.data.reduce((sum, { net }) => sum + net, 0)).toBe(0)
})
