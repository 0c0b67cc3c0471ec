import { resendVerification, verifyEmail } from '#contract/auth.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'
import { callAsMember } from './call-as-member.ts'

/** What shows that an address is one's own: the link's token, or the address with the code from the letter. */
export type Proof = { token: string } | { email: string; code: string }
export type Verified = ReplyOf<typeof verifyEmail>

/** Fetched when there is something to verify: it brings the contract along. @throws {CallFailure} */
export function verifyProof(proof: Proof, password?: string): Promise<Verified> {
  return call(verifyEmail, { body: password === undefined ? proof : { ...proof, password } })
}

/** @throws {CallFailure} */
export async function resendLetter(body: { email: string; recaptchaToken: string }): Promise<void> {
  await call(resendVerification, { body })
}

/** Somebody who is logged in needs neither address nor bot check. @throws {CallFailure} */
export async function resendLetterToMember(): Promise<void> {
  await callAsMember(resendVerification, { body: {} })
}
