import { openPortal } from '#contract/billing.ts'
import { leaveFor } from '#web/api/leave.ts'
import { callAsMember } from '#web/features/auth/call-as-member.ts'

/**
 * Goes to the card provider's pages; with a level, to the one where the membership is changed to it. Kept when the visitor
 * comes back with the Back button. @throws what `explainPortal` puts into words.
 */
export async function openBillingPortal(levelKey?: string): Promise<void> {
  const { url } = await callAsMember(openPortal, { body: levelKey === undefined ? {} : { levelKey } })
  await leaveFor(url)
}
