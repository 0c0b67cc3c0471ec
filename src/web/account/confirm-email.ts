import { confirmEmail, stopEmailChange } from '#contract/public/account-email.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. Returns the account's new address. @throws {CallFailure} */
export function confirmNewEmail(token: string): Promise<ReplyOf<typeof confirmEmail>> {
  return call(confirmEmail, { body: { token } })
}

/** Cancels an email change that an officer requested. @throws {CallFailure} */
export async function cancelEmailChange(token: string): Promise<void> {
  await call(stopEmailChange, { body: { token } })
}
