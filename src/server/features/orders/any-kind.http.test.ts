import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { openDispute } from '#standins/stripe/payments/disputes.ts'
import { partialContext } from '#tests/support/partial-context.ts'
import { useTestApp } from '#tests/support/use-test-app.ts'
import { createAlerts } from '#server/alerts/alerts.ts'
import { createReconciler } from '#server/features/payment-sync/reconciler.job.ts'
import { createWebhookService } from '#server/features/payment-sync/webhook.service.ts'
import { createSecrets } from '#server/lib/secrets.ts'
import { Problem } from '#server/lib/problem.ts'
import { createStripeGateway } from '#server/stripe/stripe-gateway.ts'
import type { OrderKind } from './order-kind.registry.ts'
import { NO_PAYMENT, orderPaymentCommands } from './order-payment.commands.ts'
import { createOrderPayments } from './order-payments.service.ts'
import { orderCommands } from './order.commands.ts'
import type { Order, OrderColumns, PaidOrderTable } from './order.queries.ts'
import type { OrderPaymentColumns } from '#server/db/schema/order-schema.ts'
import { createOrders, type Orders } from './order.service.ts'

/** A fourth kind, which the application does not have: all of it is here. */
const app = useTestApp({ environment: { RATE_LIMITS: 'off' } })
const TABLE = 'donation' as PaidOrderTable
const MINUTE_MS = 60_000

interface Donation extends Order {
  email: string
}

const delivered: string[] = []
const closed: string[] = []
let kind: OrderKind<Donation>
let orders: Orders
let webhooks: ReturnType<typeof createWebhookService>
let reconciler: ReturnType<typeof createReconciler>

beforeAll(async () => {
  const { database, config, now } = app()
  const { db } = database
  await sql`create table donation (
    id text primary key, email text not null, amount integer not null, currency text not null, state text not null,
    open_key text unique, attempt integer not null, leased_until bigint, stripe_session_id text, url text,
    nonce_hash text not null, created_at bigint not null, expires_at bigint not null, checked_at bigint not null,
    paid_at bigint, payment_reference text, receipt_number text, amount_refunded integer not null,
    refunded_at bigint, dispute_state text, manual_reference text, recorded_at bigint, voided_at bigint,
    voided_by text, void_reason text, replaces_id text)`.execute(db)
  const clock = { now, close() {} }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const ctx = partialContext({
    db,
    clock,
    log,
    gateway: createStripeGateway(config.stripe),
    alerts: createAlerts(db, clock, log),
    secrets: createSecrets('a secret for tests, and for tests only, of fair length'),
    wakeOutbox() {},
  })
  const { gateway } = ctx
  kind = {
    key: 'donation',
    name: 'donation',
    orders: orderCommands(TABLE, (row) => row as unknown as Donation),
    payments: createOrderPayments(ctx, {
      kind: 'sponsorship',
      table: TABLE,
      name: 'donation',
      action: 'sponsorship.returned',
    }),
    sessionMs: 31 * MINUTE_MS,
    failure: () => new Problem('CHECKOUT_FAILED'),
    createPage: ({ amount, currency, email, expiresAt }, { nonce, ...page }) =>
      gateway.createOneTimeCheckout({
        ...page,
        description: 'Donation',
        lines: [{ name: 'Donation', amount, quantity: 1 }],
        currency,
        email,
        successUrl: `${config.siteUrl}/thanks?session_id={CHECKOUT_SESSION_ID}&nonce=${nonce}`,
        cancelUrl: config.siteUrl,
        expiresAt,
      }),
    async onPaid(tx, { id }, { checkout: { paymentReference }, now }) {
      delivered.push(id)
      await orderPaymentCommands(TABLE, 'sponsorship').record(
        tx,
        id,
        { paymentReference, receiptNumber: `R-${id}` },
        now,
      )
      return 'paid'
    },
    onClosed: async (_tx, { id }) => void closed.push(id),
  }
  orders = createOrders(ctx, [kind])
  const { subscriptions } = app().app.services
  webhooks = createWebhookService(ctx, { orders, subscriptions })
  reconciler = createReconciler(ctx, { orders, subscriptions })
  await app().standins.control({ webhooks: 'drop' })
})

let donors = 0

/** Asks for the page as often as someone clicks. */
async function donate(clicks = 1) {
  const { db } = app().database
  const email = `donor${++donors}@example.com`
  async function reserve(): Promise<Donation | null> {
    const order = { ...orders.draft(kind), email, amount: 2_500, currency: 'usd', openKey: email, ...NO_PAYMENT }
    const isNew = await kind.orders.insert(db, order)
    return isNew ? kind.orders.find(db, order.id) : null
  }
  const open = () => orders.open(kind, { openKey: email, reserve })
  const pages = await Promise.all(Array.from({ length: clicks }, open))
  const [page] = pages
  if (!page || page === 'paid') throw new Error('the page was not opened')
  const sessions = app()
    .standins.stripe.sessions()
    .filter(({ customer_email }) => customer_email === email)
  const { searchParams } = new URL(sessions[0]?.success_url ?? '')
  return {
    id: page.orderId,
    sessionId: page.sessionId,
    urls: new Set(pages.map((one) => one !== 'paid' && one.url)),
    sessions: sessions.length,
    pay: (card?: string) => app().browser().pay(page.url, card),
    verify: () => orders.verify({ session_id: page.sessionId, nonce: searchParams.get('nonce') ?? '' }),
    row: async () => {
      const found = sql<OrderColumns & OrderPaymentColumns>`select * from donation where id = ${page.orderId}`
      return (await found.execute(db)).rows[0]
    },
  }
}

const hear = (objectId: string) => webhooks.effects['stripe.checkout']({ eventId: 'evt', objectId })

test('ten clicks lead to one page', async () => {
  const { urls, sessions } = await donate(10)
  expect([urls.size, sessions]).toEqual([1, 1])
})

test('a payment is delivered once, however often it is reported', async () => {
  const { id, sessionId, pay, verify } = await donate()
  expect((await verify()).order.state).toBe('open')
  await pay()
  const [returned] = await Promise.all([verify(), hear(sessionId), hear(sessionId), reconciler.runAll(), verify()])
  expect(returned.order).toMatchObject({ id, state: 'paid' })
  expect(delivered.filter((one) => one === id)).toEqual([id])
  await expect(orders.verify({ session_id: sessionId, nonce: 'guessed' })).rejects.toThrow(Problem)
})

test('the reconciler completes a lost payment, and closes a page that expired', async () => {
  const [paid, left] = [await donate(), await donate()]
  await paid.pay()
  await app().advance(40 * MINUTE_MS)
  expect((await reconciler.runAll()).repaired).toBeGreaterThan(0)
  expect([(await paid.row())?.state, (await left.row())?.state]).toEqual(['paid', 'expired'])
  expect(closed).toContain(left.id)
})

test('a donation that was closed here although it was paid is completed', async () => {
  const { id, pay, row } = await donate()
  await kind.orders.close(app().database.db, id, 'failed')
  await pay()
  await reconciler.runAll()
  expect((await row())?.state).toBe('paid')
})

test('refunds and disputes reach its order, and a dispute the officers', async () => {
  const { pay, sessionId, row } = await donate()
  await pay()
  await hear(sessionId)
  const { account } = app().standins.stripe
  const charge = account.charges.all().at(-1)
  if (!charge) throw new Error('nothing was charged')
  openDispute(account, charge)
  await reconciler.runAll()
  const stored = await row()
  expect(stored).toMatchObject({ amountRefunded: 0, disputeState: 'open' })
  expect(await orders.listDisputed()).toEqual([stored?.paymentReference])
  const alerts = await app()
    .database.db.selectFrom('outbox')
    .select('payload')
    .where('kind', '=', 'email.alert')
    .execute()
  expect(alerts.some(({ payload }) => payload.includes('payment-disputed') && payload.includes('donation'))).toBe(true)
})
