import * as z from 'zod/mini'
import { dayField } from './member.ts'
import { endpoint } from '../endpoint.ts'
import { lineField, optionalLineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Coupons are created once at the card provider and never changed, only ended. */

export const couponLimits = { codeMin: 3, codeMax: 30, usesMax: 100_000, noteMax: 200, validDaysMax: 1_825 } as const

export const COUPON_STATES = ['waiting', 'active', 'used-up', 'expired', 'ended', 'refused'] as const
export type CouponState = (typeof COUPON_STATES)[number]

const coupon = z.object({
  id: z.string(),
  code: z.string(),
  /** '20% off'. */
  off: z.string(),
  levels: z.array(z.string()),
  /** The last day on which it is valid; null if it has no end. */
  validUntil: z.nullable(z.string()),
  uses: z.int(),
  mostUses: z.nullable(z.int()),
  note: z.nullable(z.string()),
  state: z.enum(COUPON_STATES),
  createdBy: z.string(),
  createdAt: z.string(),
})
export type ConsoleCoupon = z.infer<typeof coupon>

const listOfCoupons = z.object({
  /** Newest first. */
  coupons: z.array(coupon),
  /** Paid levels that are on sale. */
  levels: z.array(z.object({ key: z.string(), name: z.string(), unitAmount: z.int(), currency: z.string() })),
  mayChange: z.boolean(),
})
export type CouponList = z.infer<typeof listOfCoupons>

export const listCoupons = endpoint({
  name: 'listCoupons',
  method: 'GET',
  path: '/api/console/coupons',
  access: 'officer',
  permission: 'money.look',
  summary: 'List all coupons and how often each was used',
  reply: listOfCoupons,
  failures: [],
})

const CODE_SENTENCE = 'Please enter 3 to 30 letters, digits or dashes'

export const addCoupon = endpoint({
  name: 'addCoupon',
  method: 'POST',
  path: '/api/console/coupons',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Create a discount on a first term, for anyone who enters the code on the card provider’s page',
  body: z.object({
    code: z.string(CODE_SENTENCE).check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9-]{3,30}$/, CODE_SENTENCE)),
    kind: z.enum(['percent', 'amount'], 'Please choose percent or an amount'),
    off: lineField('Please enter the discount', 12),
    levels: z
      .array(lineField(messages.text.unreadable, 64), 'Please choose at least one level')
      .check(z.minLength(1, 'Please choose at least one level'), z.maxLength(100, messages.text.unreadable)),
    /** Omit for no end date. */
    validUntil: z.optional(dayField('Please enter the last day')),
    /** Omit for unlimited uses. */
    mostUses: z.optional(
      z
        .int('Please enter a whole number')
        .check(
          z.gte(1, 'Please enter a whole number'),
          z.lte(couponLimits.usesMax, 'Please enter a number up to 100,000'),
        ),
    ),
    note: optionalLineField(couponLimits.noteMax),
  }),
  reply: listOfCoupons,
  failures: [],
})

export const endCoupon = endpoint({
  name: 'endCoupon',
  method: 'POST',
  path: '/api/console/coupons/:id/end',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'End a coupon for good; payments made with it are unchanged',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  body: z.object({}),
  reply: listOfCoupons,
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
})
