import type { Membership } from './membership.repository.ts'

export type HandMethod = 'cheque' | 'cash'

const PREFIX = 'by-hand:'

/** How a payment without a card is known: the same person's same cheque is one payment. */
export function referenceByHand(accountId: string, method: HandMethod, reference: string): string {
  return `${PREFIX}${accountId}:${method}:${reference.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`
}

export function isByHand(reference: string): boolean {
  return handWords(reference) !== null
}

/** 'Check 1042'; null for what the card provider charged. */
export function handWords(reference: string): string | null {
  const [, method, words] = /^(?:voided:[^:]+:)?by-hand:[^:]+:(cheque|cash):(.*)$/s.exec(reference) ?? []
  return method === undefined ? null : `${method === 'cheque' ? 'Check' : 'Cash'} ${words ?? ''}`.trim()
}

/** The reference of a payment whose record was canceled: the check it names can be recorded again. */
export function voidedReference(paymentId: string, reference: string): string {
  return `voided:${paymentId}:${reference}`
}

/** Changes whenever something about a membership does that an officer's decision may rest on; looking at it again at the provider changes nothing. */
export function membershipVersion(membership: Membership | null): string {
  if (membership === null) return 'none'
  const { id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt } = membership
  return [id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt].join(' ')
}
