import * as z from 'zod/mini'
import { dayField, reasonField } from '../member.ts'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { lineField } from '#contract/fields.ts'
import { messages } from '#contract/messages.ts'
import { MANUAL_METHODS } from './hand-payments.ts'

/** All payments in one list: dues, event seats and sponsorships, by card and by hand. Amounts are cents. */

export const PAYMENT_KINDS = ['dues', 'seats', 'sponsorship'] as const
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

export const KIND_NAMES: Record<PaymentKind, string> = { dues: 'Dues', seats: 'Seats', sponsorship: 'Sponsorships' }

/** What a line of the list is. `complimentary`: a free term. `canceled`: the record of a payment by hand was canceled. */
export const LINE_TYPES = ['payment', 'refund', 'dispute', 'canceled', 'complimentary'] as const

export const PAYMENT_STATES = [
  'paid',
  'partly-refunded',
  'refunded',
  'disputed',
  'lost',
  'canceled',
  'complimentary',
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const STATE_NAMES: Record<PaymentState, string> = {
  paid: 'Paid',
  'partly-refunded': 'Partly refunded',
  refunded: 'Refunded',
  disputed: 'Disputed',
  lost: 'Dispute lost',
  canceled: 'Canceled',
  complimentary: 'Complimentary',
}

const PAYMENT_SORTS = ['day', 'name', 'amount'] as const

const paymentLimits = { pageSizes: [25, 50, 100], searchMax: 100, spanYears: 10 } as const

const cents = z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(0), z.lte(100_000_000))

const listQuery = z.object({
  /** First and last day on the association's calendar. */
  from: dayField(messages.text.unreadable),
  to: dayField(messages.text.unreadable),
  kind: z.optional(z.enum(PAYMENT_KINDS, messages.text.unreadable)),
  type: z.optional(z.enum(LINE_TYPES, messages.text.unreadable)),
  method: z.optional(z.enum(['card', ...MANUAL_METHODS], messages.text.unreadable)),
  state: z.optional(z.enum(PAYMENT_STATES, messages.text.unreadable)),
  /** A name, an email, a receipt or a check number. */
  q: z.optional(lineField(messages.text.unreadable, paymentLimits.searchMax)),
  /** Cents, whatever the sign. */
  least: z.optional(cents),
  most: z.optional(cents),
  sort: z._default(z.enum(PAYMENT_SORTS, messages.text.unreadable), 'day'),
  order: z._default(z.enum(['asc', 'desc'], messages.text.unreadable), 'desc'),
})
export type PaymentQuery = z.output<typeof listQuery>

const paymentLine = z.object({
  id: z.string(),
  /** The payment it belongs to. */
  paymentId: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  type: z.enum(LINE_TYPES),
  at: z.string(),
  name: z.string(),
  email: z.string(),
  /** null without an account. */
  accountId: z.nullable(z.string()),
  /** A level, an event or a tier. */
  what: z.string(),
  receiptNumber: z.string(),
  /** 'Card', 'Check 1042', 'Complimentary'. */
  paidBy: z.string(),
  /** Negative for what was returned. */
  amount: z.int(),
  currency: z.string(),
  /** Of the payment, now. */
  state: z.enum(PAYMENT_STATES),
  /** Why: of a complimentary term, or of a canceled record. */
  note: z.nullable(z.string()),
})
export type PaymentLine = z.infer<typeof paymentLine>

const sums = z.object({
  received: z.int(),
  /** Refunds, lost disputes and canceled records; not negative. */
  refunded: z.int(),
  revenue: z.int(),
  payments: z.int(),
  refunds: z.int(),
})
export type PaymentSums = z.infer<typeof sums>

export const listPayments = endpoint({
  name: 'listPayments',
  method: 'GET',
  path: '/api/console/payments',
  access: 'officer',
  permission: 'money.look',
  summary: 'List payments, refunds and complimentary terms of a span of days, a page at a time, with their sums',
  query: z.extend(listQuery, {
    page: z._default(z.coerce.number(messages.text.number).check(z.int(), z.gte(1), z.lte(100_000)), 1),
    size: z._default(z.coerce.number(messages.text.number).check(z.int(), z.gte(1), z.lte(100)), 50),
  }),
  reply: z.object({
    lines: z.array(paymentLine),
    total: z.int(),
    /** Of all lines that match. */
    sums,
    /** Revenue and lines by kind, whatever kind is asked for. */
    kinds: z.array(z.object({ kind: z.enum(PAYMENT_KINDS), revenue: z.int(), lines: z.int() })),
    currency: z.string(),
    /** Members whose card currently fails. */
    failing: z.int(),
    /** Refunds of payments by hand that an officer has to make: someone canceled seats that were paid by check. */
    refundsDue: z.int(),
    mayChange: z.boolean(),
  }),
  failures: [],
})

export const exportPayments = fileEndpoint({
  name: 'exportPayments',
  method: 'GET',
  path: '/api/console/payments/export',
  access: 'officer',
  permission: 'money.look',
  summary: 'Export exactly the lines of the list as CSV, protected against formulas',
  query: listQuery,
  media: 'text/csv',
  failures: [],
})

const paymentParams = z.object({
  kind: z.enum(PAYMENT_KINDS, messages.text.unreadable),
  id: lineField(messages.text.unreadable, 64),
})

const payment = z.object({
  id: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  name: z.string(),
  email: z.string(),
  accountId: z.nullable(z.string()),
  what: z.string(),
  receiptNumber: z.string(),
  paidBy: z.string(),
  isByHand: z.boolean(),
  paidAt: z.string(),
  recordedAt: z.string(),
  amount: z.int(),
  amountRefunded: z.int(),
  currency: z.string(),
  state: z.enum(PAYMENT_STATES),
  canceled: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  replaces: z.nullable(z.string()),
  replacedBy: z.nullable(z.string()),
  /** What changed, oldest first. */
  lines: z.array(z.object({ type: z.enum(LINE_TYPES), at: z.string(), amount: z.int(), paidBy: z.string() })),
  /** Refunds that were requested here, oldest first. */
  refunds: z.array(
    z.object({
      amount: z.int(),
      at: z.string(),
      by: z.string(),
      note: z.nullable(z.string()),
      state: z.enum(['pending', 'made', 'refused']),
    }),
  ),
  /** The most that can be refunded, or 0 and why. A payment by hand is refunded by hand: the refund is only recorded. */
  refund: z.object({
    most: z.int(),
    refusal: z.nullable(z.string()),
    /** Refunds that failed at the bank: they can only be made again. */
    failed: z.int(),
    /** What happens to what was bought, said before: when a part is refunded, and when all of it is. */
    ifPart: z.string(),
    ifAll: z.string(),
    /** Whether the officer decides if the party keeps its seats when all of it is refunded or canceled. */
    asksSeats: z.boolean(),
    /** Whether the officer may end the membership with a refund of a part. */
    mayEnd: z.boolean(),
  }),
  /** Whether the record can be canceled and corrected. */
  mayCorrect: z.boolean(),
  mayChange: z.boolean(),
  /** Changes with anything that a decision may rest on. */
  version: z.string(),
})
export type ConsolePayment = z.infer<typeof payment>

const onePayment = { access: 'officer', params: paymentParams, reply: payment } as const
const changed = { ...onePayment, permission: 'money.change', requiresFreshFactor: true } as const
const reference = lineField('Please enter the check number, or another reference', 80)

export const getPayment = endpoint({
  ...onePayment,
  name: 'getPayment',
  method: 'GET',
  path: '/api/console/payments/:kind/:id',
  permission: 'money.look',
  summary: 'Get a payment with its refunds, and what refunding or canceling it would do',
  failures: ['NOT_FOUND'],
})

export const refundPaymentPart = endpoint({
  ...changed,
  name: 'refundPaymentPart',
  method: 'POST',
  path: '/api/console/payments/:kind/:id/refund',
  summary: 'Refund a payment by card in full or in part, or record the refund of one by hand',
  body: z.object({
    amount: z
      .int(messages.text.number)
      .check(z.gte(1, 'Please enter an amount'), z.lte(100_000_000, messages.text.number)),
    reason: reasonField,
    /** For seats, when all of it is refunded. */
    keepsSeats: z._default(z.boolean(messages.text.unreadable), false),
    /** For dues, when a part is refunded. */
    endsMembership: z._default(z.boolean(messages.text.unreadable), false),
    /** For a payment by hand: how the money went back. */
    method: z.optional(z.enum(MANUAL_METHODS, 'Please choose how it was refunded')),
    reference: z.optional(reference),
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_REFUNDABLE', 'PROVIDER_FAILED', 'OWN_ACCOUNT'],
})

export const cancelPayment = endpoint({
  ...changed,
  name: 'cancelPayment',
  method: 'POST',
  path: '/api/console/payments/:kind/:id/cancel',
  summary: 'Cancel the record of a payment by hand: the receipt keeps its number, and what it paid for is taken back',
  body: z.object({
    reason: reasonField,
    keepsSeats: z._default(z.boolean(messages.text.unreadable), false),
    version: z.string(),
  }),
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE', 'NOT_BY_HAND', 'OWN_ACCOUNT'],
})

export const replacePayment = endpoint({
  ...changed,
  name: 'replacePayment',
  method: 'POST',
  path: '/api/console/payments/:kind/:id/replace',
  summary: 'Cancel the record of a payment by hand and replace it with a corrected one, with a new receipt',
  body: z.object({
    method: z.enum(MANUAL_METHODS, 'Please choose how it was paid'),
    reference,
    amount: z
      .int(messages.text.number)
      .check(z.gte(1, 'Please enter an amount'), z.lte(100_000_000, messages.text.number)),
    paidOn: dayField('Please enter the day it was received'),
    reason: reasonField,
    version: z.string(),
  }),
  failures: [
    'NOT_FOUND',
    'CHANGED_MEANWHILE',
    'NOT_BY_HAND',
    'OWN_ACCOUNT',
    'RENEWS_BY_CARD',
    'ACCOUNT_CLOSED',
    'LIFETIME_MEMBERSHIP',
  ],
})

export const openPaymentReceipt = fileEndpoint({
  name: 'openPaymentReceipt',
  method: 'GET',
  path: '/api/console/payments/:kind/:id/receipt',
  access: 'officer',
  permission: 'money.look',
  summary: 'Get the receipt of a payment as a PDF',
  params: paymentParams,
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})

export const sendPaymentReceipt = endpoint({
  name: 'sendPaymentReceipt',
  method: 'POST',
  path: '/api/console/payments/:kind/:id/receipt',
  access: 'officer',
  permission: 'money.change',
  summary: 'Email the receipt of a payment again',
  params: paymentParams,
  body: z.object({}),
  reply: z.object({ email: z.string() }),
  failures: ['NOT_FOUND'],
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
