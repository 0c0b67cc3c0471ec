import type { Membership } from '#server/features/memberships/membership.queries.ts'
import type { AttachedSubscription } from '#server/features/memberships/membership.commands.ts'

/** What an import replaced, so that an undo can put it back. */
export interface BeforeImport {
  customerId: string | null
  /** `changed`: the membership that got the subscription. `replaced`: an earlier one that had ended. null: the member had none. */
  membership:
    | ({ was: 'changed' } & Pick<Membership, 'levelKey' | 'endsAt' | 'cancelAtPeriodEnd'>)
    | ({ was: 'replaced' } & Pick<Membership, 'id' | 'endedAt'>)
    | null
}

/** What the membership was after the import. */
export type AfterImport = Pick<
  AttachedSubscription,
  'levelKey' | 'endsAt' | 'stripeStatus' | 'cancelAtPeriodEnd' | 'renewalAmount' | 'pastDueSince'
>

/**
 * What happened to a membership since its subscription was imported, in a sentence; null if nothing did.
 * @param membership the one that has the subscription now
 */
export function changeSinceImport(
  membership: Membership | null,
  { accountId, membershipId, after }: { accountId: string; membershipId: string; after: AfterImport },
): string | null {
  if (!membership || membership.id !== membershipId || membership.accountId !== accountId)
    return 'It belongs to another membership now.'
  if (membership.isCurrent !== 1) return 'Another membership replaced this one.'
  if (membership.endedAt !== null || membership.stripeStatus === 'canceled') return 'The membership has ended.'
  if ((membership.endsAt ?? 0) > after.endsAt) return 'It was renewed.'
  if (membership.levelKey !== after.levelKey) return 'The level was changed.'
  if (membership.renewalAmount !== after.renewalAmount) return 'The price was changed.'
  if (membership.cancelAtPeriodEnd !== after.cancelAtPeriodEnd)
    return membership.cancelAtPeriodEnd ? 'Its renewal was stopped.' : 'Its renewal was resumed.'
  const isSame =
    membership.endsAt === after.endsAt &&
    membership.stripeStatus === after.stripeStatus &&
    membership.pastDueSince === after.pastDueSince
  return isSame ? null : 'Its state at the card provider changed.'
}
