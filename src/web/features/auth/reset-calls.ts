import { forgotPassword, resetPassword } from '#contract/auth.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { UnsuccessfulReset } from './unsuccessful-reset.ts'

/** Fetched when a form is used: it brings the contract along. @throws {CallFailure | UnsuccessfulReset} */
export async function askForResetLink(body: { email: string; recaptchaToken: string }): Promise<void> {
  requireSuccess(await call(forgotPassword, { body }))
}

/** @throws {CallFailure | UnsuccessfulReset} */
export async function chooseNewPassword(body: { token: string; userId: string; newPassword: string }): Promise<void> {
  requireSuccess(await call(resetPassword, { body }))
}

/** The two calls under /email say in their reply whether they succeeded. */
function requireSuccess({ success, error, message }: ReplyOf<typeof forgotPassword>): void {
  if (!success) throw new UnsuccessfulReset(error ?? message ?? '')
}
