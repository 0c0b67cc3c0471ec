import { confirmSubscription, subscribe, unsubscribe } from '#contract/newsletter.ts'
import type { Server } from '#server/http/serve.ts'
import type { NewsletterService } from './newsletter.service.ts'

export function newsletterRoutes(server: Server, newsletter: NewsletterService): void {
  server.serve(subscribe, async ({ body: { email, source = '', recaptchaToken } }) => {
    await newsletter.subscribe({ email, source, recaptchaToken })
    return { success: true, message: 'Check your email to confirm!' }
  })

  server.serve(unsubscribe, async ({ body }) => {
    await newsletter.unsubscribe(body.email)
    return { success: true, message: 'You have been unsubscribed from the newsletter.' }
  })

  server.serve(confirmSubscription, async ({ body }) => {
    await newsletter.confirm(body.token)
    return { success: true, message: 'You are subscribed to the newsletter.' }
  })
}
