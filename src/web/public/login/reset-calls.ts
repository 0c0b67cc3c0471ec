import { forgotPassword, resetPassword } from '#contract/public/auth.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { ResetError } from './reset-error.ts'

/** Loaded on demand because it imports the contract. @throws {CallFailure | ResetError} */
export async function requestResetLink(body: { email: string; recaptchaToken: string }): Promise<void> {
  requireSuccess(await call(forgotPassword, { body }))
}

/** @throws {CallFailure | ResetError} */
export async function resetPasswordWithToken(body: {
  token: string
  userId: string
  newPassword: string
}): Promise<void> {
  requireSuccess(await call(resetPassword, { body }))
}

/** The two calls under /email report success or failure in a 200 reply. */
function requireSuccess({ success, error, message }: ReplyOf<typeof forgotPassword>): void {
  if (!success) throw new ResetError(error ?? message ?? '')
}
