import { verifyCheckoutSession } from '#contract/public/membership.ts'
import { call } from '#web/api/call.ts'

/** Loaded on demand because it imports the contract. @throws {CallFailure} */
export async function verifySponsorship(session: { session_id: string; nonce: string }): Promise<boolean> {
  return (await call(verifyCheckoutSession, { query: session })).ready
}
