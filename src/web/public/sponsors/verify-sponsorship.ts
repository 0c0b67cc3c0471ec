import { verifyCheckoutSession } from '#contract/membership.ts'
import { call } from '#web/api/call.ts'

/** Fetched when the page asks: it brings the contract along. @throws {CallFailure} */
export async function verifySponsorship(session: { session_id: string; nonce: string }): Promise<boolean> {
  return (await call(verifyCheckoutSession, { query: session })).ready
}
