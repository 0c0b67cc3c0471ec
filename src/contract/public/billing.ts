import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { lineField } from '../fields.ts'
import { messages } from '../messages.ts'

/** Stripe's portal for a customer, or a checkout for a recurring membership without a subscription. */
export const openPortal = endpoint({
  name: 'openPortal',
  method: 'POST',
  path: '/api/billing/portal-session',
  access: 'member',
  summary: 'Get the URL where the caller manages billing',
  body: z.optional(z.object({ levelKey: z.optional(lineField(messages.text.unreadable, 64)) })),
  reply: z.object({ url: z.string() }),
  failures: ['LIFETIME_MEMBERSHIP', 'NO_MEMBERSHIP', 'PLAN_NOT_FOUND', 'PORTAL_FAILED'],
})

const credit = z.object({ amount: z.int(), receiptNumber: z.string() })

/** A payment and its steps. Instants are ISO 8601, null for a step that has not happened; amounts are in minor units. */
export const memberPayment = z.object({
  receiptNumber: z.string(),
  purpose: z.enum(['start', 'renewal', 'change']),
  levelName: z.string(),
  amount: z.int(),
  currency: z.string(),
  amountRefunded: z.int(),
  /** State of a dispute at the cardholder's bank; null if there is none. */
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  /** Payment method other than a card, such as 'Check 1042'; omitted for cards. */
  byHand: z.optional(z.string()),
  /** Parts of it credited to other memberships, by their receipts; omitted if there are none. */
  credited: z.optional(z.array(credit)),
  /** Credits that lowered its price, by the receipts they came from; omitted if there are none. */
  credit: z.optional(z.array(credit)),
  /** When its record was canceled; omitted if it was not. */
  canceledAt: z.optional(z.string()),
  /** The canceled receipt that it replaces, or the receipt that replaces it; omitted if there is none. */
  replaces: z.optional(z.string()),
  replacedBy: z.optional(z.string()),
  /** When the card was charged or the money was received. */
  chargedAt: z.string(),
  /** When the card provider confirmed the payment. */
  confirmedAt: z.string(),
  /** When the membership it paid for started or was extended. */
  activatedAt: z.nullable(z.string()),
  /** When a mail server accepted the receipt. */
  receiptMailedAt: z.nullable(z.string()),
})
export type MemberPayment = z.infer<typeof memberPayment>

export const listMemberPayments = endpoint({
  name: 'listMemberPayments',
  method: 'GET',
  path: '/api/billing/payments',
  access: 'member',
  inView: 'money.look',
  summary: "List the caller's payments with their steps, newest first",
  reply: z.object({ payments: z.array(memberPayment) }),
  failures: [],
})

export const downloadReceipt = fileEndpoint({
  name: 'downloadReceipt',
  method: 'GET',
  path: '/api/billing/receipts/:receiptNumber',
  access: 'member',
  inView: 'money.look',
  summary: 'Download a receipt of the caller as a PDF',
  params: z.object({ receiptNumber: lineField(messages.text.unreadable, 64) }),
  media: 'application/pdf',
  failures: ['RECEIPT_NOT_FOUND'],
})

/** The cost of changing to a level, today and at the next charge; `next` is null if there is none. */
export const levelChange = z.object({
  levelKey: z.string(),
  currency: z.string(),
  /** For the unused part of the current membership. */
  credit: z.int(),
  dueToday: z.int(),
  next: z.nullable(z.object({ amount: z.int(), at: z.string() })),
})
export type LevelChange = z.infer<typeof levelChange>

/** Levels whose price cannot be determined right now are left out; the card provider's page shows it before payment. */
export const listLevelChanges = endpoint({
  name: 'listLevelChanges',
  method: 'GET',
  path: '/api/billing/level-changes',
  access: 'member',
  inView: 'members.look',
  summary: 'Preview the cost of changing to each level, before any payment',
  reply: z.object({ changes: z.array(levelChange) }),
  failures: [],
})

/** Stripe's webhook events. The raw body is signed; only the object's id is used (docs/product-rules.md#activation). */
export const stripeWebhook = endpoint({
  name: 'stripeWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  access: 'signed',
  summary: "Receive the card provider's signed webhook events",
  reply: z.object({ received: z.literal(true) }),
  failures: ['WEBHOOK_REFUSED'],
})

/** Statements of what a member paid in a calendar year: dues, event seats and sponsorships. Amounts are cents. */
export const listStatements = endpoint({
  name: 'listStatements',
  method: 'GET',
  path: '/api/billing/statements',
  access: 'member',
  inView: 'money.look',
  summary: 'List the calendar years in which the caller paid, newest first, with what was paid less refunds',
  reply: z.object({ years: z.array(z.object({ year: z.int(), amount: z.int(), currency: z.string() })) }),
  failures: [],
})

export const downloadStatement = fileEndpoint({
  name: 'downloadStatement',
  method: 'GET',
  path: '/api/billing/statements/:year',
  access: 'member',
  inView: 'money.look',
  summary: "Download the caller's statement of a calendar year as a PDF: dues, event seats and sponsorships",
  params: z.object({
    year: z.coerce.number(messages.text.number).check(z.int(messages.text.number), z.gte(2000), z.lte(2199)),
  }),
  media: 'application/pdf',
  failures: ['NOT_FOUND'],
})
