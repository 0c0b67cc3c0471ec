import { isChargedAutomatically } from '#contract/level-terms.ts'
import type { AppContext } from '#server/app-context.ts'
import { PaymentProviderError } from '#server/stripe/payment-gateway.ts'
import { Problem } from '#server/lib/problem.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { listLevelsOnSale } from '#server/features/levels/level.queries.ts'
import { findCurrentMembership } from '../membership.queries.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '../membership.rules.ts'
import type { MembershipService } from '../membership.service.ts'
import type { LevelPrices } from '#server/features/levels/set-level-price.service.ts'

export function createBillingService(
  { db, clock, gateway, siteUrl, graceMs }: AppContext,
  {
    levelPrices,
    memberships,
  }: {
    levelPrices: LevelPrices
    memberships: MembershipService
  },
) {
  /** The prices that plans may be changed to: every level that is charged automatically. */
  async function portalPrices(): Promise<string[]> {
    const levels = (await listLevelsOnSale(db)).filter(isChargedAutomatically)
    return Promise.all(levels.map(levelPrices.ensurePriceId))
  }

  return {
    /**
     * Returns the URL where a member manages billing: the provider's portal, its plan change page when a level is named, or a checkout if the
     * membership renews without a subscription.
     * @throws Problem NO_MEMBERSHIP, LIFETIME_MEMBERSHIP, PLAN_NOT_FOUND, PORTAL_FAILED, CHECKOUT_FAILED
     */
    async openPortal(accountId: string, levelKey: string | undefined): Promise<string> {
      const account = await findAccount(db, accountId)
      const membership = await findCurrentMembership(db, accountId)
      if (!account || !membership) throw new Problem('NO_MEMBERSHIP')
      const status = membershipStatus(membership, clock.now(), graceMs())
      if (membership.kind === 'ONE_TIME' && hasRights(status)) throw new Problem('LIFETIME_MEMBERSHIP')
      // The subscription that the portal can manage; null if there is none or it has ended.
      const subscriptionId = hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
      if (!subscriptionId || !account.stripeCustomerId) {
        return memberships.startRenewal(
          account,
          await memberships.requireLevel(levelKey ?? membership.levelKey, accountId),
        )
      }
      if (levelKey !== undefined) await memberships.requireLevel(levelKey, accountId)
      try {
        return await gateway.createPortal({
          customerId: account.stripeCustomerId,
          returnUrl: `${siteUrl}/auth/account?fromStripe=true`,
          changePlanOf: levelKey === undefined ? null : subscriptionId,
          prices: await portalPrices(),
        })
      } catch (error) {
        throw error instanceof PaymentProviderError ? new Problem('PORTAL_FAILED') : error
      }
    },
  }
}

export type BillingService = ReturnType<typeof createBillingService>
