import { isChargedAutomatically } from '#contract/level-terms.ts'
import { hasRights, type MembershipSnapshot } from './membership.rules.ts'
import type { MembershipStatus } from '#contract/public/account.ts'
import { availableAmount } from './payments/refund.rules.ts'
import type { PaymentRecord } from './payments/payment.queries.ts'

const DAY_MS = 86_400_000
/** Starts with the first reminder. */
const RENEW_WITHIN_MS = 46 * DAY_MS
/** The card provider's minimum charge. */
const SMALLEST_CHARGE = 50

/** The price of a level for one person today, in minor units, and the payment mode. */
export interface MembershipPrice {
  amount: number
  /** Already deducted from `amount`. */
  credit: number
  /** `payment`: a single payment without a subscription, for a lifetime level or one more manual term. */
  mode: 'subscription' | 'payment'
}

interface LevelOnSale {
  key: string
  unitAmount: number
  isRecurring: boolean
}

/** The current membership, as input for a price. */
export interface CurrentTerm extends MembershipSnapshot {
  levelKey: string
  status: MembershipStatus
  /** Start of the current term. */
  termStartsAt: number
  /** Paid for the current term and not refunded. */
  paidForTerm: number
}

/**
 * The price of `level` for a member with `held` (null: no membership). A lifetime level is reduced by the credit for the term it replaces (decision record 10);
 * a term without automatic renewal is renewed by a single payment for one more term.
 */
export function calculatePrice(level: LevelOnSale, held: CurrentTerm | null, now: number): MembershipPrice {
  const catalogue = {
    amount: level.unitAmount,
    credit: 0,
    mode: isChargedAutomatically(level) ? 'subscription' : 'payment',
  } as const
  if (held === null || !hasRights(held.status)) return catalogue
  if (!level.isRecurring) {
    const credit = Math.min(unusedCredit(held, now), Math.max(0, level.unitAmount - SMALLEST_CHARGE))
    return { ...catalogue, amount: level.unitAmount - credit, credit }
  }
  return isManualRenewal(held, level) ? { ...catalogue, mode: 'payment' } : catalogue
}

/** Whether paying for `level` extends the current term instead of starting a subscription. */
export function isManualRenewal(held: MembershipSnapshot & { levelKey: string }, level: { key: string }): boolean {
  return held.kind === 'RECURRING' && held.levelKey === level.key && held.stripeStatus === null && held.endedAt === null
}

/**
 * Whether an officer recorded a check or granted a term after the checkout was opened. Starting the subscription would then discard
 * that manual term. Free levels can always be replaced.
 */
export function isReplacedByManualTerm(
  held: MembershipSnapshot & { startedAt: number; status: MembershipStatus },
  heldLevel: { unitAmount: number } | null,
  checkout: { mode: MembershipPrice['mode']; createdAt: number },
): boolean {
  const runsByHand = hasRights(held.status) && held.kind === 'RECURRING' && held.stripeStatus === null
  const isPaid = heldLevel !== null && heldLevel.unitAmount > 0
  return checkout.mode === 'subscription' && runsByHand && isPaid && held.startedAt >= checkout.createdAt
}

type TermPayment = Pick<
  PaymentRecord,
  'id' | 'amount' | 'amountRefunded' | 'dispute' | 'periodEndsAt' | 'refundAsked' | 'credited' | 'voidedAt'
>

/** The part of a payment that is credited toward a membership. */
export interface CreditAllocation {
  paymentId: string
  amount: number
}

/**
 * Payments for the current term that can still be credited, newest first. A payment belongs to the term that ends at its `periodEndsAt`. A disputed
 * payment gives no credit until the bank has decided.
 * @param payments newest first
 */
export function creditablePayments(
  { endsAt }: Pick<MembershipSnapshot, 'endsAt'>,
  payments: readonly TermPayment[],
): CreditAllocation[] {
  if (endsAt === null) return []
  return payments
    .filter(({ periodEndsAt }) => periodEndsAt !== null && Math.abs(periodEndsAt - endsAt) < DAY_MS)
    .map((payment) => ({ paymentId: payment.id, amount: availableAmount(payment) }))
    .filter(({ amount }) => amount > 0)
}

/** Splits a credit across payments. */
export function allocateCredit(credit: number, paid: readonly CreditAllocation[]): CreditAllocation[] {
  let due = credit
  const parts: CreditAllocation[] = []
  for (const { paymentId, amount } of paid) {
    const part = Math.min(due, amount)
    if (part > 0) parts.push({ paymentId, amount: part })
    due -= part
  }
  return parts
}

/** An active free term can be renewed in its last weeks, starting at its end. */
export function canRenewFree(
  { endsAt, stripeStatus }: Pick<MembershipSnapshot, 'endsAt' | 'stripeStatus'>,
  now: number,
): boolean {
  return stripeStatus === null && endsAt !== null && endsAt - now <= RENEW_WITHIN_MS
}

/** The prorated amount for the remaining days, excluding today, rounded to the cent. */
export function unusedCredit(
  {
    termStartsAt,
    endsAt,
    paidForTerm,
    pastDueSince,
  }: Pick<CurrentTerm, 'termStartsAt' | 'endsAt' | 'paidForTerm' | 'pastDueSince'>,
  now: number,
): number {
  if (endsAt === null || pastDueSince !== null || endsAt <= now || endsAt <= termStartsAt) return 0
  const days = Math.round((endsAt - termStartsAt) / DAY_MS)
  const remaining = Math.min(days, Math.floor((endsAt - now) / DAY_MS))
  return Math.round((paidForTerm * remaining) / days)
}
