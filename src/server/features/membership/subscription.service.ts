import type { Kysely } from 'kysely'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentGateway } from '#server/payments/payment-gateway.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { findMembershipBySubscription, updateFromSubscription } from './membership.repository.ts'
import { pastDueSince } from './membership.rules.ts'

export interface SubscriptionService {
  /**
   * Brings a membership to what its subscription is now, whatever notice called for it and in whatever order notices came (C1).
   * A subscription that is nobody's membership changes nothing.
   */
  sync(subscriptionId: string): Promise<void>
  /** Whether a subscription is one of ours. */
  isKnown(subscriptionId: string): Promise<boolean>
}

export function createSubscriptionService({
  db,
  clock,
  gateway,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
}): SubscriptionService {
  return {
    isKnown: async (subscriptionId) => (await findMembershipBySubscription(db, subscriptionId)) !== null,

    async sync(subscriptionId) {
      if (!(await findMembershipBySubscription(db, subscriptionId))) return
      const facts = await gateway.readSubscription(subscriptionId)
      if (!facts) return
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        const membership = await findMembershipBySubscription(tx, subscriptionId)
        if (!membership) return
        const change = {
          levelKey: facts.levelKey ?? membership.levelKey,
          stripeStatus: facts.status,
          endsAt: facts.periodEndsAt,
          cancelAtPeriodEnd: facts.cancelsAtPeriodEnd,
          pastDueSince: pastDueSince(facts.status, membership.pastDueSince, now),
          endedAt: membership.endedAt ?? (membership.pastDueSince === null ? facts.endedAt : null),
        }
        await updateFromSubscription(tx, membership.id, change, now)
        if (facts.status !== membership.stripeStatus || change.levelKey !== membership.levelKey) {
          await writeAudit(
            tx,
            {
              actor: 'stripe',
              action: 'membership.changed',
              subjectId: membership.accountId,
              details: { status: facts.status, level: change.levelKey },
            },
            now,
          )
        }
      })
    },
  }
}
