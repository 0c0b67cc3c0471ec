import {
  getEmailWording,
  listEmailWordings,
  previewEmailWording,
  restoreEmailWording,
  saveEmailWording,
  testEmailWording,
} from '#contract/console/emails/email-wordings.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { EmailWordings } from './email-wordings.service.ts'

export function emailWordingRoutes(server: Server, wordings: EmailWordings): void {
  server.serve(listEmailWordings, async () => ({ emails: await wordings.list() }))
  server.serve(getEmailWording, async ({ params }) => wordings.read(params.id))
  server.serve(saveEmailWording, async ({ officer, params, body }) =>
    wordings.save(requireOfficer(officer), params.id, body),
  )
  server.serve(restoreEmailWording, async ({ officer, params, body }) =>
    wordings.restore(requireOfficer(officer), params.id, body),
  )
  server.serve(previewEmailWording, async ({ params, body }) => {
    const { subject, html, text } = await wordings.render(params.id, body)
    return { subject, html, text }
  })
  server.serve(testEmailWording, async ({ officer, params, body }) => ({
    email: await wordings.sendTest(requireOfficer(officer), params.id, body),
  }))
}
