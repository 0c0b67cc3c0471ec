import { confirmEmail } from '#contract/account-email.ts'
import { call } from '#web/api/call.ts'

/** Fetched when the button is used: it brings the contract along. Returns the address that counts from now on. @throws {CallFailure} */
export async function confirmNewEmail(token: string): Promise<string> {
  return (await call(confirmEmail, { body: { token } })).email
}
