import { sendMessage } from '#contract/public/contact.ts'
import type { Server } from '#server/http/serve.ts'
import type { ContactService } from './contact.service.ts'

export function contactRoutes(server: Server, contact: ContactService): void {
  server.serve(sendMessage, async ({ body, address }) => {
    await contact.receive(body, address)
    return {
      success: true,
      message: "Thank you! Your message has been sent successfully. We'll get back to you soon.",
    }
  })
}
