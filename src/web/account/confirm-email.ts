import { confirmEmail, stopEmailChange } from '#contract/account-email.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'

/** Fetched when the button is used: it brings the contract along. Returns the address that counts from now on. @throws {CallFailure} */
export function confirmNewEmail(token: string): Promise<ReplyOf<typeof confirmEmail>> {
  return call(confirmEmail, { body: { token } })
}

/** Stops a change that officers asked for. @throws {CallFailure} */
export async function stopChange(token: string): Promise<void> {
  await call(stopEmailChange, { body: { token } })
}
