import * as z from 'zod/mini'
import { reasonField } from './console-member.ts'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** The treasurer's month (issue 8, 4): dues, sponsorships and seats at events received, with what went back. */

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const monthQuery = z.object({ month: z.string().check(z.regex(MONTH, messages.text.unreadable)) })

export const monthPayment = z.object({
  id: z.string(),
  kind: z.enum(['dues', 'sponsorship', 'event']),
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
})
export type MonthPayment = z.infer<typeof monthPayment>

export const listMonthPayments = endpoint({
  name: 'listMonthPayments',
  method: 'GET',
  path: '/api/console/payments',
  access: 'officer',
  permission: 'money.look',
  summary: "What was received in a month of the association's calendar, oldest first",
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
  failures: ['NOT_FOUND', 'CHANGED_MEANWHILE'],
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
