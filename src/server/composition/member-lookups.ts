import type { AppContext } from '#server/app-context.ts'
import type { Db } from '#server/db/database.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { findCurrentMembership } from '#server/features/memberships/membership.queries.ts'
import { hasRights } from '#server/features/memberships/membership.rules.ts'
import { findSubscriptionView } from '#server/features/memberships/subscription-view.service.ts'

/** What several services ask about an account, without depending on each other. */
export function createMemberLookups({ db, clock, graceMs }: AppContext) {
  const subscriptionOf = (accountId: string) =>
    findSubscriptionView(db, accountId, { now: clock.now(), graceMs: graceMs() })
  /** The confirmed address of an account; null if there is no such account. */
  const accountEmail = async (accountId: string) => (await findAccount(db, accountId))?.email ?? null
  /** The same for an account with an active membership. */
  async function memberEmail(accountId: string): Promise<string | null> {
    const subscription = await subscriptionOf(accountId)
    return subscription && hasRights(subscription.status) ? accountEmail(accountId) : null
  }

  /** Whether an address belongs to an account with an active membership. */
  async function isMember(email: string): Promise<boolean> {
    const account = await findAccountByEmail(db, email)
    return account !== null && (await memberEmail(account.id)) !== null
  }

  /** The level of the current or last membership; null without one. */
  async function levelOf(handle: Db, accountId: string): Promise<string | null> {
    return (await findCurrentMembership(handle, accountId))?.levelKey ?? null
  }

  return { subscriptionOf, accountEmail, memberEmail, isMember, levelOf }
}
