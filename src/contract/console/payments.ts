import * as z from 'zod/mini'
import { reasonField } from './member.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** The treasurer's month: dues, sponsorships and event seats, with refunds and payouts. */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const monthQuery = z.object({ month: z.string().check(z.regex(MONTH, messages.text.unreadable)) })

export const monthPayment = z.object({
  id: z.string(),
  /** `complimentary`: a free term granted by an officer. `canceled`: a check or cash payment whose record was canceled that day. */
  kind: z.enum(['dues', 'sponsorship', 'event', 'complimentary', 'canceled']),
  /** The payer: a member or a company. */
  name: z.string(),
  email: z.string(),
  /** null for a sponsor, for event seats, or for a deleted account. */
  accountId: z.nullable(z.string()),
  /** The purpose: a level, a tier or an event. */
  what: z.string(),
  receiptNumber: z.string(),
  paidAt: z.string(),
  amount: z.int(),
  amountRefunded: z.int(),
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  currency: z.string(),
  /** 'Card', or another payment method. */
  paidBy: z.string(),
  /** Why a complimentary term was granted; omitted for payments. */
  reason: z.optional(z.string()),
  /** The coupon code and its discount; omitted if there is none. */
  coupon: z.optional(z.object({ code: z.string(), amount: z.int() })),
  /** Why or when its record was canceled, or what it replaces; omitted otherwise. */
  note: z.optional(z.string()),
  /** Whether it can be refunded from this list, which is only possible for seats. Dues are refunded on the member's page. */
  refundable: z.boolean(),
})
export type MonthPayment = z.infer<typeof monthPayment>

export const listMonthPayments = endpoint({
  name: 'listMonthPayments',
  method: 'GET',
  path: '/api/console/payments',
  access: 'officer',
  permission: 'money.look',
  summary: "List payments and complimentary terms of a month of the association's calendar, oldest first",
  query: monthQuery,
  reply: z.object({
    payments: z.array(monthPayment),
    /** Cents: received, refunded, and the difference. */
    received: z.int(),
    returned: z.int(),
    kept: z.int(),
    currency: z.string(),
    /** Whether the caller may refund event seats here. */
    mayRefund: z.boolean(),
    /** Members whose card currently fails. */
    failing: z.int(),
  }),
  failures: [],
})

/** If a party paid more than once, refunds all of it. */
export const refundRsvpOrder = endpoint({
  name: 'refundRsvpOrder',
  method: 'POST',
  path: '/api/console/payments/rsvp/:id/refund',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Refund all that a party paid for its seats; it keeps the seats or loses them',
  params: z.object({ id: lineField(messages.text.unreadable, 64) }),
  body: z.object({ reason: reasonField, keepsSeats: z.boolean() }),
  reply: z.object({ amount: z.int() }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'OWN_ACCOUNT'],
})

export const exportMonthPayments = fileEndpoint({
  name: 'exportMonthPayments',
  method: 'GET',
  path: '/api/console/payments/export',
  access: 'officer',
  permission: 'money.look',
  summary: 'Export the payments of a month as CSV, protected against formulas',
  query: monthQuery,
  media: 'text/csv',
  failures: [],
})

const payout = z.object({
  id: z.string(),
  /** Cents; negative if the bank account was charged. */
  amount: z.int(),
  currency: z.string(),
  /** The day it arrives at the bank, `YYYY-MM-DD`. */
  arrivesOn: z.string(),
  state: z.enum(['on-its-way', 'arrived', 'failed']),
})
export type ConsolePayout = z.infer<typeof payout>

const payoutLine = z.object({
  kind: z.enum(['payment', 'refund', 'dispute', 'other']),
  at: z.string(),
  /** The payer and the purpose; the provider's description if the site does not know the payment. */
  name: z.string(),
  what: z.string(),
  receiptNumber: z.string(),
  accountId: z.nullable(z.string()),
  /** Cents: `net` is `amount` minus `fee`. */
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
})
export type PayoutLineView = z.infer<typeof payoutLine>

export const listPayouts = endpoint({
  name: 'listPayouts',
  method: 'GET',
  path: '/api/console/payouts',
  access: 'officer',
  permission: 'money.look',
  summary: 'List payouts by the month of their arrival, oldest first',
  query: monthQuery,
  reply: z.object({ payouts: z.array(payout) }),
  failures: ['PROVIDER_AWAY'],
})

export const getPayout = endpoint({
  name: 'getPayout',
  method: 'GET',
  path: '/api/console/payouts/:id',
  access: 'officer',
  permission: 'money.look',
  summary: 'Get a payout and its lines',
  params: z.object({ id: z.string().check(z.regex(/^po_[A-Za-z0-9]{1,60}$/, messages.text.unreadable)) }),
  reply: z.object({ payout, lines: z.array(payoutLine), fees: z.int() }),
  failures: ['NOT_FOUND', 'PROVIDER_AWAY'],
})

export const exportPayouts = fileEndpoint({
  name: 'exportPayouts',
  method: 'GET',
  path: '/api/console/payouts/export',
  access: 'officer',
  permission: 'money.look',
  summary: "Export every line of a month's payouts as CSV, for comparison with the bank statement",
  query: monthQuery,
  media: 'text/csv',
  failures: ['PROVIDER_AWAY'],
})
