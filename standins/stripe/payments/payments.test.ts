import type { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { DAY_MS, DECLINED_CARD, FAILS_AT_RENEWAL, openBench } from '#standins/testing.ts'

test('a card pays once: the session completes and sends the browser back', async () => {
  await using bench = await openBench()
  const session = await bench.paymentSession(200_000, {
    metadata: { sponsorship: 's1' },
    payment_intent_data: { metadata: { sponsorship: 's1' } },
  })
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', payment_intent: null, customer: null })
  const response = await bench.pay(session)
  expect(await response.json()).toEqual({ redirectTo: `https://site.example/ok?session_id=${session.id}` })
  const paid = await bench.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', customer: null })
  expect(paid.customer_details?.email).toBe('ana@example.org')
  const intent = paid.payment_intent as Stripe.PaymentIntent
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 200_000, metadata: { sponsorship: 's1' } })
  expect(intent.latest_charge).toMatchObject({ paid: true, amount: 200_000, refunded: false })
  expect((await bench.pay(session)).status).toBe(409)
  expect(bench.standins.stripe.account.charges.size()).toBe(1)
})

test('a declined card stays on the page and may be followed by a valid one', async () => {
  await using bench = await openBench()
  const session = await bench.paymentSession(5000)
  const form = (card: string) =>
    fetch(`${bench.standins.url}/checkout/${session.id}`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'ana@example.org', card }),
      redirect: 'manual',
    })
  expect(await (await form(DECLINED_CARD)).text()).toContain('Your card was declined.')
  expect(await (await form('4111 1111 1111 1111')).text()).toContain('Your card number is incorrect.')
  expect((await bench.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  const paid = await form('4242424242424242')
  expect(paid.status).toBe(303)
  expect(paid.headers.get('location')).toContain(`session_id=${session.id}`)
  const intents = await bench.stripe.paymentIntents.list()
  expect(intents.data.map(({ status }) => status)).toEqual(['succeeded'])
  expect(bench.eventTypes()).toContain('payment_intent.payment_failed')
})

test('an expired checkout charges nothing and says so', async () => {
  await using bench = await openBench()
  const byHand = await bench.paymentSession(5000)
  expect((await bench.stripe.checkout.sessions.expire(byHand.id)).status).toBe('expired')
  await expect(bench.stripe.checkout.sessions.expire(byHand.id)).rejects.toMatchObject({ statusCode: 400 })
  const byTime = await bench.paymentSession(5000)
  await bench.standins.control({ advanceMs: DAY_MS })
  expect((await bench.stripe.checkout.sessions.retrieve(byTime.id)).status).toBe('expired')
  const response = await bench.pay(byTime)
  expect(response.status).toBe(410)
  expect(await response.json()).toMatchObject({ error: 'expired' })
  const page = await fetch(`${bench.standins.url}/checkout/${byTime.id}`)
  expect(await page.text()).toContain('This checkout has expired')
  expect(bench.standins.stripe.account.charges.size()).toBe(0)
  expect(bench.eventTypes().filter((type) => type === 'checkout.session.expired')).toHaveLength(2)
})

test('a subscription is paid, renewed by the clock and ended at its period end', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  const subscription = await bench.subscribe(price)
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: false })
  const firstEnd = subscription.items.data[0]!.current_period_end
  await bench.standins.control({ advanceMs: 366 * DAY_MS })
  const renewed = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(renewed.items.data[0]!.current_period_start).toBe(firstEnd)
  const invoices = await bench.stripe.invoices.list({ subscription: subscription.id })
  expect(invoices.data.map(({ billing_reason, status, created }) => [billing_reason, status, created])).toEqual([
    ['subscription_cycle', 'paid', firstEnd],
    ['subscription_create', 'paid', subscription.created],
  ])
  expect(bench.eventTypes()).toContain('invoice.upcoming')
  const ending = await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(ending).toMatchObject({ status: 'active', cancel_at: ending.items.data[0]!.current_period_end })
  await bench.standins.control({ advanceMs: 366 * DAY_MS })
  const ended = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(ended).toMatchObject({ status: 'canceled', ended_at: ending.cancel_at })
  expect((await bench.stripe.subscriptions.list({ customer: ended.customer as string })).data).toEqual([])
  expect(bench.eventTypes()).toContain('customer.subscription.deleted')
})

test('a card that fails at the renewal is retried and then given up', async () => {
  await using bench = await openBench()
  const subscription = await bench.subscribe(await bench.yearly('Yearly', 10_000), FAILS_AT_RENEWAL)
  expect(subscription.status).toBe('active')
  const until = subscription.items.data[0]!.current_period_end * 1000 - Date.now()
  await bench.standins.control({ advanceMs: until + 60_000 })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
  const invoiceNow = async () => (await bench.stripe.invoices.list({ subscription: subscription.id })).data[0]!
  expect(await invoiceNow()).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 10_000 })
  await bench.standins.control({ advanceMs: 3 * DAY_MS })
  expect((await invoiceNow()).attempt_count).toBe(2)
  await bench.standins.control({ advanceMs: 5 * DAY_MS })
  expect((await invoiceNow()).attempt_count).toBe(3)
  await bench.standins.control({ advanceMs: 7 * DAY_MS })
  const lost = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(lost).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } })
  expect(bench.eventTypes().filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
})

test('a refund is made once and never exceeds the payment', async () => {
  await using bench = await openBench()
  const session = await bench.paymentSession(5000)
  await bench.pay(session)
  const { payment_intent } = await bench.stripe.checkout.sessions.retrieve(session.id)
  const intent = payment_intent as string
  const { refunds, charges } = bench.stripe
  const part = await refunds.create({
    payment_intent: intent,
    amount: 2000,
    reason: 'duplicate',
    metadata: { why: 'twice' },
  })
  expect(part).toMatchObject({ amount: 2000, status: 'succeeded', reason: 'duplicate', metadata: { why: 'twice' } })
  expect(await charges.retrieve(part.charge as string)).toMatchObject({ amount_refunded: 2000, refunded: false })
  await expect(refunds.create({ payment_intent: intent, amount: 3001 })).rejects.toMatchObject({ param: 'amount' })
  await refunds.create({ charge: part.charge as string })
  await expect(refunds.create({ payment_intent: intent })).rejects.toMatchObject({ code: 'charge_already_refunded' })
  expect((await refunds.list({ payment_intent: intent })).data).toHaveLength(2)
})

test('a price change is prorated, and invoiced immediately on request or when the interval changes', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  const dearer = await bench.yearly('Patron', 20_000)
  const monthly = await bench.stripe.prices.create({
    product: dearer.product as string,
    currency: 'usd',
    unit_amount: 2000,
    recurring: { interval: 'month' },
  })
  const subscription = await bench.subscribe(price)
  const item = subscription.items.data[0]!.id
  const preview = await bench.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items: [{ id: item, price: dearer.id }], proration_behavior: 'always_invoice' },
  })
  expect(preview.amount_due).toBe(10_000)
  const changed = await bench.stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: dearer.id }],
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  })
  expect(changed.latest_invoice).toMatchObject({ billing_reason: 'subscription_update', amount_paid: 10_000 })
  const restarted = await bench.stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: monthly.id }],
  })
  const { current_period_start, current_period_end } = restarted.items.data[0]!
  expect(current_period_end - current_period_start).toBeLessThan(32 * 86_400)
  expect((await bench.stripe.invoices.list({ subscription: subscription.id })).data[0]).toMatchObject({ amount_due: 0 })
  const customer = (await bench.stripe.customers.retrieve(subscription.customer as string)) as Stripe.Customer
  expect(customer.balance).toBe(-18_000)
})

test('a subscription ends immediately when it is canceled', async () => {
  await using bench = await openBench()
  const subscription = await bench.subscribe(await bench.yearly('Yearly', 10_000))
  const ended = await bench.stripe.subscriptions.cancel(subscription.id, { cancellation_details: { comment: 'Moved' } })
  expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { comment: 'Moved' } })
  await expect(bench.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ statusCode: 404 })
  await expect(bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).rejects.toThrow()
})

test('the portal cancels, resumes, changes the plan and the card', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  const patron = await bench.yearly('Patron', 20_000)
  const subscription = await bench.subscribe(price, FAILS_AT_RENEWAL)
  const session = await bench.stripe.billingPortal.sessions.create({
    customer: subscription.customer as string,
    return_url: 'https://site.example/account',
  })
  const path = new URL(session.url).pathname
  const page = async () => (await fetch(bench.standins.url + path)).text()
  const act = (action: string, fields: Record<string, string> = {}) =>
    fetch(`${bench.standins.url}${path}/${action}`, { method: 'POST', body: new URLSearchParams(fields) })
  for (const label of ['Update card', 'Change plan to Patron', 'Cancel subscription', 'Return to site', 'Invoices']) {
    expect(await page()).toContain(label)
  }
  await act('cancel')
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(true)
  expect(await page()).toContain('Resume subscription')
  await act('resume')
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(false)
  await act('plan', { price: patron.id })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).items.data[0]!.price.id).toBe(patron.id)
  await bench.standins.control({ advanceMs: 366 * DAY_MS })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
  const later = await bench.stripe.billingPortal.sessions.create({ customer: subscription.customer as string })
  const card = await fetch(`${bench.standins.url}${new URL(later.url).pathname}/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card: '4242 4242 4242 4242' }),
  })
  expect(await card.json()).toMatchObject({ message: 'Your card was updated and what was due has been paid.' })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})
