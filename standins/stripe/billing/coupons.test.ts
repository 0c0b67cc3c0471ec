import fixtures from '#tests/support/emails/stripe-fixtures.json' with { type: 'json' }
import type { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { DAY_MS, openBench, type Bench } from '#standins/testing.ts'

async function use(bench: Bench, { id }: { id: string }, code: string) {
  const response = await fetch(`${bench.standins.url}/checkout/${id}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return { status: response.status, ...((await response.json()) as { total?: number; message?: string }) }
}

async function createCode(
  bench: Bench,
  coupon: Stripe.CouponCreateParams,
  code: Partial<Stripe.PromotionCodeCreateParams> = {},
) {
  const made = await bench.stripe.coupons.create({ duration: 'once', ...coupon })
  return bench.stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: made.id },
    code: 'WELCOME',
    ...code,
  })
}

test('coupons and promotion codes have the fields of the recorded ones', async () => {
  await using bench = await openBench()
  const code = await createCode(bench, { percent_off: 25 })
  const coupon = await bench.stripe.coupons.retrieve(code.promotion.coupon as string)
  const fields = (object: object) =>
    Object.keys(object)
      .filter((name) => name !== 'lastResponse')
      .sort()
  expect(fields(coupon)).toEqual(fields(fixtures.resources.coupon))
  expect(fields(code)).toEqual(fields(fixtures.resources.promotion_code))
  expect(fields(code.promotion)).toEqual(fields(fixtures.resources.promotion_code.promotion))
})

test('a code discounts the first invoice of a subscription, and no other', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  const code = await createCode(bench, { percent_off: 25 })
  const session = await bench.subscriptionSession(price, { allow_promotion_codes: true })
  expect(await use(bench, session, 'welcome')).toEqual({ status: 200, total: 7_500 })
  await bench.pay(session)
  const paid = await bench.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['discounts.promotion_code', 'invoice.discounts'],
  })
  expect(paid).toMatchObject({
    amount_subtotal: 10_000,
    amount_total: 7_500,
    payment_status: 'paid',
    total_details: { amount_discount: 2_500 },
    discounts: [{ promotion_code: { id: code.id, code: 'WELCOME', times_redeemed: 1 } }],
  })
  expect(paid.invoice).toMatchObject({
    subtotal: 10_000,
    total: 7_500,
    amount_paid: 7_500,
    discounts: [{ promotion_code: code.id }],
  })
  await bench.standins.control({ advanceMs: 366 * DAY_MS })
  const { data } = await bench.stripe.invoices.list({ subscription: paid.subscription as string })
  expect(data.map(({ amount_paid: amount }) => amount)).toEqual([10_000, 7_500])
})

test('a free checkout completes without a payment; a subscription keeps its card for the next year', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  await createCode(bench, { percent_off: 100 })
  const yearly = await bench.subscriptionSession(price, { allow_promotion_codes: true })
  const once = await bench.paymentSession(5_000, { allow_promotion_codes: true, customer_creation: 'always' })
  for (const session of [yearly, once]) {
    expect(await use(bench, session, 'WELCOME')).toEqual({ status: 200, total: 0 })
    expect((await bench.pay(session)).status).toBe(200)
    const paid = await bench.stripe.checkout.sessions.retrieve(session.id)
    expect(paid).toMatchObject({ amount_total: 0, payment_status: 'no_payment_required', payment_intent: null })
    expect(paid.customer).toMatch(/^cus_/)
  }
  await bench.standins.control({ advanceMs: 366 * DAY_MS })
  const { data } = await bench.stripe.charges.list()
  expect(data.map(({ amount }) => amount)).toEqual([10_000])
})

test('wrong, ended, expired, used up, or for another product: each code is refused, without a discount', async () => {
  await using bench = await openBench()
  const { stripe } = bench
  const [yearly, other] = [await bench.yearly('Yearly', 10_000), await bench.yearly('Other', 10_000)]
  const soon = Math.floor(Date.now() / 1_000) + 86_400
  const ended = await createCode(bench, { percent_off: 10 }, { code: 'ENDED' })
  await stripe.promotionCodes.update(ended.id, { active: false })
  await createCode(bench, { amount_off: 1_000, currency: 'usd' }, { code: 'SOON', expires_at: soon })
  await createCode(bench, { percent_off: 10, applies_to: { products: [other.product as string] } }, { code: 'OTHER' })
  await createCode(bench, { amount_off: 9_990, currency: 'usd' }, { code: 'TOOMUCH' })
  await createCode(bench, { percent_off: 10 }, { code: 'ONCE', max_redemptions: 1 })
  const first = await bench.subscriptionSession(yearly, { allow_promotion_codes: true })
  await use(bench, first, 'ONCE')
  await bench.pay(first)
  await bench.standins.control({ advanceMs: 2 * DAY_MS })
  const session = await bench.subscriptionSession(yearly, { allow_promotion_codes: true })
  const said = async (code: string) => (await use(bench, session, code)).message
  expect(await said('NOTHING')).toBe('This code is invalid.')
  expect(await said('ENDED')).toBe('This code is invalid.')
  expect(await said('ONCE')).toBe('This code is invalid.')
  expect(await said('SOON')).toBe('This code has expired.')
  expect(await said('OTHER')).toBe('This code can’t be used for this.')
  expect(await said('TOOMUCH')).toBe('This code can’t be used for this.')
  const without = await bench.subscriptionSession(yearly)
  expect((await use(bench, without, 'WELCOME')).status).toBe(400)
  await bench.pay(session)
  expect((await stripe.checkout.sessions.retrieve(session.id)).amount_total).toBe(10_000)
})

test('a code is unique while active; contradictions are refused as Stripe refuses them', async () => {
  await using bench = await openBench()
  const code = await createCode(bench, { percent_off: 10 })
  await expect(createCode(bench, { percent_off: 20 }, { code: 'welcome' })).rejects.toMatchObject({
    statusCode: 400,
    message: expect.stringContaining('already exists') as string,
  })
  await bench.stripe.promotionCodes.update(code.id, { active: false })
  expect((await createCode(bench, { percent_off: 20 }, { code: 'welcome' })).active).toBe(true)
  const { data } = await bench.stripe.promotionCodes.list({ code: 'WELCOME', active: true })
  expect(data).toHaveLength(1)
  await expect(bench.stripe.coupons.create({ percent_off: 10, amount_off: 10 })).rejects.toMatchObject({
    statusCode: 400,
  })
  await expect(bench.stripe.coupons.create({ amount_off: 10 })).rejects.toMatchObject({ param: 'currency' })
  await bench.stripe.coupons.create({ id: 'mine', percent_off: 10 })
  await expect(bench.stripe.coupons.create({ id: 'mine', percent_off: 10 })).rejects.toMatchObject({
    code: 'resource_already_exists',
  })
})

test('the page has a field for a code, shows errors beside it, and shows the discount', async () => {
  await using bench = await openBench()
  const price = await bench.yearly('Yearly', 10_000)
  await createCode(bench, { percent_off: 25 })
  const session = await bench.subscriptionSession(price, { allow_promotion_codes: true })
  const post = async (code: string) => {
    const body = new URLSearchParams({ code })
    return (await fetch(`${bench.standins.url}/checkout/${session.id}/code`, { method: 'POST', body })).text()
  }
  expect(await post('nothing')).toContain('This code is invalid.')
  const page = await post('welcome')
  expect(page).toContain('WELCOME')
  expect(page).toContain('Pay $75')
})
