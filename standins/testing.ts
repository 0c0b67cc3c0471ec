import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import type { Standins, StandinsOptions } from './standins.ts'
import { startStandins } from './standins.ts'

export const DAY_MS = 86_400_000
const CARD = '4242 4242 4242 4242'
export const DECLINED_CARD = '4000 0000 0000 0002'
export const FAILS_AT_RENEWAL = '4000 0000 0000 0341'

export type Bench = AsyncDisposable & {
  standins: Standins
  stripe: Stripe
  /** Creates a yearly price of a product with that name. */
  yearly(name: string, amount: number): Promise<Stripe.Price>
  subscriptionSession(
    price: Stripe.Price,
    given?: Stripe.Checkout.SessionCreateParams,
  ): Promise<Stripe.Checkout.Session>
  paymentSession(amount: number, given?: Stripe.Checkout.SessionCreateParams): Promise<Stripe.Checkout.Session>
  pay(session: { id: string }, card?: string, email?: string): Promise<Response>
  /** Pays for the price and returns the subscription. */
  subscribe(price: Stripe.Price, card?: string): Promise<Stripe.Subscription>
  eventTypes(): string[]
}

/** The stand-ins of one test, with the official client. */
export async function openBench(options: Partial<StandinsOptions> = {}): Promise<Bench> {
  const standins = await startStandins({ directory: '', port: 0, smtpPort: 0, persist: false, ...options })
  const stripe = new Stripe('sk_test_bench', {
    host: '127.0.0.1',
    port: standins.port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const urls = {
    success_url: 'https://site.example/ok?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://site.example/no',
  }

  const bench: Bench = {
    standins,
    stripe,
    async yearly(name, amount) {
      const product = await stripe.products.create({ name })
      return stripe.prices.create({
        product: product.id,
        currency: 'usd',
        unit_amount: amount,
        recurring: { interval: 'year' },
      })
    },
    subscriptionSession: (price, given) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: price.id, quantity: 1 }],
        ...urls,
        ...given,
      }),
    paymentSession: (amount, given) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Gold sponsorship' } },
          },
        ],
        ...urls,
        ...given,
      }),
    pay: ({ id }, card = CARD, email = 'ana@example.org') =>
      fetch(`${standins.url}/checkout/${id}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ card, email }),
      }),
    async subscribe(price, card = CARD) {
      const session = await bench.subscriptionSession(price)
      await bench.pay(session, card)
      const paid = await stripe.checkout.sessions.retrieve(session.id)
      return stripe.subscriptions.retrieve(paid.subscription as string)
    },
    eventTypes: () => standins.stripe.events().map(({ type }) => type),
    [Symbol.asyncDispose]: () => standins.close(),
  }
  return bench
}

export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'standins-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
