import fixtures from '#tests/support/emails/stripe-fixtures.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { DAY_MS, openBench } from '../testing.ts'

type JsonObject = Record<string, unknown>

/** Fields with content from the caller, or with several shapes of which the recording shows another. */
const FREE = new Set(['metadata', 'payment_method_options', 'previous_attributes', 'data.object'])

/** Recorded fields omitted on purpose: lists that the current API includes only when expanded, and fields of other kinds of the same object. */
const LEFT_OUT: Record<string, string[]> = {
  charge: ['refunds'],
}

/** Differences between a recorded object and ours: missing fields, and fields of another JSON type. */
function differences(kind: string, recorded: unknown, ours: unknown, path = ''): string[] {
  if (recorded === null || ours === null || FREE.has(path)) return []
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    return recorded.length && ours.length ? differences(kind, recorded[0], ours[0], `${path}[]`) : []
  }
  if (typeOf(recorded) !== typeOf(ours)) return [`${path}: ${typeOf(ours)} instead of ${typeOf(recorded)}`]
  if (typeof recorded !== 'object') return []
  return Object.entries(recorded as JsonObject).flatMap(([name, value]) => {
    const inner = path === '' ? name : `${path}.${name}`
    if (LEFT_OUT[kind]?.includes(inner)) return []
    if (!(name in (ours as JsonObject))) return [`${inner}: absent`]
    return differences(kind, value, (ours as JsonObject)[name], inner)
  })
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}

test('the objects have the fields of the recorded ones, with values of the same types', async () => {
  await using bench = await openBench()
  const { stripe, standins } = bench
  const price = await bench.yearly('Yearly', 10_000)
  const subscription = await bench.subscribe(price)
  const payment = await bench.paymentSession(200_000, { customer_creation: 'always' })
  await bench.pay(payment)
  const paid = await stripe.checkout.sessions.retrieve(payment.id)
  const refund = await stripe.refunds.create({ payment_intent: paid.payment_intent as string })
  const portal = await stripe.billingPortal.sessions.create({
    customer: subscription.customer as string,
    return_url: 'https://site.example/account',
    flow_data: { type: 'subscription_update', subscription_update: { subscription: subscription.id } },
  })

  const get = async (path: string) => {
    const response = await fetch(`${standins.url}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_bench' } })
    expect(response.status, path).toBe(200)
    return (await response.json()) as JsonObject
  }
  await bench.standins.control({ advanceMs: 4 * DAY_MS })
  const payouts = (await get('payouts?status=paid')) as { data: JsonObject[] }
  const transactions = (await get(`balance_transactions?payout=${payouts.data[0]?.['id'] as string}`)) as {
    data: JsonObject[]
  }
  const invoice = await get(`invoices/${subscription.latest_invoice as string}`)
  const intent = await get(`payment_intents/${paid.payment_intent as string}`)
  const events = (await get('events?type=payment_intent.succeeded')) as { data: JsonObject[] }
  const configurations = (await get('billing_portal/configurations')) as { data: JsonObject[] }
  const subscriptionSession = standins.stripe.sessions()[0]!
  const ours: Record<string, unknown> = {
    customer: await get(`customers/${subscription.customer as string}`),
    product: await get(`products/${price.product as string}`),
    price: await get(`prices/${price.id}`),
    'checkout.session': await get(`checkout/sessions/${payment.id}`),
    subscription: await get(`subscriptions/${subscription.id}`),
    invoice,
    payment_intent: intent,
    charge: await get(`charges/${intent['latest_charge'] as string}`),
    payment_method: await get(`payment_methods/${intent['payment_method'] as string}`),
    refund: await get(`refunds/${refund.id}`),
    payout: payouts.data[0],
    balance_transaction: transactions.data.at(-1),
    event: events.data[0],
    'billing_portal.session': standins.stripe.account.portalSessions.get(portal.id),
    'billing_portal.configuration': configurations.data[0],
  }
  const recorded = fixtures.resources as unknown as Record<string, unknown>
  const found = Object.entries(ours).flatMap(([kind, object]) =>
    differences(kind, recorded[kind], object).map((difference) => `${kind}.${difference}`),
  )
  const sessionFound = differences('checkout.session', recorded['checkout.session'], subscriptionSession)
  expect([...found, ...sessionFound]).toEqual([])
  for (const object of Object.values(ours)) expect((object as JsonObject)['livemode'] ?? false).toBe(false)
})
