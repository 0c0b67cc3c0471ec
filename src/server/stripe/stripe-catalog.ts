import { termMonths } from '#contract/level-terms.ts'
import Stripe from 'stripe'
import type { NewPromotionCode, PaymentGateway, PricedLevel } from './payment-gateway.ts'
import { isMissing, withProviderErrors, nullIfMissing } from './stripe-errors.ts'
import { LEVEL_PRODUCT_PREFIX } from './stripe-mapping.ts'

/** Stripe's maximum length of a coupon name. */
const COUPON_NAME_MAX = 40

interface StripeCatalog extends Pick<
  PaymentGateway,
  'ensurePrice' | 'renameLevel' | 'createCoupon' | 'deactivateCoupon'
> {
  /** Returns the id of a level's product; creates the product if it is missing. Throws Stripe's own errors. */
  ensureProduct(level: Pick<PricedLevel, 'key' | 'name'>): Promise<string>
}

/** The catalog at Stripe: a product per level, its prices, and coupons. */
export function createStripeCatalog(stripe: Stripe): StripeCatalog {
  async function ensureProduct({ key, name }: Pick<PricedLevel, 'key' | 'name'>): Promise<string> {
    const id = `${LEVEL_PRODUCT_PREFIX}${key}`
    try {
      return (await stripe.products.retrieve(id)).id
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    try {
      return (await stripe.products.create({ id, name, metadata: { level_key: key } })).id
    } catch (error) {
      if (isAlreadyThere(error)) return id
      throw error
    }
  }

  async function findPrice(lookupKey: string): Promise<string | null> {
    const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 })
    return data[0]?.id ?? null
  }

  async function ensurePrice(level: PricedLevel): Promise<string> {
    const { key, unitAmount, currency, interval, intervalCount } = level
    const months = termMonths(level)
    const lookupKey = [key, unitAmount, currency, interval ?? 'once', intervalCount ?? 1].join(':')
    const known = await findPrice(lookupKey)
    if (known) return known
    const product = await ensureProduct(level)
    try {
      const price = await stripe.prices.create({
        product,
        unit_amount: unitAmount,
        currency,
        lookup_key: lookupKey,
        metadata: { level_key: key },
        ...(months !== null && { recurring: billingPeriod(months) }),
      })
      return price.id
    } catch (error) {
      // Another instance may have created the price concurrently; then the lookup key is taken.
      const made = await findPrice(lookupKey)
      if (made) return made
      throw error
    }
  }

  return {
    ensureProduct,
    ensurePrice: (level) => withProviderErrors(ensurePrice(level)),
    createCoupon: (coupon) => withProviderErrors(createCoupon(coupon)),

    async renameLevel(levelKey, name) {
      await nullIfMissing(stripe.products.update(`${LEVEL_PRODUCT_PREFIX}${levelKey}`, { name }))
    },

    async deactivateCoupon(promotionId) {
      await nullIfMissing(stripe.promotionCodes.update(promotionId, { active: false }))
    },
  }

  async function createCoupon({
    couponId,
    code,
    off,
    levels,
    validUntil,
    mostUses,
  }: NewPromotionCode): Promise<string> {
    const products: string[] = []
    for (const level of levels) products.push(await ensureProduct(level))
    const coupon = await stripe.coupons
      .create({
        id: couponId,
        name: code.slice(0, COUPON_NAME_MAX),
        duration: 'once',
        ...('percent' in off ? { percent_off: off.percent } : { amount_off: off.amount, currency: off.currency }),
        applies_to: { products },
        metadata: { coupon_id: couponId },
      })
      .then(
        ({ id }) => id,
        (error: unknown) => {
          if (isAlreadyThere(error)) return couponId
          throw error
        },
      )
    // On a retry after a lost response, the code already exists.
    const { data } = await stripe.promotionCodes.list({ coupon, limit: 1 })
    if (data[0]) return data[0].id
    const made = await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon },
      code,
      metadata: { coupon_id: couponId },
      ...(validUntil !== null && { expires_at: Math.floor(validUntil / 1_000) }),
      ...(mostUses !== null && { max_redemptions: mostUses }),
    })
    return made.id
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists'
}

/** The provider's own units: whole years as years, other terms as months. */
function billingPeriod(months: number): { interval: 'year' | 'month'; interval_count: number } {
  return months % 12 === 0
    ? { interval: 'year', interval_count: months / 12 }
    : { interval: 'month', interval_count: months }
}
