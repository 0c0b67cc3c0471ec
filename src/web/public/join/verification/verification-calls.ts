import { resendVerification, verifyEmail } from '#contract/public/auth.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/** Proof that an address is the visitor's own: the link's token, or the address with the code from the email. */
export type Proof = { token: string } | { email: string; code: string }
export type VerifyEmailReply = ReplyOf<typeof verifyEmail>

/** Loaded on demand because it imports the contract. @throws {CallFailure} */
export function verifyProof(proof: Proof, password?: string): Promise<VerifyEmailReply> {
  return call(verifyEmail, { body: password === undefined ? proof : { ...proof, password } })
}

/** @throws {CallFailure} */
export async function resendVerificationEmail(body: { email: string; recaptchaToken: string }): Promise<void> {
  await call(resendVerification, { body })
}

/** Members who are logged in need neither address nor bot check. @throws {CallFailure} */
export async function resendVerificationEmailToMember(): Promise<void> {
  await callAsMember(resendVerification, { body: {} })
}
