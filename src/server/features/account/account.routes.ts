import { getProfile } from '#contract/account.ts'
import type { Server } from '../../http/serve.ts'
import { Problem } from '../../platform/problem.ts'
import type { AccountService } from './account.service.ts'

export function accountRoutes(server: Server, accounts: AccountService): void {
  server.serve(getProfile, async ({ caller }) => {
    if (!caller) throw new Problem('AUTHENTICATION_REQUIRED')
    return accounts.profile(caller.accountId)
  })
}
