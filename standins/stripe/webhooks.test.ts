import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import type { Bench } from '../testing.ts'
import { DAY_MS, openBench, temporaryFolder } from '../testing.ts'

type Site = AsyncDisposable & { url: string; events: Stripe.Event[]; statuses: number[] }

/** A site that verifies each signature like ours, and responds with 200 unless told otherwise. */
async function openSite(): Promise<Site> {
  const events: Stripe.Event[] = []
  const statuses: number[] = []
  const stripe = new Stripe('sk_test_site')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const status = statuses.shift() ?? 200
      if (status === 200) {
        const signature = request.headers['stripe-signature'] as string
        events.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, 'whsec_standin'))
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    statuses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function paidBench(site: Site): Promise<{ bench: Bench; session: Stripe.Checkout.Session }> {
  const bench = await openBench({ webhookUrls: [site.url] })
  const session = await bench.paymentSession(5000)
  await bench.pay(session)
  await bench.standins.control({ flushWebhooks: true })
  return { bench, session }
}

function typesOf({ events }: Site): string[] {
  return events.map(({ type }) => type).sort()
}

const ONE_PAYMENT = [
  'charge.succeeded',
  'checkout.session.completed',
  'payment_intent.created',
  'payment_intent.succeeded',
]

test('a payment sends several signed events, which the API lists too', async () => {
  await using site = await openSite()
  const { bench, session } = await paidBench(site)
  await using _closing = bench
  expect(typesOf(site)).toEqual(expect.arrayContaining(ONE_PAYMENT))
  const completed = site.events.find(({ type }) => type === 'checkout.session.completed')!
  expect(completed).toMatchObject({
    api_version: '2026-10-28.endive',
    livemode: false,
    data: { object: { id: session.id } },
  })
  expect(await bench.stripe.events.retrieve(completed.id)).toMatchObject({ type: completed.type, pending_webhooks: 0 })
  const listed = await bench.stripe.events.list({
    types: ['checkout.session.completed'],
    created: { gte: completed.created },
  })
  expect(listed.data.map(({ id }) => id)).toEqual([completed.id])
})

test('an event is retried until it is accepted', async () => {
  await using site = await openSite()
  site.statuses.push(500, 503, 400)
  const { bench } = await paidBench(site)
  await using _closing = bench
  await expect.poll(() => new Set(site.events.map(({ id }) => id)).size).toBe(bench.standins.stripe.events().length)
})

test('dropped events stay in the API only', async () => {
  await using site = await openSite()
  await using bench = await openBench({ webhookUrls: [site.url] })
  await bench.standins.control({ webhooks: 'drop' })
  await bench.pay(await bench.paymentSession(5000))
  await bench.standins.control({ flushWebhooks: true, webhooks: 'deliver' })
  expect(site.events).toEqual([])
  expect(
    (await bench.stripe.events.list({ delivery_success: false, type: 'checkout.session.completed' })).data,
  ).toHaveLength(1)
})

test('doubled events arrive twice', async () => {
  await using site = await openSite()
  await using bench = await openBench({ webhookUrls: [site.url] })
  await bench.standins.control({ webhooks: 'double' })
  await bench.pay(await bench.paymentSession(5000))
  await bench.standins.control({ flushWebhooks: true })
  expect(typesOf(site).filter((type) => type === 'checkout.session.completed')).toHaveLength(2)
})

test('delayed events wait for the flush or for the clock', async () => {
  await using site = await openSite()
  await using bench = await openBench({ webhookUrls: [site.url] })
  await bench.standins.control({ webhooks: 'delay' })
  await bench.pay(await bench.paymentSession(5000))
  expect(site.events).toEqual([])
  await bench.standins.control({ flushWebhooks: true })
  expect(typesOf(site)).toEqual(expect.arrayContaining(ONE_PAYMENT))
  const before = site.events.length
  await bench.pay(await bench.paymentSession(5000))
  expect(site.events).toHaveLength(before)
  await bench.standins.control({ advanceMs: 3 * DAY_MS })
  await expect.poll(() => site.events.length).toBeGreaterThanOrEqual(before + ONE_PAYMENT.length)
})

test('shuffled events all arrive, each at one instance in turn', async () => {
  await using one = await openSite()
  await using two = await openSite()
  await using bench = await openBench({ webhookUrls: [one.url, two.url] })
  await bench.standins.control({ webhooks: 'shuffle' })
  await bench.pay(await bench.paymentSession(5000))
  await bench.standins.control({ flushWebhooks: true })
  expect(one.events.length).toBeGreaterThan(0)
  expect(two.events.length).toBeGreaterThan(0)
  expect([...typesOf(one), ...typesOf(two)].sort()).toEqual(expect.arrayContaining(ONE_PAYMENT))
})

test('undelivered events are delivered after a restart', async () => {
  using folder = temporaryFolder()
  const options = { directory: folder.path, persist: true }
  {
    await using bench = await openBench({ ...options, webhookUrls: ['http://127.0.0.1:9/hook'] })
    await bench.pay(await bench.paymentSession(5000))
  }
  await using site = await openSite()
  await using bench = await openBench({ ...options, webhookUrls: [site.url] })
  await bench.standins.control({ flushWebhooks: true })
  expect(typesOf(site)).toEqual(expect.arrayContaining(ONE_PAYMENT))
})
