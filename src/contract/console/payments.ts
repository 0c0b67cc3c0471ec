import * as z from 'zod/mini'
import { reasonField } from './console-member.ts'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The treasurer's month: dues, sponsorships and seats at events received, with what went back, and what went to the bank. */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const monthQuery = z.object({ month: z.string().check(z.regex(MONTH, messages.text.unreadable)) })

export const monthPayment = z.object({
  id: z.string(),
  /** `complimentary`: a term that an officer gave for nothing. `canceled`: a check or cash whose record was canceled, on that day. */
  kind: z.enum(['dues', 'sponsorship', 'event', 'complimentary', 'canceled']),
  /** Who paid: a member, or a company. */
  name: z.string(),
  email: z.string(),
  /** null for a sponsor, for seats at an event, or an account that is gone. */
  accountId: z.nullable(z.string()),
  /** What for: a level, a tier, or an event. */
  what: z.string(),
  receiptNumber: z.string(),
  paidAt: z.string(),
  amount: z.int(),
  amountRefunded: z.int(),
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  currency: z.string(),
  /** 'Card', or how it came without one. */
  paidBy: z.string(),
  /** Why a complimentary term was given; left out for what was paid. */
  reason: z.optional(z.string()),
  /** The code that was typed, and what it took off; left out without one. */
  coupon: z.optional(z.object({ code: z.string(), amount: z.int() })),
  /** Why or when its record was canceled, or what it replaces; left out elsewhere. */
  note: z.optional(z.string()),
  /** Whether something of it can be refunded from this list: seats by card. Dues are refunded on the page of the member. */
  refundable: z.boolean(),
})
export type MonthPayment = z.infer<typeof monthPayment>

export const listMonthPayments = endpoint({
  name: 'listMonthPayments',
  method: 'GET',
  path: '/api/console/payments',
  access: 'officer',
  permission: 'money.look',
  summary: "What was received in a month of the association's calendar, and terms given for nothing, oldest first",
  query: monthQuery,
  reply: z.object({
    payments: z.array(monthPayment),
    /** Cents: what came, what of it went back, what stayed. */
    received: z.int(),
    returned: z.int(),
    kept: z.int(),
    currency: z.string(),
    /** Whether whoever asks may give the money of an event's seats back here. */
    mayRefund: z.boolean(),
    /** Members whose card failed, as of now. */
    failing: z.int(),
  }),
  failures: [],
})

/** Of a party that paid more than once, all of it. */
export const refundRsvpOrder = endpoint({
  name: 'refundRsvpOrder',
  method: 'POST',
  path: '/api/console/payments/rsvp/:id/refund',
  access: 'officer',
  permission: 'money.change',
  asksAgain: true,
  summary: 'Gives back whole what a party paid for its seats; it keeps them, or is taken off the list',
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
  summary: 'The same as CSV, in cells no spreadsheet runs',
  query: monthQuery,
  media: 'text/csv',
  failures: [],
})

const payout = z.object({
  id: z.string(),
  /** Cents; below zero when the bank account was charged. */
  amount: z.int(),
  currency: z.string(),
  /** The day it is in the bank, `YYYY-MM-DD`. */
  arrivesOn: z.string(),
  state: z.enum(['on-its-way', 'arrived', 'failed']),
})
export type ConsolePayout = z.infer<typeof payout>

const payoutLine = z.object({
  kind: z.enum(['payment', 'refund', 'dispute', 'other']),
  at: z.string(),
  /** Who paid, and for what; what the provider says where the site knows of no such payment. */
  name: z.string(),
  what: z.string(),
  receiptNumber: z.string(),
  accountId: z.nullable(z.string()),
  /** Cents: `amount` less `fee` is `net`. */
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
  summary: 'What the card provider sent to the bank, by the month in which it arrives, oldest first',
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
  summary: 'What a payout is made of',
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
  summary: "Every line of a month's payouts as CSV, to be laid beside the bank statement",
  query: monthQuery,
  media: 'text/csv',
  failures: ['PROVIDER_AWAY'],
})
