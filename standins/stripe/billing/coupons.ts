import type { Stripe } from 'stripe'
import { newId } from '#standins/ids.ts'
import type { Account } from '../account.ts'
import { change } from '../account.ts'
import { endpoint } from '../endpoint.ts'
import { badParameter, invalid, noSuch } from '../errors.ts'
import { CREATED_LIST_PARAMS, isWithin, listPage } from '../lists.ts'
import { toId } from '../objects.ts'
import { flag, integer, listOf, mergeMetadata, metadata, number, objectOf, oneOf, required, text } from '../params.ts'
import { requireProduct } from './products.ts'

const CODE = /^[A-Za-z0-9-]{1,500}$/
const LONGEST_NAME = 40

export const couponEndpoints = [
  endpoint(
    'POST',
    '/v1/coupons',
    {
      amount_off: integer,
      applies_to: objectOf({ products: listOf(text) }),
      currency: text,
      duration: oneOf('forever', 'once', 'repeating'),
      duration_in_months: integer,
      expand: listOf(text),
      id: text,
      max_redemptions: integer,
      metadata,
      name: text,
      percent_off: number,
      redeem_by: integer,
    },
    (account, values) => {
      const { amount_off: amount, percent_off: percent, currency } = values
      if ((amount === undefined) === (percent === undefined)) {
        throw badParameter('You must pass either `percent_off` or `amount_off`, and not both.', 'percent_off')
      }
      if (percent !== undefined && (percent <= 0 || percent > 100)) {
        throw badParameter('Invalid percent_off: must be greater than 0 and at most 100.', 'percent_off')
      }
      if (amount !== undefined && (amount <= 0 || !currency)) {
        throw badParameter('You must pass `currency` with a positive `amount_off`.', 'currency')
      }
      if ((values.name?.length ?? 0) > LONGEST_NAME) {
        throw badParameter('Invalid string: must be at most 40 characters', 'name')
      }
      refusePast(account, values.redeem_by, 'redeem_by')
      const id = values.id || newId('', 8)
      if (account.coupons.get(id)) {
        throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
      }
      const products = values.applies_to?.products ?? null
      for (const product of products ?? []) requireProduct(account, product, 'applies_to[products]')
      account.couponScopes.put({ id, products })
      const coupon = account.coupons.put({
        id,
        object: 'coupon',
        amount_off: amount ?? null,
        created: account.seconds(),
        currency: amount === undefined ? null : currency!.toLowerCase(),
        duration: values.duration ?? 'once',
        duration_in_months: values.duration_in_months ?? null,
        livemode: false,
        max_redemptions: values.max_redemptions ?? null,
        metadata: mergeMetadata({}, values.metadata),
        name: values.name || null,
        percent_off: percent ?? null,
        redeem_by: values.redeem_by ?? null,
        times_redeemed: 0,
        valid: true,
      })
      account.emit('coupon.created', coupon)
      return coupon
    },
  ),

  endpoint('GET', '/v1/coupons/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requireCoupon(account, id),
  ),

  endpoint('GET', '/v1/coupons', CREATED_LIST_PARAMS, (account, { created, ...paging }) =>
    listPage({
      collection: account.coupons,
      what: 'coupon',
      url: '/v1/coupons',
      paging,
      where: (coupon) => isWithin(coupon.created, created),
    }),
  ),

  endpoint(
    'POST',
    '/v1/promotion_codes',
    {
      active: flag,
      code: text,
      expand: listOf(text),
      expires_at: integer,
      max_redemptions: integer,
      metadata,
      promotion: required(objectOf({ coupon: text, type: required(oneOf('coupon')) })),
    },
    (account, values) => {
      const coupon = requireCoupon(account, values.promotion.coupon ?? '', 'promotion[coupon]')
      const code = values.code || newId('', 8).toUpperCase()
      if (!CODE.test(code)) throw badParameter('Invalid code: it may hold letters, digits and dashes.', 'code')
      refusePast(account, values.expires_at, 'expires_at')
      if (account.promotionCodes.by('code', code.toLowerCase()).some((known) => isActive(account, known))) {
        throw invalid(`An active promotion code with \`code: ${code}\` already exists.`, { param: 'code' })
      }
      const made = account.promotionCodes.put({
        id: newId('promo_1'),
        object: 'promotion_code',
        active: values.active ?? true,
        code,
        created: account.seconds(),
        customer: null,
        customer_account: null,
        expires_at: values.expires_at ?? null,
        livemode: false,
        max_redemptions: values.max_redemptions ?? null,
        metadata: mergeMetadata({}, values.metadata),
        promotion: { coupon: coupon.id, type: 'coupon' },
        restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
        times_redeemed: 0,
      })
      account.emit('promotion_code.created', made)
      return made
    },
  ),

  endpoint('GET', '/v1/promotion_codes/:id', { expand: listOf(text) }, (account, _values, { id }) =>
    requirePromotionCode(account, id),
  ),

  endpoint(
    'POST',
    '/v1/promotion_codes/:id',
    { active: flag, expand: listOf(text), metadata },
    (account, values, { id }) => {
      const code = requirePromotionCode(account, id)
      return change(account, {
        collection: account.promotionCodes,
        item: code,
        fields: {
          ...(values.active === undefined ? {} : { active: values.active }),
          metadata: mergeMetadata(code.metadata ?? {}, values.metadata),
        },
        type: 'promotion_code.updated',
      })
    },
  ),

  endpoint(
    'GET',
    '/v1/promotion_codes',
    { ...CREATED_LIST_PARAMS, active: flag, code: text, coupon: text },
    (account, { active, code, coupon, created, ...paging }) =>
      listPage({
        collection: account.promotionCodes,
        what: 'promotion_code',
        url: '/v1/promotion_codes',
        paging,
        by: [{ index: 'code', value: code?.toLowerCase() }],
        where: (found) =>
          (active === undefined || isActive(account, found) === active) &&
          (coupon === undefined || toId(found.promotion.coupon) === coupon) &&
          isWithin(found.created, created),
      }),
  ),
]

/** The discount of a code on a session, and the objects it comes from. */
export type AppliedDiscount = { coupon: string; promotionCode: string; amount: number }

export type CodeVerdict =
  | { verdict: 'applies'; discount: AppliedDiscount; lines: Stripe.LineItem[] }
  | { verdict: 'refused'; message: string }

const SMALLEST_PAYMENT = 50

/** Applies a code entered on the page to the lines of its session. */
export function applyCode(account: Account, lines: Stripe.LineItem[], typed: string): CodeVerdict {
  const code = account.promotionCodes
    .by('code', typed.trim().toLowerCase())
    .find((known) => known.active && !isUsedUp(known))
  const coupon = code && account.coupons.get(toId(code.promotion.coupon) ?? '')
  if (!code || !coupon || isUsedUp(coupon)) return { verdict: 'refused', message: 'This code is invalid.' }
  const now = account.seconds()
  if (isOver(code.expires_at, now) || isOver(coupon.redeem_by, now)) {
    return { verdict: 'refused', message: 'This code has expired.' }
  }
  const products = account.couponScopes.get(coupon.id)?.products ?? null
  const isFor = ({ price }: Stripe.LineItem) => products === null || products.includes(toId(price?.product) ?? '')
  const fits = coupon.currency === null || lines.every(({ currency }) => currency === coupon.currency)
  if (!lines.some(isFor) || !fits) return { verdict: 'refused', message: 'This code can’t be used for this.' }
  let left = coupon.amount_off ?? Infinity
  const discounted = lines.map((line) => {
    const share = coupon.percent_off === null ? left : Math.round((line.amount_subtotal * coupon.percent_off) / 100)
    const off = isFor(line) ? Math.min(line.amount_subtotal, share) : 0
    left -= off
    return { ...line, amount_discount: off, amount_total: line.amount_subtotal - off }
  })
  const total = discounted.reduce((sum, { amount_total: amount }) => sum + amount, 0)
  if (total > 0 && total < SMALLEST_PAYMENT) return { verdict: 'refused', message: 'This code can’t be used for this.' }
  const amount = discounted.reduce((sum, { amount_discount: off }) => sum + off, 0)
  return { verdict: 'applies', discount: { coupon: coupon.id, promotionCode: code.id, amount }, lines: discounted }
}

/** Counts a redemption, after the payment. */
export function redeem(account: Account, { coupon: couponId, promotionCode }: AppliedDiscount): void {
  const coupon = requireCoupon(account, couponId)
  const used = { ...coupon, times_redeemed: coupon.times_redeemed + 1 }
  account.coupons.put({ ...used, valid: coupon.valid && !isUsedUp(used) })
  const code = requirePromotionCode(account, promotionCode)
  const counted = { ...code, times_redeemed: code.times_redeemed + 1 }
  account.promotionCodes.put({ ...counted, active: code.active && !isUsedUp(counted) })
}

/** The discount of an invoice, as `expand` shows it. */
export function newDiscount(
  account: Account,
  { coupon, promotionCode }: AppliedDiscount,
  of: { customer: string; invoice: string; subscription: string | null },
): Stripe.Discount {
  return account.discounts.put({
    id: newId('di_1'),
    object: 'discount',
    checkout_session: null,
    customer: of.customer,
    customer_account: null,
    end: null,
    invoice: of.invoice,
    invoice_item: null,
    promotion_code: promotionCode,
    source: { coupon, type: 'coupon' },
    start: account.seconds(),
    subscription: of.subscription,
    subscription_item: null,
  })
}

function requireCoupon(account: Account, id: string, param = 'id'): Stripe.Coupon {
  const coupon = account.coupons.get(id)
  if (!coupon) throw noSuch('coupon', id, param)
  return coupon
}

function requirePromotionCode(account: Account, id: string): Stripe.PromotionCode {
  const code = account.promotionCodes.get(id)
  if (!code) throw noSuch('promotion code', id, 'id')
  return code
}

function isActive(account: Account, code: Stripe.PromotionCode): boolean {
  return code.active && !isUsedUp(code) && !isOver(code.expires_at, account.seconds())
}

function isUsedUp({
  max_redemptions: max,
  times_redeemed: times,
}: {
  max_redemptions: number | null
  times_redeemed: number
}) {
  return max !== null && times >= max
}

function isOver(at: number | null, now: number): boolean {
  return at !== null && at <= now
}

function refusePast(account: Account, at: number | undefined, param: string): void {
  if (at !== undefined && at <= account.seconds()) throw badParameter(`\`${param}\` must be in the future.`, param)
}
