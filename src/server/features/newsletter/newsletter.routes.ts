import { listCampaigns } from '#contract/campaigns.ts'
import { confirmSubscription, leaveNewsletter, subscribe, unsubscribe } from '#contract/newsletter.ts'
import type { Server } from '#server/http/serve.ts'
import type { ArchiveService } from './archive.service.ts'
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

  server.serve(leaveNewsletter, async ({ body }) => {
    await newsletter.leave(body.token)
    return { success: true, message: 'You have been unsubscribed from the newsletter.' }
  })

  server.serve(confirmSubscription, async ({ body }) => {
    await newsletter.confirm(body.token)
    return { success: true, message: 'You are subscribed to the newsletter.' }
  })
}
