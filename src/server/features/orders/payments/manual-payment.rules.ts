import { MANUAL_METHODS, METHOD_NAMES, type ManualMethod } from '#contract/console/money/hand-payments.ts'
import type { PaymentMethod } from '#server/db/schema/money-schema.ts'

/** A payment outside the card provider as an officer enters it. */
export interface ManualPayment {
  method: ManualMethod
  reference: string
  amount: number
  paidAt: number
}

export const METHOD_LABELS: Record<PaymentMethod, string> = { ...METHOD_NAMES, card: 'Card', none: 'Nothing to pay' }

const PREFIX = 'by-hand:'
const PATTERN = new RegExp(`^(?:voided:[^:]+:)?${PREFIX}[^:]+:(${MANUAL_METHODS.join('|')}):(.*)$`, 's')

/**
 * Reference of a payment outside the card provider, as typed: unique per payer, method and check number, whatever its capitals.
 * @param payer without a colon
 */
export function manualReference(
  payer: string,
  { method, reference }: Pick<ManualPayment, 'method' | 'reference'>,
): string {
  return `${PREFIX}${payer}:${method}:${reference.trim().replaceAll(/\s+/g, ' ')}`
}

/** The method and the check number of a recorded payment, also of a voided one; null for a card payment. */
function readManualReference(stored: string | null): { method: ManualMethod; reference: string } | null {
  const [, method, reference = ''] = PATTERN.exec(stored ?? '') ?? []
  return method === undefined ? null : { method: method as ManualMethod, reference }
}

export function isManualPayment(stored: string | null): boolean {
  return readManualReference(stored) !== null
}

/** 'Check 1042'; null for a card payment. */
export function describeManualPayment(stored: string | null): string | null {
  const found = readManualReference(stored)
  return found && `${METHOD_NAMES[found.method]} ${found.reference}`.trim()
}

/** How a payment with this reference and amount moved. */
export function methodOf(stored: string | null, amount: number): PaymentMethod {
  return readManualReference(stored)?.method ?? (amount === 0 ? 'none' : 'card')
}

/** The reference of a voided payment. It frees the original, so the same check can be recorded again. */
export function voidedReference(paymentId: string, reference: string): string {
  return `voided:${paymentId}:${reference}`
}
