import { getCredentials, giveCredentials, giveTraining } from '#contract/credentials.ts'
import { requireCaller, type Server } from '#server/http/serve.ts'
import type { CredentialService } from './credential.service.ts'

export function credentialRoutes(server: Server, credentials: CredentialService): void {
  server.serve(getCredentials, async ({ caller }) => ({
    credentials: await credentials.find(requireCaller(caller).accountId),
  }))

  server.serve(giveCredentials, async ({ caller, body }) => ({
    credentials: await credentials.give(requireCaller(caller).accountId, body),
  }))

  server.serve(giveTraining, async ({ caller, body }) => ({
    credentials: await credentials.giveTraining(requireCaller(caller).accountId, body),
  }))
}
