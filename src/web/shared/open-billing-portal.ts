import { openPortal } from '#contract/public/billing.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { callAsMember } from '#web/session/call-as-member.ts'

/**
 * Opens the billing portal; with a level, on its page for changing to that level. Resolves if the visitor returns with
 * the Back button.
 * @throws errors for `portalErrorMessage`
 */
export async function openBillingPortal(levelKey?: string): Promise<void> {
  const { url } = await callAsMember(openPortal, { body: levelKey === undefined ? {} : { levelKey } })
  await redirectTo(url)
}
