import { describe, expect, test } from 'vitest'
import { noticeOf, postNotice, signNotice, stripeObjects } from '#tests/support/notices.ts'
import { dumpDatabase } from '#tests/support/test-database.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'

const app = useTestApp()
const REFUSED = { message: 'The signature does not match.', code: 'WEBHOOK_REFUSED' }

function send(body: string) {
  return postNotice(app(), body, signNotice(body, { at: app().now() }))
}

/** A checkout that waits for payment, and a notice that says it was paid. */
async function openCheckout() {
  const browser = app().browser()
  const { person, start } = await browser.registerAndStart()
  const session = app()
    .standins.stripe.sessions()
    .find(({ id }) => id === start.body.sessionId)
  return {
    person,
    notice: noticeOf('checkout.session.completed', { ...session, status: 'complete', payment_status: 'paid' }),
  }
}

describe('what is not signed by the provider is refused, and changes nothing', () => {
  test('a genuine one is taken', async () => {
    const { notice } = await openCheckout()
    expect(await send(notice)).toEqual({ status: 200, body: { received: true } })
  })

  test.each<[string, (notice: string, now: number) => [body: string, signature: string | undefined]]>([
    ['no signature', (notice) => [notice, undefined]],
    ['an empty one', (notice) => [notice, '']],
    ['words', (notice) => [notice, 'signed by Stripe, honestly']],
    ['another secret', (notice, at) => [notice, signNotice(notice, { at, secret: 'whsec_another' })]],
    ['an empty secret', (notice, at) => [notice, signNotice(notice, { at, secret: '' })]],
    ['one of 301 seconds ago', (notice, at) => [notice, signNotice(notice, { at: at - 302_000 })]],
    [
      'a body changed by one letter',
      (notice, at) => [notice.replace('complete', 'Complete'), signNotice(notice, { at })],
    ],
    ['a body with a blank more', (notice, at) => [`${notice} `, signNotice(notice, { at })]],
    [
      'a later time written in',
      (notice, at) => [
        notice,
        signNotice(notice, { at: at - 900_000 }).replace(/t=\d+/, `t=${Math.floor(at / 1_000)}`),
      ],
    ],
    ['only the test scheme v0', (notice, at) => [notice, signNotice(notice, { at }).replace('v1=', 'v0=')]],
    ['no time', (notice, at) => [notice, signNotice(notice, { at }).replace(/t=\d+,/, '')]],
    ['a time that is none', (notice, at) => [notice, signNotice(notice, { at }).replace(/t=\d+/, 't=NaN')]],
    ['the signature cut short', (notice, at) => [notice, signNotice(notice, { at }).slice(0, -2)]],
    [
      'live mode',
      (notice, at) => {
        const live = notice.replace('"livemode":false', '"livemode":true')
        return [live, signNotice(live, { at })]
      },
    ],
    ['nothing in it', (_notice, at) => ['', signNotice('', { at })]],
    ['no JSON', (_notice, at) => ['paid!', signNotice('paid!', { at })]],
  ])('%s', async (_name, forge) => {
    const { notice } = await openCheckout()
    await app().settle()
    const before = await dumpDatabase(app().database)
    const [body, signature] = forge(notice, app().now())
    expect(await postNotice(app(), body, signature)).toEqual({ status: 400, body: REFUSED })
    expect(await dumpDatabase(app().database)).toBe(before)
  })

  test('twenty in a row tell the officers once that the secret may be wrong', async () => {
    await send((await openCheckout()).notice)
    for (let call = 0; call < 25; call++) await postNotice(app(), '{}', 'wrong')
    await app().settle()
    const alarms = app()
      .standins.mails('office@example.org')
      .map(({ subject }) => subject)
    expect(alarms).toEqual(["Website alarm: Stripe's notices are refused"])
  })
})

describe('a notice is a hint, never the truth (docs/product-rules.md#activation)', () => {
  test('one that says "paid" for an open checkout starts nothing: the provider is asked', async () => {
    const { person, notice } = await openCheckout()
    await send(notice)
    await app().settle()
    const { db } = app().database
    expect(await db.selectFrom('account').select('id').where('email_key', '=', person.email).execute()).toEqual([])
    expect(
      (await db.selectFrom('stripe_event').select('done_at').execute()).every(({ done_at: doneAt }) => doneAt !== null),
    ).toBe(true)
  })

  test.each([
    ['checkout.session.async_payment_failed', { payment_status: 'unpaid' }],
    ['checkout.session.expired', { status: 'expired' }],
  ])('%s of a paid checkout takes nothing away', async (type, changed) => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    await app().settle()
    const session = app()
      .standins.stripe.sessions()
      .find(({ id }) => id === start.body.sessionId)
    await send(noticeOf(type, { ...session, ...changed }))
    await app().settle()
    expect((await app().browser().logIn(person.email)).body.subscription).toMatchObject({ status: 'ACTIVE' })
  })

  test('a subscription "deleted" in a notice but alive at the provider goes on', async () => {
    const browser = app().browser()
    const { person, start } = await browser.registerAndStart()
    await browser.pay(start.body.sessionUrl as string)
    await app().settle()
    const subscription = app().standins.stripe.subscriptions().at(-1)
    await send(noticeOf('customer.subscription.deleted', { ...subscription, status: 'canceled' }))
    await app().settle()
    expect((await app().browser().logIn(person.email)).body.subscription).toMatchObject({ status: 'ACTIVE' })
  })

  test('the same notice twice, and twenty times at once, is stored and handled once', async () => {
    const { notice } = await openCheckout()
    const { id } = JSON.parse(notice) as { id: string }
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(notice)))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
    await app().settle()
    const { db } = app().database
    expect(await db.selectFrom('stripe_event').select('id').where('id', '=', id).execute()).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('id').where('payload', 'like', `%${id}%`).execute()).toHaveLength(1)
  })
})

describe('foreign and unknown notices are harmless', () => {
  const kinds = Object.entries(stripeObjects)

  test('every kind of object the provider has, under types we follow and types we do not', async () => {
    await app().settle()
    const before = await dumpDatabase(app().database)
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
        const body = noticeOf(type, object)
        expect(await send(body)).toEqual({ status: 200, body: { received: true } })
      }
    }
    await app().settle()
    expect(await dumpDatabase(app().database)).toBe(before)
  })

  test('a checkout that carries an id of ours but is not ours changes nothing', async () => {
    const { person } = await openCheckout()
    await send(
      noticeOf('checkout.session.completed', {
        ...stripeObjects['checkout.session'],
        id: 'cs_test_foreign',
        metadata: { checkout_id: 'no-such-checkout' },
      }),
    )
    await app().settle()
    expect((await app().browser().logIn(person.email)).status).toBe(401)
    expect(
      await app().database.db.selectFrom('outbox').select('id').where('dead_at', 'is not', null).execute(),
    ).toEqual([])
  })

  test.each([
    ['no object', { data: {} }],
    ['no data', { data: undefined }],
    ['an object that is null', { data: { object: null } }],
    ['an object without an id', { data: { object: { metadata: { checkout_id: 'x' } } } }],
    ['metadata that is text', { data: { object: { id: 'x', metadata: 'x' } } }],
    ['an id that is a number', { id: 7, data: { object: { id: 'cs_x', metadata: { checkout_id: 'x' } } } }],
  ])('%s: taken or refused, never a failure of ours', async (_name, changed) => {
    const { status } = await send(noticeOf('checkout.session.completed', {}, changed))
    expect([200, 400]).toContain(status)
    await app().settle()
  })

  test('a body of a megabyte is refused before it is read', async () => {
    const { status, body } = await send(noticeOf('invoice.paid', { padding: 'x'.repeat(2_000_000) }))
    expect(status).toBe(413)
    expect(body['code']).toBe('TOO_LARGE')
  })
})
