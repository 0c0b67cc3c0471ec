import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import type { SubscriptionImportLine, SubscriptionReview } from '#contract/console/money/subscription-imports.ts'
import { createImportedMember } from '#server/features/member-admin/import/apply-import-row.service.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findSubscriptionView } from '#server/features/memberships/subscription-view.service.ts'
import type { TestBrowser } from '../browser/test-browser.ts'
import { newOfficer, recordSecondFactor } from '../officers.ts'
import type { TestApp } from '../test-app.ts'

export const SUBSCRIPTION_IMPORTS = '/api/console/subscription-imports'

interface ForeignParts {
  email: string
  product?: string
  nickname?: string
  amount?: number
  currency?: string
  interval?: 'year' | 'month' | 'week'
  /** Charged at every renewal; by default a card that is accepted. */
  card?: string
  subscription?: Partial<Stripe.SubscriptionCreateParams>
}

/** The association's own account at the card provider, as an earlier system left it, and members here without a subscription. */
export function foreignSubscriptions(app: () => TestApp) {
  let products = new Map<string, string>()
  let members = 0

  function client(): Stripe {
    const { hostname: host, port } = new URL(app().standins.url)
    return new Stripe('sk_test_standin', {
      host,
      port: Number(port),
      protocol: 'http',
      telemetry: false,
      maxNetworkRetries: 0,
    })
  }

  let treasurer: TestBrowser | null = null
  const officer = () => {
    if (!treasurer) throw new Error('The treasurer logs in first.')
    return treasurer
  }

  async function review(choices: { key: string; levelKey: string | null }[] = [], by = officer()) {
    const { status, body } = await by.post(`${SUBSCRIPTION_IMPORTS}/review`, { choices })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as SubscriptionReview
  }

  return {
    client,
    treasurer: officer,
    review,

    /** Tokens last 7 days, and time passes in these tests. */
    async logInTreasurer(): Promise<void> {
      treasurer = (await newOfficer(app(), ['treasurer'])).browser
      await recordSecondFactor(app(), treasurer)
      await app().drain()
    },

    /** Chooses the level of all prices whose name begins so. */
    async choose(name: string, levelKey: string | null): Promise<SubscriptionReview> {
      const prices = (await review()).prices.filter((price) => price.name.startsWith(name))
      return review(prices.map(({ key }) => ({ key, levelKey })))
    },

    async importReviewed({ digest }: Pick<SubscriptionReview, 'digest'>) {
      const answer = await officer().post(SUBSCRIPTION_IMPORTS, { digest })
      await app().drain()
      return answer
    },

    async recent(): Promise<SubscriptionImportLine[]> {
      return (await officer().get(`${SUBSCRIPTION_IMPORTS}/recent`)).body.imports as SubscriptionImportLine[]
    },

    /** What an import must not change at the provider. */
    provider() {
      const { account, subscriptions } = app().standins.stripe
      return {
        charges: account.charges.all().length,
        invoices: account.invoices.all().length,
        subscriptions: createHash('sha256').update(JSON.stringify(subscriptions())).digest('hex'),
      }
    },

    /** A subscription that another system created: with its own product and price, and without our metadata. */
    async subscribe({
      email,
      product = 'Gold Member',
      amount = 8_000,
      card = 'pm_card_visa',
      ...given
    }: ForeignParts): Promise<Stripe.Subscription> {
      const stripe = client()
      products = new Map(products)
      const productId = products.get(product) ?? (await stripe.products.create({ name: product })).id
      products.set(product, productId)
      const customer = await stripe.customers.create({
        ...(email !== '' && { email }),
        payment_method: card,
        invoice_settings: { default_payment_method: card },
      })
      const price = await stripe.prices.create({
        product: productId,
        currency: given.currency ?? 'usd',
        unit_amount: amount,
        recurring: { interval: given.interval ?? 'year' },
        ...(given.nickname && { nickname: given.nickname }),
      })
      return stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }], ...given.subscription })
    },

    /** A member as an import of members leaves them: renewed manually, with a last day. Without days, an account whose membership has ended. */
    async addMember({
      email = `member${++members}@example.org`,
      level = 'annual_member',
      startedOn = '2020-03-01',
      endsOn = '2027-03-01',
    } = {}): Promise<{ id: string; email: string }> {
      const { db } = app().database
      const found = await findLevel(db, level)
      if (!found) throw new Error(`no level ${level}`)
      const row = { email, username: email, firstName: 'Nila', lastName: `Rao${members}`, level, startedOn, endsOn }
      const id = await db
        .transaction()
        .execute((tx) =>
          createImportedMember(
            tx,
            { row, level: found, passwordHash: '$argon2id$unknown' },
            { batch: 'test', actor: 'webmaster', now: app().now() },
          ),
        )
      if (id === null) throw new Error(`${email} is taken`)
      return { id, email }
    },

    /** As the member sees it. */
    viewOf: (id: string) => findSubscriptionView(app().database.db, id, { now: app().now(), graceMs: 14 * 86_400_000 }),
  }
}
