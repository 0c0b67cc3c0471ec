import {
  addPasskey,
  getPasskeyChallenge,
  beginFirstPasskey,
  beginPasskey,
  confirmFirstPasskey,
  listFactors,
  verifyPasskey,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
} from '#contract/public/passkeys.ts'
import { requireCaller, requireOfficer, type Server } from '#server/http/serve.ts'
import type { SecondFactors } from './factors.service.ts'
import type { PasskeyService } from './passkey.service.ts'
import type { SecondFactorService } from './second-factor.service.ts'

export function passkeyRoutes(
  server: Server,
  {
    factors,
    passkeys,
    secondFactors,
  }: { factors: SecondFactors; passkeys: PasskeyService; secondFactors: SecondFactorService },
): void {
  server.serve(beginFirstPasskey, async ({ caller, body }) => passkeys.beginFirst(requireCaller(caller), body.password))
  server.serve(confirmFirstPasskey, async ({ caller, body }) => ({
    recoveryCodes: await passkeys.confirmFirst(requireCaller(caller), body),
  }))
  server.serve(getPasskeyChallenge, async ({ caller }) => passkeys.requestAssertion(requireCaller(caller)))
  server.serve(verifyPasskey, async ({ caller, body }) => passkeys.prove(requireCaller(caller), body.credential))

  server.serve(listFactors, async ({ officer }) => factors.list(requireOfficer(officer).accountId))
  server.serve(beginPasskey, async ({ caller }) => passkeys.begin(requireCaller(caller)))
  server.serve(addPasskey, async ({ caller, body }) => passkeys.add(requireCaller(caller), body))
  server.serve(renamePasskey, async ({ officer, params, body }) =>
    passkeys.rename(requireOfficer(officer).accountId, params.id, body.name),
  )
  server.serve(removePasskey, async ({ caller, params }) => passkeys.remove(requireCaller(caller), params.id))
  server.serve(removeAuthenticator, async ({ caller }) => secondFactors.removeApp(requireCaller(caller)))
}
