import { getProfile } from '#contract/public/account.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

export type Account = ReplyOf<typeof getProfile>

/** Profile and membership of the logged-in member. @throws {CallFailure} */
export function getAccount(): Promise<Account> {
  return callAsMember(getProfile)
}
