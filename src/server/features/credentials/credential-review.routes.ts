import {
  askAboutCredential,
  confirmCredential,
  decideCredential,
  listPendingCredentials,
  readRegistryRecord,
  revokeCredential,
  type CredentialDeskLists,
} from '#contract/console/credentials.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { CredentialReviewService } from './credential-review.service.ts'

/** Each action returns the updated lists. */
export function credentialReviewRoutes(server: Server, desk: CredentialReviewService): void {
  async function after(act: Promise<void>): Promise<CredentialDeskLists> {
    await act
    return desk.lists()
  }

  server.serve(listPendingCredentials, () => desk.lists())
  server.serve(readRegistryRecord, ({ params }) => desk.lookUp(params.id))
  server.serve(decideCredential, ({ officer, params, body }) =>
    after(desk.decide(requireOfficer(officer), params.id, body)),
  )
  server.serve(askAboutCredential, ({ officer, params, body }) =>
    after(desk.ask(requireOfficer(officer), params.id, body.question)),
  )
  server.serve(confirmCredential, ({ officer, params, body }) =>
    after(desk.confirm(requireOfficer(officer), params.id, body)),
  )
  server.serve(revokeCredential, ({ officer, params, body }) =>
    after(desk.revoke(requireOfficer(officer), params.id, body)),
  )
}
