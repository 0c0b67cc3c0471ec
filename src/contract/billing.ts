import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { messages } from './messages.ts'

/** Stripe's portal for its own customer; for a renewing membership without a subscription, a checkout (interface, "Answers"). */
export const openPortal = endpoint({
  name: 'openPortal',
  method: 'POST',
  path: '/api/billing/portal-session',
  access: 'member',
  summary: 'An address where the caller manages billing',
  body: z.optional(z.object({ levelKey: z.optional(z.string().check(z.maxLength(64, messages.text.unreadable))) })),
  reply: z.object({ url: z.string() }),
  failures: ['LIFETIME_MEMBERSHIP', 'NO_MEMBERSHIP', 'PLAN_NOT_FOUND', 'PORTAL_FAILED'],
})

/** Stripe's notices. The raw body is signed; nothing in it is trusted beyond the object's id (decision C1). */
export const stripeWebhook = endpoint({
  name: 'stripeWebhook',
  method: 'POST',
  path: '/api/stripe/webhook',
  access: 'signed',
  summary: "The card provider's signed notices",
  reply: z.object({ received: z.literal(true) }),
  failures: ['WEBHOOK_REFUSED'],
})
