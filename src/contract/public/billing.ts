import * as z from 'zod/mini'
import { endpoint, fileEndpoint } from './endpoint.ts'
import { lineField } from './fields.ts'
import { messages } from './messages.ts'

/** Stripe's portal for its own customer; for a renewing membership without a subscription, a checkout. */
export const openPortal = endpoint({
  name: 'openPortal',
  method: 'POST',
  path: '/api/billing/portal-session',
  access: 'member',
  summary: 'An address where the caller manages billing',
  body: z.optional(z.object({ levelKey: z.optional(lineField(messages.text.unreadable, 64)) })),
  reply: z.object({ url: z.string() }),
  failures: ['LIFETIME_MEMBERSHIP', 'NO_MEMBERSHIP', 'PLAN_NOT_FOUND', 'PORTAL_FAILED'],
})

const credit = z.object({ amount: z.int(), receiptNumber: z.string() })

/** One payment and each step it took. Instants are ISO 8601, null for what has not happened; amounts in minor units. */
export const memberPayment = z.object({
  receiptNumber: z.string(),
  purpose: z.enum(['start', 'renewal', 'change']),
  levelName: z.string(),
  amount: z.int(),
  currency: z.string(),
  amountRefunded: z.int(),
  /** What the cardholder's bank says about it, null when it asks nothing. */
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
  /** How it came without a card, such as 'Check 1042'; left out where a card was charged. */
  byHand: z.optional(z.string()),
  /** What of it lowered the price of another membership, by that one's receipt; left out without any. */
  credited: z.optional(z.array(credit)),
  /** What lowered its own price, by the receipt it came from; left out without any. */
  credit: z.optional(z.array(credit)),
  /** When its record was canceled; left out while it counts. */
  canceledAt: z.optional(z.string()),
  /** The canceled receipt it replaces, or the one that replaces it; left out without one. */
  replaces: z.optional(z.string()),
  replacedBy: z.optional(z.string()),
  /** When the card was charged, or the money received. */
  chargedAt: z.string(),
  /** When the card provider confirmed it to us. */
  confirmedAt: z.string(),
  /** When the membership it paid for began or went on. */
  activatedAt: z.nullable(z.string()),
  /** When a mail server took the receipt. */
  receiptMailedAt: z.nullable(z.string()),
})
export type MemberPayment = z.infer<typeof memberPayment>

export const listMemberPayments = endpoint({
  name: 'listMemberPayments',
  method: 'GET',
  path: '/api/billing/payments',
  access: 'member',
  inView: 'money.look',
  summary: "The caller's payments, newest first, with each step they took",
  reply: z.object({ payments: z.array(memberPayment) }),
  failures: [],
})

export const downloadReceipt = fileEndpoint({
  name: 'downloadReceipt',
  method: 'GET',
  path: '/api/billing/receipts/:receiptNumber',
  access: 'member',
  inView: 'money.look',
  summary: "The receipt of one of the caller's payments, as a PDF",
  params: z.object({ receiptNumber: lineField(messages.text.unreadable, 64) }),
  media: 'application/pdf',
  failures: ['RECEIPT_NOT_FOUND'],
})

/** What changing to a level costs: today, and at the next charge; `next` is null when there will be none. */
export const levelChange = z.object({
  levelKey: z.string(),
  currency: z.string(),
  /** For what is left of the present membership. */
  credit: z.int(),
  dueToday: z.int(),
  next: z.nullable(z.object({ amount: z.int(), at: z.string() })),
})
export type LevelChange = z.infer<typeof levelChange>

/** Levels whose price cannot be told right now are left out: the card provider's page tells it before paying. */
export const listLevelChanges = endpoint({
  name: 'listLevelChanges',
  method: 'GET',
  path: '/api/billing/level-changes',
  access: 'member',
  inView: 'members.look',
  summary: 'What it costs the caller to change to each level, before anything is paid',
  reply: z.object({ changes: z.array(levelChange) }),
  failures: [],
})

/** Stripe's notices. The raw body is signed; nothing in it is trusted beyond the object's id (docs/product-rules.md#activation). */
export const stripeWebhook = endpoint({
  name: 'stripeWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  access: 'signed',
  summary: "The card provider's signed notices",
  reply: z.object({ received: z.literal(true) }),
  failures: ['WEBHOOK_REFUSED'],
})
