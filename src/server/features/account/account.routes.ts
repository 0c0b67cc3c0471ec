import { getProfile } from '#contract/account.ts'
import type { Server } from '#server/http/serve.ts'
import { Problem } from '#server/platform/problem.ts'
import type { AccountService } from './account.service.ts'

export function accountRoutes(server: Server, accounts: AccountService): void {
  server.serve(getProfile, async ({ caller }) => {
    if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
    return accounts.profile(caller.accountId)
  })
}
