import {
  getCredentials,
  listCredentialKinds,
  submitAnswers,
  submitCredentials,
  submitTraining,
} from '#contract/public/credentials.ts'
import { requireCaller, type Server } from '#server/http/serve.ts'
import type { CredentialService } from './credential.service.ts'

export function credentialRoutes(server: Server, credentials: CredentialService): void {
  server.serve(getCredentials, async ({ caller }) => ({
    credentials: await credentials.find(requireCaller(caller).accountId),
  }))

  server.serve(listCredentialKinds, async () => ({ kinds: credentials.kinds() }))

  server.serve(submitAnswers, async ({ caller, params, body }) => ({
    credentials: await credentials.submit(requireCaller(caller).accountId, params.kind, body.values),
  }))

  server.serve(submitCredentials, async ({ caller, body }) => ({
    credentials: await credentials.submitFirst(requireCaller(caller).accountId, 'licence', body),
  }))

  server.serve(submitTraining, async ({ caller, body }) => ({
    credentials: await credentials.submitFirst(requireCaller(caller).accountId, body.stage, body),
  }))
}
