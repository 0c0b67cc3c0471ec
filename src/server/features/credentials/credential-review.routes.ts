import {
  askAboutCredential,
  confirmCredential,
  decideCredential,
  listWaitingCredentials,
  withdrawCredential,
  type DeskLists,
} from '#contract/console-credentials.ts'
import { requireOfficer, type Server } from '#server/http/serve.ts'
import type { CredentialDeskService } from './credential-desk.service.ts'

/** Each act answers the desk as it is afterwards. */
export function credentialDeskRoutes(server: Server, desk: CredentialDeskService): void {
  async function after(act: Promise<void>): Promise<DeskLists> {
    await act
    return desk.lists()
  }

  server.serve(listWaitingCredentials, () => desk.lists())
  server.serve(decideCredential, ({ officer, params, body }) =>
    after(desk.decide(requireOfficer(officer), params.id, body)),
  )
  server.serve(askAboutCredential, ({ officer, params, body }) =>
    after(desk.ask(requireOfficer(officer), params.id, body.question)),
  )
  server.serve(confirmCredential, ({ officer, params, body }) =>
    after(desk.confirm(requireOfficer(officer), params.id, body)),
  )
  server.serve(withdrawCredential, ({ officer, params, body }) =>
    after(desk.withdraw(requireOfficer(officer), params.id, body)),
  )
}
