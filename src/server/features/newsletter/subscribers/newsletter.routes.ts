import { listCampaigns } from '#contract/public/campaigns.ts'
import {
  confirmSubscription,
  unsubscribeByLink,
  receiveBounces,
  subscribe,
  unsubscribe,
} from '#contract/public/newsletter.ts'
import type { Server } from '#server/http/serve.ts'
import { Problem } from '#server/lib/problem.ts'
import type { ArchiveService } from '../archive.service.ts'
import type { BouncesService } from './bounces.service.ts'
import type { NewsletterService } from './newsletter.service.ts'

export function newsletterRoutes(
  server: Server,
  newsletter: NewsletterService,
  archive: Pick<ArchiveService, 'read'>,
  contentVersion: () => string,
): void {
  server.serveContent(listCampaigns, contentVersion, async (query) => ({
    success: true as const,
    data: await archive.read(query),
  }))

  server.serve(subscribe, async ({ body: { email, source = '', recaptchaToken } }) => {
    await newsletter.subscribe({ email, source, recaptchaToken })
    return { success: true, message: 'Check your email to confirm!' }
  })

  server.serve(unsubscribe, async ({ body }) => {
    await newsletter.unsubscribe(body.email)
    return { success: true, message: 'You have been unsubscribed from the newsletter.' }
  })

  server.serve(unsubscribeByLink, async ({ body }) => {
    await newsletter.unsubscribeByToken(body.token)
    return { success: true, message: 'You have been unsubscribed from the newsletter.' }
  })

  server.serve(confirmSubscription, async ({ body }) => {
    await newsletter.confirm(body.token)
    return { success: true, message: 'You are subscribed to the newsletter.' }
  })
}

/** Routes that need the raw body. */
export function bounceRoutes(server: Server, bounces: Pick<BouncesService, 'handleWebhook'>): void {
  server.serve(receiveBounces, async ({ rawBody, headers }) => {
    const key = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    const taken = await bounces.handleWebhook(rawBody, { key, contentType: headers['content-type'] ?? '' })
    if (taken === null) throw new Problem('WEBHOOK_REFUSED')
    return { taken }
  })
}
