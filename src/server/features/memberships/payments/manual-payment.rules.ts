import type { Membership } from '../membership.queries.ts'

export type ManualPaymentMethod = 'cheque' | 'cash'

const PREFIX = 'by-hand:'

/** Reference of a payment by check or cash: unique per account, method and check number. */
export function manualPaymentReference(accountId: string, method: ManualPaymentMethod, reference: string): string {
  return `${PREFIX}${accountId}:${method}:${reference.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`
}

export function isManualPayment(reference: string): boolean {
  return describeManualPayment(reference) !== null
}

/** 'Check 1042'; null for a card payment. */
export function describeManualPayment(reference: string): string | null {
  const [, method, note] = /^(?:voided:[^:]+:)?by-hand:[^:]+:(cheque|cash):(.*)$/s.exec(reference) ?? []
  return method === undefined ? null : `${method === 'cheque' ? 'Check' : 'Cash'} ${note ?? ''}`.trim()
}

/** The reference of a voided payment. It frees the original, so the same check can be recorded again. */
export function voidedReference(paymentId: string, reference: string): string {
  return `voided:${paymentId}:${reference}`
}

/** Changes with every field an officer's decision may depend on; a sync with the provider that finds no difference keeps it. */
export function membershipVersion(membership: Membership | null): string {
  if (membership === null) return 'none'
  const { id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt } = membership
  return [id, levelKey, endsAt, stripeStatus, cancelAtPeriodEnd, pastDueSince, endedAt].join(' ')
}
