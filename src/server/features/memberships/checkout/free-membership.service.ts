import type { AppContext } from '#server/app-context.ts'
import type { Account } from '#server/features/accounts/account.queries.ts'
import type { Level } from '#server/features/levels/level.queries.ts'
import { canRenewFree } from '../membership-price.rules.ts'
import { findCurrentMembership } from '../membership.queries.ts'
import { hasRights, membershipStatus } from '../membership.rules.ts'
import { addTerm, lockBuyerAccount, startTerm } from './buyer-membership.commands.ts'

export function createFreeMemberships({ db, clock, graceMs, wakeOutbox }: AppContext) {
  return {
    /**
     * Starts or renews a free membership; an active one is renewed in its last weeks, starting at its end. `as` is the caller's proof. For a registration,
     * whose account must be new, returns null when the membership is already active (docs/product-rules.md#proof-before-a-session); for a member who has
     * the level, returns the account.
     */
    async start(personId: string, level: Level, as: 'registration' | 'member'): Promise<Account | null> {
      const now = clock.now()
      const account = await db.transaction().execute(async (tx) => {
        const found = await lockBuyerAccount(tx, personId, now)
        if (!found || found.deactivatedBy !== null) return null
        const current = await findCurrentMembership(tx, found.id)
        const hasRightsNow = current !== null && hasRights(membershipStatus(current, now, graceMs()))
        if (hasRightsNow) {
          if (as !== 'member' || current.levelKey !== level.key) return null
          if (canRenewFree(current, now)) await addTerm(tx, current, level, now)
          return found
        }
        await startTerm(tx, { account: found, level, current, now }, null)
        return found
      })
      if (account) wakeOutbox()
      return account
    },
  }
}

export type FreeMemberships = ReturnType<typeof createFreeMemberships>
