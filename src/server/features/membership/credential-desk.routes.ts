import { decideCredential, listWaitingCredentials } from '#contract/console-credentials.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { CredentialDeskService } from './credential-desk.service.ts'

export function credentialDeskRoutes(server: Server, desk: CredentialDeskService): void {
  server.serve(listWaitingCredentials, async () => ({ waiting: await desk.waiting() }))
  server.serve(decideCredential, async ({ officer, params, body }) => {
    await desk.decide(requireOfficer(officer), params.id, body)
    return { waiting: await desk.waiting() }
  })
}
