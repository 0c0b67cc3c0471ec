import { getProfile } from '#contract/account.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

export type Account = ReplyOf<typeof getProfile>

/** Profile and membership of whoever is logged in. @throws {CallFailure} */
export function getAccount(): Promise<Account> {
  return callAsMember(getProfile)
}
