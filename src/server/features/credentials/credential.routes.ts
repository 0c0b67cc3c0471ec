import { getCredentials, submitCredentials, submitTraining } from '#contract/public/credentials.ts'
import { requireCaller, type Server } from '#server/http/serve.ts'
import type { CredentialService } from './credential.service.ts'

export function credentialRoutes(server: Server, credentials: CredentialService): void {
  server.serve(getCredentials, async ({ caller }) => ({
    credentials: await credentials.find(requireCaller(caller).accountId),
  }))

  server.serve(submitCredentials, async ({ caller, body }) => ({
    credentials: await credentials.submit(requireCaller(caller).accountId, body),
  }))

  server.serve(submitTraining, async ({ caller, body }) => ({
    credentials: await credentials.submitTraining(requireCaller(caller).accountId, body),
  }))
}
