import { openPortal, stripeWebhook } from '#contract/billing.ts'
import type { Server } from '#server/http/serve.ts'
import { Problem } from '#server/platform/problem.ts'
import type { BillingService } from './billing.service.ts'
import type { WebhookService } from './webhook.service.ts'

export function billingRoutes(server: Server, billing: BillingService): void {
  server.serve(openPortal, async ({ body, caller }) => {
    if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
    return { url: await billing.openPortal(caller.accountId, body?.levelKey) }
  })
}

/** On a server whose bodies arrive as bytes. */
export function webhookRoutes(server: Server, webhooks: WebhookService): void {
  server.serve(stripeWebhook, async ({ rawBody, headers }) => {
    const signature = headers['stripe-signature']
    await webhooks.receive(rawBody, typeof signature === 'string' ? signature : '')
    return { received: true as const }
  })
}
