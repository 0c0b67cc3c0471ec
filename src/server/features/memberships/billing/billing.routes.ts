import {
  downloadReceipt,
  listLevelChanges,
  listMemberPayments,
  openPortal,
  stripeWebhook,
} from '#contract/public/billing.ts'
import { requireCaller, type Server } from '#server/http/serve.ts'
import type { BillingService } from './billing.service.ts'
import type { PaymentsService } from './payments.service.ts'
import type { WebhookService } from '#server/features/payment-sync/webhook.service.ts'

export function billingRoutes(server: Server, billing: BillingService, payments: PaymentsService): void {
  server.serve(openPortal, async ({ body, caller }) => ({
    url: await billing.openPortal(requireCaller(caller).accountId, body?.levelKey),
  }))

  server.serve(listMemberPayments, async ({ caller }) => ({
    payments: await payments.payments(requireCaller(caller).accountId),
  }))

  server.serveFile(downloadReceipt, async ({ caller, params }) => {
    const { filename, pdf } = await payments.receipt(requireCaller(caller).accountId, params.receiptNumber)
    return { filename, content: pdf }
  })

  server.serve(listLevelChanges, async ({ caller }) => ({
    changes: await payments.levelChanges(requireCaller(caller).accountId),
  }))
}

/** For a server that passes the raw body. */
export function webhookRoutes(server: Server, webhooks: WebhookService): void {
  server.serve(stripeWebhook, async ({ rawBody, headers }) => {
    const signature = headers['stripe-signature']
    await webhooks.receive(rawBody, typeof signature === 'string' ? signature : '')
    return { received: true as const }
  })
}
