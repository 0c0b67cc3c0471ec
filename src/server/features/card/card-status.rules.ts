import type { MembershipStatus } from '#contract/public/account.ts'
import type { CardStatus } from '#contract/public/my-account/membership-card.ts'

/** What a card says about a membership; null: there is none. */
export function cardStatus(status: MembershipStatus | null): CardStatus {
  if (status === 'ACTIVE') return 'active'
  return status === 'PAST_DUE' ? 'past_due' : 'lapsed'
}

/** The code in what was scanned: the whole of it, or the part after the `#` of the card's address. null: it cannot be a card's. */
export function codeIn(scanned: string): string | null {
  return /^(?:https?:\/\/[^#\s]+\/card#)?([\w-]{43})$/.exec(scanned)?.[1] ?? null
}
