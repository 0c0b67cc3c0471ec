import { describe, expect, test } from 'vitest'
import {
  webhookEventFor,
  postWebhookEvent,
  signWebhookEvent,
  stripeObjects,
} from '#tests/support/emails/webhook-events.ts'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const REFUSED = { message: 'The signature does not match.', code: 'WEBHOOK_REFUSED' }

function send(body: string) {
  return postWebhookEvent(app(), body, signWebhookEvent(body, { at: app().now() }))
}

/** An unpaid checkout, and a webhook event that claims it was paid. */
async function openCheckout() {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart()
  const session = app()
    .standins.stripe.sessions()
    .find(({ id }) => id === start.body.sessionId)
  return {
    person,
    event: webhookEventFor('checkout.session.completed', { ...session, status: 'complete', payment_status: 'paid' }),
  }
}

describe('an event without a valid signature is rejected and changes nothing', () => {
  test('a valid event is accepted', async () => {
    const { event } = await openCheckout()
    expect(await send(event)).toEqual({ status: 200, body: { received: true } })
  })

  test.each<[string, (event: string, now: number) => [body: string, signature: string | undefined]]>([
    ['no signature', (event) => [event, undefined]],
    ['an empty one', (event) => [event, '']],
    ['text', (event) => [event, 'signed by Stripe, honestly']],
    ['another secret', (event, at) => [event, signWebhookEvent(event, { at, secret: 'whsec_another' })]],
    ['an empty secret', (event, at) => [event, signWebhookEvent(event, { at, secret: '' })]],
    ['a timestamp of 302 seconds ago', (event, at) => [event, signWebhookEvent(event, { at: at - 302_000 })]],
    [
      'a body changed by one character',
      (event, at) => [event.replace('complete', 'Complete'), signWebhookEvent(event, { at })],
    ],
    ['a body with an extra space', (event, at) => [`${event} `, signWebhookEvent(event, { at })]],
    [
      'a forged later timestamp',
      (event, at) => [
        event,
        signWebhookEvent(event, { at: at - 900_000 }).replace(/t=\d+/, `t=${Math.floor(at / 1_000)}`),
      ],
    ],
    ['only the test scheme v0', (event, at) => [event, signWebhookEvent(event, { at }).replace('v1=', 'v0=')]],
    ['no timestamp', (event, at) => [event, signWebhookEvent(event, { at }).replace(/t=\d+,/, '')]],
    ['an invalid timestamp', (event, at) => [event, signWebhookEvent(event, { at }).replace(/t=\d+/, 't=NaN')]],
    ['a truncated signature', (event, at) => [event, signWebhookEvent(event, { at }).slice(0, -2)]],
    [
      'live mode',
      (event, at) => {
        const liveEvent = event.replace('"livemode":false', '"livemode":true')
        return [liveEvent, signWebhookEvent(liveEvent, { at })]
      },
    ],
    ['an empty body', (_event, at) => ['', signWebhookEvent('', { at })]],
    ['a body that is not JSON', (_event, at) => ['paid!', signWebhookEvent('paid!', { at })]],
  ])('%s', async (_name, forge) => {
    const { event } = await openCheckout()
    await app().drain()
    const before = await dumpDatabase(app().database)
    const [body, signature] = forge(event, app().now())
    expect(await postWebhookEvent(app(), body, signature)).toEqual({ status: 400, body: REFUSED })
    expect(await dumpDatabase(app().database)).toBe(before)
  })

  test('twenty rejections in a row alert the officers once that the secret may be wrong', async () => {
    await send((await openCheckout()).event)
    for (let call = 0; call < 25; call++) await postWebhookEvent(app(), '{}', 'wrong')
    await app().drain()
    const alerts = app()
      .standins.mails('office@example.org')
      .map(({ subject }) => subject)
    expect(alerts).toEqual(['Website alert: Stripe webhooks are being rejected'])
  })
})

describe('the content of an event is not trusted (docs/product-rules.md#activation)', () => {
  test('an event that claims an open checkout is paid starts nothing: the state is read from the provider', async () => {
    const { person, event } = await openCheckout()
    await send(event)
    await app().drain()
    const { db } = app().database
    expect(await db.selectFrom('account').select('id').where('emailKey', '=', person.email).execute()).toEqual([])
    expect((await db.selectFrom('stripeEvent').select('doneAt').execute()).every(({ doneAt }) => doneAt !== null)).toBe(
      true,
    )
  })

  test.each([
    ['checkout.session.async_payment_failed', { payment_status: 'unpaid' }],
    ['checkout.session.expired', { status: 'expired' }],
  ])('%s of a paid checkout revokes nothing', async (type, changed) => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    await app().drain()
    const session = app()
      .standins.stripe.sessions()
      .find(({ id }) => id === start.body.sessionId)
    await send(webhookEventFor(type, { ...session, ...changed }))
    await app().drain()
    expect((await app().browser().logIn(person.email)).body.subscription).toMatchObject({ status: 'ACTIVE' })
  })

  test('a subscription deleted according to an event but active at the provider continues', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    await app().drain()
    const subscription = app().standins.stripe.subscriptions().at(-1)
    await send(webhookEventFor('customer.subscription.deleted', { ...subscription, status: 'canceled' }))
    await app().drain()
    expect((await app().browser().logIn(person.email)).body.subscription).toMatchObject({ status: 'ACTIVE' })
  })

  test('the same event delivered twenty times at once is stored and processed once', async () => {
    const { event } = await openCheckout()
    const { id } = JSON.parse(event) as { id: string }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(event)))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
    await app().drain()
    const { db } = app().database
    expect(await db.selectFrom('stripeEvent').select('id').where('id', '=', id).execute()).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('id').where('payload', 'like', `%${id}%`).execute()).toHaveLength(1)
  })
})

describe('events of other products and unknown events are harmless', () => {
  const kinds = Object.entries(stripeObjects)

  test('every kind of object of the provider, with event types that we handle and types that we do not', async () => {
    await app().drain()
    // Jobs run by the clock, whatever the provider sends.
    const dump = () => dumpDatabase(app().database, { except: ['job'] })
    const before = await dump()
    const types = [
      'checkout.session.completed',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_failed',
      'charge.refunded',
      'a.type.of.the.future',
    ]
    for (const [, object] of kinds) {
      for (const type of types) {
        const body = webhookEventFor(type, object)
        expect(await send(body)).toEqual({ status: 200, body: { received: true } })
      }
    }
    await app().drain()
    expect(await dump()).toBe(before)
  })

  test('a checkout with an unknown order id changes nothing', async () => {
    const { person } = await openCheckout()
    await send(
      webhookEventFor('checkout.session.completed', {
        ...stripeObjects['checkout.session'],
        id: 'cs_test_foreign',
        metadata: { checkout_id: 'no-such-checkout' },
      }),
    )
    await app().drain()
    expect((await app().browser().logIn(person.email)).status).toBe(401)
    expect(await app().database.db.selectFrom('outbox').select('id').where('deadAt', 'is not', null).execute()).toEqual(
      [],
    )
  })

  test.each([
    ['no object', { data: {} }],
    ['no data', { data: undefined }],
    ['an object that is null', { data: { object: null } }],
    ['an object without an id', { data: { object: { metadata: { checkout_id: 'x' } } } }],
    ['metadata that is text', { data: { object: { id: 'x', metadata: 'x' } } }],
    ['an id that is a number', { id: 7, data: { object: { id: 'cs_x', metadata: { checkout_id: 'x' } } } }],
  ])('%s: accepted or rejected, never a server error', async (_name, changed) => {
    const { status } = await send(webhookEventFor('checkout.session.completed', {}, changed))
    expect([200, 400]).toContain(status)
    await app().drain()
  })

  test('a body that is too large is rejected before it is read', async () => {
    const { status, body } = await send(webhookEventFor('invoice.paid', { padding: 'x'.repeat(2_000_000) }))
    expect(status).toBe(413)
    expect(body['code']).toBe('TOO_LARGE')
  })
})
