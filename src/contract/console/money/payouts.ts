import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'

/** Transfers of the card provider to the bank. */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const monthQuery = z.object({ month: z.string().check(z.regex(MONTH, messages.text.unreadable)) })

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
