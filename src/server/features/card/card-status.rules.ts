import type { MembershipStatus } from '#contract/public/account.ts'
import type { CardStatus } from '#contract/public/my-account/membership-card.ts'

/** What a card says about a membership; null: there is none. */
export function cardStatus(status: MembershipStatus | null): CardStatus {
  if (status === 'ACTIVE') return 'active'
  return status === 'PAST_DUE' ? 'past_due' : 'lapsed'
}
