import type { Db } from '#server/db/database.ts'
import { PaymentProviderError, type PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Clock } from '#server/platform/clock.ts'
import { Problem } from '#server/platform/problem.ts'
import { findAccount } from '../account/account.repository.ts'
import { listLevelsOnSale } from '../membership/level.repository.ts'
import { findCurrentMembership } from '../membership/membership.repository.ts'
import { hasLiveSubscription, hasRights, membershipStatus } from '../membership/membership.rules.ts'
import type { MembershipService } from '../membership/membership.service.ts'
import type { LevelPrices } from './level-prices.ts'

export interface BillingService {
  /**
   * Where a member manages billing: the provider's portal for their own customer, its plan page when a level is named, a checkout when the
   * membership renews without a subscription.
   * @throws Problem NO_MEMBERSHIP, LIFETIME_MEMBERSHIP, PLAN_NOT_FOUND, PORTAL_FAILED, CHECKOUT_FAILED
   */
  openPortal(accountId: string, levelKey: string | undefined): Promise<string>
}

export function createBillingService({
  db,
  clock,
  gateway,
  levelPrices,
  memberships,
  siteUrl,
  graceMs,
}: {
  db: Db
  clock: Clock
  gateway: PaymentGateway
  levelPrices: LevelPrices
  memberships: MembershipService
  siteUrl: string
  graceMs(): number
}): BillingService {
  /** The prices plans may be changed to: every renewing level that costs something. */
  async function portalPrices(): Promise<string[]> {
    const levels = (await listLevelsOnSale(db)).filter(({ isRecurring, unitAmount }) => isRecurring && unitAmount > 0)
    return Promise.all(levels.map(levelPrices.priceOf))
  }

  return {
    async openPortal(accountId, levelKey) {
      const account = await findAccount(db, accountId)
      const membership = await findCurrentMembership(db, accountId)
      if (!account || !membership) throw new Problem('NO_MEMBERSHIP')
      const status = membershipStatus(membership, clock.now(), graceMs())
      if (membership.kind === 'ONE_TIME' && hasRights(status)) throw new Problem('LIFETIME_MEMBERSHIP')
      // What the portal can manage; null when it has ended or there was none.
      const subscriptionId = hasLiveSubscription(membership) ? membership.stripeSubscriptionId : null
      if (!subscriptionId || !account.stripeCustomerId) {
        return memberships.payAgain(account, await memberships.requireLevel(levelKey ?? membership.levelKey, accountId))
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
