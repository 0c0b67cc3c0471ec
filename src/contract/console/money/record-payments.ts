import * as z from 'zod/mini'
import { PAYMENT_KINDS } from './payments.ts'
import { endpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { MANUAL_METHODS } from './hand-payments.ts'

/** Recording payments outside the card provider: one, or a table of them after an event. Each row gets a verdict before anything is written. */

export const recordLimits = { rows: 200, textMax: 120 } as const

const text = z._default(
  z.string(messages.text.unreadable).check(z.trim(), z.maxLength(recordLimits.textMax, messages.text.unreadable)),
  '',
)

/** As typed: the verdict says what is wrong. */
const row = z.object({
  kind: z.enum(PAYMENT_KINDS, messages.text.unreadable),
  /** Dues: the member's email. Seats and sponsorships: where the receipt goes. */
  email: text,
  name: text,
  company: text,
  levelKey: text,
  eventId: text,
  /** Seats besides the payer's. */
  guests: text,
  /** A tier, or 'Custom Amount'. */
  tierName: text,
  method: z._default(z.enum(MANUAL_METHODS, 'Please choose how it was paid'), 'cheque'),
  /** The check number, or an identifier. The same one is recorded once for a payer. */
  reference: text,
  /** Dollars, such as '100' or '$1,250.50'. */
  amount: text,
  paidOn: text,
  /** Why the amount is not the price. */
  note: text,
})
export type PaymentRow = z.output<typeof row>
export type PaymentRowField = keyof PaymentRow

const rows = z
  .array(row)
  .check(
    z.minLength(1, 'There is nothing to record'),
    z.maxLength(recordLimits.rows, 'Please record at most 200 payments at a time'),
  )

const verdict = z.object({
  faults: z.array(z.object({ field: z.string(), message: z.string() })),
  payer: z.string(),
  /** Dues without a level: the one the member has, if any. */
  memberLevel: z.nullable(z.string()),
  /** Cents; null if it could not be read. */
  amount: z.nullable(z.int()),
  price: z.nullable(z.int()),
  sentences: z.array(z.string()),
})
export type PaymentVerdict = z.infer<typeof verdict>

export const checkPayments = endpoint({
  name: 'checkPayments',
  method: 'POST',
  path: '/api/console/payments/check',
  access: 'officer',
  permission: 'money.change',
  summary: 'Check payments outside the card provider before they are recorded: a verdict for each row; changes nothing',
  body: z.object({ rows }),
  reply: z.object({
    verdicts: z.array(verdict),
    /** Cents of the rows without faults. */
    total: z.int(),
    /** For `recordPayments`. */
    version: z.string(),
  }),
  failures: [],
})

export const recordPayments = endpoint({
  name: 'recordPayments',
  method: 'POST',
  path: '/api/console/payments/record',
  access: 'officer',
  permission: 'money.change',
  requiresFreshFactor: true,
  summary: 'Record checked payments together, or none of them; each gets a receipt by email',
  body: z.object({
    rows,
    version: z.string(),
    /** Made by the page: the same request sent twice records once. */
    key: z.string().check(z.regex(/^[\w-]{16,64}$/, messages.text.unreadable)),
  }),
  reply: z.object({
    receipts: z.array(z.object({ kind: z.enum(PAYMENT_KINDS), id: z.string(), receiptNumber: z.string() })),
  }),
  failures: ['CHANGED_MEANWHILE'],
})

export const getPaymentChoices = endpoint({
  name: 'getPaymentChoices',
  method: 'GET',
  path: '/api/console/payment-choices',
  access: 'officer',
  permission: 'money.change',
  summary: 'Get what a payment can be for: levels, events with a price, and tiers',
  reply: z.object({
    levels: z.array(z.object({ key: z.string(), name: z.string(), price: z.int() })),
    events: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        day: z.nullable(z.string()),
        /** null for an event with kinds of tickets, of which each party has its own. */
        price: z.nullable(z.int()),
        memberPrice: z.nullable(z.int()),
      }),
    ),
    tiers: z.array(z.object({ name: z.string(), price: z.int() })),
    today: z.string(),
  }),
  failures: [],
})

export const findPayers = endpoint({
  name: 'findPayers',
  method: 'GET',
  path: '/api/console/payment-choices/payers',
  access: 'officer',
  permission: 'money.change',
  summary: 'Find members by part of a name or email, to record a payment; at most eight',
  query: z.object({
    q: z.string(messages.text.unreadable).check(z.trim(), z.maxLength(recordLimits.textMax, messages.text.unreadable)),
  }),
  reply: z.object({
    payers: z.array(
      z.object({
        accountId: z.string(),
        name: z.string(),
        email: z.string(),
        levelKey: z.nullable(z.string()),
        level: z.nullable(z.string()),
      }),
    ),
  }),
  failures: [],
})
