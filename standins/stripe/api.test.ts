import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { DAY_MS, openBench } from '../testing.ts'

test('customers are created, updated, found by email and deleted', async () => {
  await using bench = await openBench()
  const { customers } = bench.stripe
  const made = await customers.create({ email: 'ana@example.org', name: 'Ana', metadata: { account: 'a1', old: 'x' } })
  expect(made).toMatchObject({ email: 'ana@example.org', name: 'Ana', metadata: { account: 'a1', old: 'x' } })
  const changed = await customers.update(made.id, { metadata: { old: '', plan: 'yearly' }, name: '' })
  expect(changed).toMatchObject({ name: null, metadata: { account: 'a1', plan: 'yearly' } })
  expect(changed.metadata).not.toHaveProperty('old')
  await customers.create({ email: 'bela@example.org' })
  expect((await customers.list({ email: 'ana@example.org' })).data.map(({ id }) => id)).toEqual([made.id])
  await customers.del(made.id)
  expect(await customers.retrieve(made.id)).toMatchObject({ id: made.id, deleted: true })
})

test('a lookup key belongs to one active price until it is transferred', async () => {
  await using bench = await openBench()
  const { prices, products } = bench.stripe
  await products.create({ id: 'level_yearly', name: 'Yearly' })
  const first = await prices.create({
    product: 'level_yearly',
    currency: 'usd',
    unit_amount: 100,
    lookup_key: 'yearly',
  })
  const again = { product: 'level_yearly', currency: 'usd', unit_amount: 200, lookup_key: 'yearly' }
  await expect(prices.create(again)).rejects.toMatchObject({ statusCode: 400, param: 'lookup_key' })
  const second = await prices.create({ ...again, transfer_lookup_key: true })
  expect((await prices.list({ lookup_keys: ['yearly'] })).data.map(({ id }) => id)).toEqual([second.id])
  expect((await prices.retrieve(first.id)).lookup_key).toBeNull()
  expect(second.unit_amount_decimal?.toString()).toBe('200')
  await expect(products.create({ id: 'level_yearly', name: 'Twice' })).rejects.toMatchObject({
    code: 'resource_already_exists',
  })
})

test('errors have the type, code, parameter and status of Stripe', async () => {
  await using bench = await openBench()
  const { stripe } = bench
  const price = await bench.yearly('Yearly', 10_000)
  const unknown = { email: 'ana@example.org', colour: 'red' } as Stripe.CustomerCreateParams
  await expect(stripe.customers.create(unknown)).rejects.toMatchObject({ code: 'parameter_unknown', param: 'colour' })
  await expect(stripe.products.create({} as Stripe.ProductCreateParams)).rejects.toMatchObject({
    code: 'parameter_missing',
    param: 'name',
  })
  const nested = { line_items: [{ price: price.id, quantity: 1, size: 3 } as object] }
  await expect(bench.subscriptionSession(price, nested)).rejects.toMatchObject({ param: 'line_items[0][size]' })
  const missing = await stripe.checkout.sessions.retrieve('cs_test_none').catch((error: unknown) => error)
  expect(missing).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
  expect(missing).toMatchObject({ statusCode: 404, code: 'resource_missing', type: 'StripeInvalidRequestError' })
  expect((missing as Stripe.errors.StripeError).requestId).toMatch(/^req_/)
  const live = new Stripe('sk_live_x', { host: '127.0.0.1', port: bench.standins.port, protocol: 'http' })
  await expect(live.customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
})

test('a checkout expires after 30 minutes to 24 hours', async () => {
  await using bench = await openBench()
  const now = Math.floor(Date.now() / 1000)
  for (const expires_at of [now + 1700, now + 90_000]) {
    await expect(bench.paymentSession(1000, { expires_at })).rejects.toMatchObject({ param: 'expires_at' })
  }
  expect((await bench.paymentSession(1000, { expires_at: now + 1900 })).expires_at).toBe(now + 1900)
  await expect(bench.paymentSession(49)).rejects.toMatchObject({ code: 'amount_too_small' })
})

test('lists are paged, newest first, and filtered', async () => {
  await using bench = await openBench()
  const { sessions } = bench.stripe.checkout
  const made = []
  for (let amount = 100; amount <= 1200; amount += 100) made.push(await bench.paymentSession(amount))
  const first = await sessions.list({ limit: 5 })
  expect(first.has_more).toBe(true)
  expect(first.data.map(({ amount_total }) => amount_total)).toEqual([1200, 1100, 1000, 900, 800])
  const all = await sessions.list({ limit: 5 }).autoPagingToArray({ limit: 100 })
  expect(all.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse())
  await bench.pay(made[3]!, undefined, 'Bela@example.org')
  const byEmail = await sessions.list({ customer_details: { email: 'bela@example.org' } })
  expect(byEmail.data.map(({ id }) => id)).toEqual([made[3]!.id])
  const intent = byEmail.data[0]!.payment_intent as string
  expect((await sessions.list({ payment_intent: intent })).data).toHaveLength(1)
  expect((await sessions.list({ created: { gte: made[0]!.created + 3600 } })).data).toEqual([])
  await expect(sessions.list({ starting_after: 'cs_test_none' })).rejects.toMatchObject({ param: 'starting_after' })
})

test('fields are expanded to four levels', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  const session = await bench.subscriptionSession(price)
  await bench.pay(session)
  const full = await bench.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice.payments', 'customer', 'line_items', 'subscription.default_payment_method'],
  })
  const subscription = full.subscription as Stripe.Subscription
  const invoice = subscription.latest_invoice as Stripe.Invoice
  expect((full.customer as Stripe.Customer).email).toBe('ana@example.org')
  expect(full.line_items?.data[0]).toMatchObject({ description: 'Yearly', amount_total: 10_000 })
  expect(invoice.payments?.data[0]).toMatchObject({ status: 'paid', amount_paid: 10_000 })
  expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
  expect((subscription.default_payment_method as Stripe.PaymentMethod).card?.last4).toBe('4242')
  const { subscriptions } = bench.stripe
  const listed = await subscriptions.list({ expand: ['data.customer', 'data.latest_invoice'] })
  expect((listed.data[0]!.customer as Stripe.Customer).id).toBe((full.customer as Stripe.Customer).id)
  const product = 'items.data.price.product'
  const found = await subscriptions.retrieve(subscription.id, { expand: [product] })
  expect(found.items.data[0]!.price.product).toMatchObject({ name: 'Yearly' })
  // In a list, `data` is one of the four.
  await expect(subscriptions.list({ expand: [`data.${product}`] })).rejects.toMatchObject({ param: 'expand' })
  await expect(bench.stripe.prices.retrieve(price.id, { expand: ['colour'] })).rejects.toMatchObject({
    param: 'expand',
  })
})

test('an idempotency key replays its result for a day and refuses other parameters', async () => {
  await using bench = await openBench()
  const { customers } = bench.stripe
  const first = await customers.create({ email: 'ana@example.org' }, { idempotencyKey: 'k1' })
  const second = await customers.create({ email: 'ana@example.org' }, { idempotencyKey: 'k1' })
  expect(second.id).toBe(first.id)
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  const other = customers.create({ email: 'bela@example.org' }, { idempotencyKey: 'k1' })
  await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  await bench.standins.control({ advanceMs: DAY_MS + 1 })
  const nextDay = await customers.create({ email: 'ana@example.org' }, { idempotencyKey: 'k1' })
  expect(nextDay.id).not.toBe(first.id)
})

test('a key in use returns 409', async () => {
  await using bench = await openBench()
  await bench.standins.control({ stripe: 'slow', slowMs: 80, times: 1 })
  const parameters = [{ email: 'ana@example.org' }, { idempotencyKey: 'k1' }] as const
  const slow = bench.stripe.customers.create(...parameters)
  await expect.poll(() => bench.standins.stripe.requestCounts.get('POST /v1/customers')).toBe(1)
  await expect(bench.stripe.customers.create(...parameters)).rejects.toMatchObject({
    statusCode: 409,
    code: 'idempotency_key_in_use',
  })
  expect((await slow).email).toBe('ana@example.org')
})
