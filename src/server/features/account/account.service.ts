import type { ReplyOf } from '#contract/endpoint.ts'
import type { getProfile } from '#contract/account.ts'
import type { Subscription } from '#contract/account.ts'
import type { Db } from '#server/db/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { findAccount, toUser } from './account.repository.ts'

export interface AccountService {
  profile(accountId: string): Promise<ReplyOf<typeof getProfile>>
}

export function createAccountService({
  db,
  subscriptionOf,
}: {
  db: Db
  subscriptionOf(accountId: string): Promise<Subscription | null>
}): AccountService {
  return {
    async profile(accountId) {
      const account = await findAccount(db, accountId)
      if (!account) throw new Problem('SESSION_EXPIRED')
      return {
        profile: { ...toUser(account), createdAt: new Date(account.createdAt).toISOString() },
        subscription: await subscriptionOf(accountId),
      }
    },
  }
}
