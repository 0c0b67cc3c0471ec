import type { Membership } from '../membership.queries.ts'

/** Changes with every field an officer's decision may depend on; a sync with the provider that finds no difference keeps it. */
export function membershipVersion(membership: Membership | null): string {
  if (membership === null) return 'none'
  const { id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt } = membership
  return [id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt].join(' ')
}
