import { hasRights, type MembershipFacts } from './membership.rules.ts'
import type { MembershipStatus } from '#contract/account.ts'
import { unspentOf } from './payment-return.rules.ts'
import type { PaymentRecord } from './payment.repository.ts'

const DAY_MS = 86_400_000
/** As long before the end as the first reminder. */
const RENEW_WITHIN_MS = 46 * DAY_MS
/** The card provider charges nothing smaller. */
const SMALLEST_CHARGE = 50

/** What a level costs one person today, and how it is paid. Minor units. */
export interface Offer {
  amount: number
  /** Already taken off `amount`. */
  credit: number
  /** `payment`: once, without a subscription: for life, or one more term by hand. */
  mode: 'subscription' | 'payment'
}

interface OfferedLevel {
  key: string
  unitAmount: number
  isRecurring: boolean
}

/** What is held now, as far as it matters to a price. */
export interface HeldTerm extends MembershipFacts {
  levelKey: string
  status: MembershipStatus
  /** Start of the running term. */
  termStartsAt: number
  /** What was paid for the running term and not given back. */
  paidForTerm: number
}

/**
 * What `level` costs someone who holds `held` (null: nothing). A lifetime level is cheaper by what is left of the year it replaces (decision record 10);
 * a term without automatic charge is renewed by one payment for one more term.
 */
export function offerOf(level: OfferedLevel, held: HeldTerm | null, now: number): Offer {
  const catalogue = {
    amount: level.unitAmount,
    credit: 0,
    mode: level.isRecurring ? 'subscription' : 'payment',
  } as const
  if (held === null || !hasRights(held.status)) return catalogue
  if (!level.isRecurring) {
    const credit = Math.min(unusedCredit(held, now), Math.max(0, level.unitAmount - SMALLEST_CHARGE))
    return { ...catalogue, amount: level.unitAmount - credit, credit }
  }
  return renewsByHand(held, level) ? { ...catalogue, mode: 'payment' } : catalogue
}

/** Whether paying for `level` adds a term to the one that runs, instead of beginning a subscription. */
export function renewsByHand(held: MembershipFacts & { levelKey: string }, level: { key: string }): boolean {
  return held.kind === 'RECURRING' && held.levelKey === level.key && held.stripeStatus === null && held.endedAt === null
}

/**
 * Whether a check or a grant gave what a checkout was opened for while it was open: a subscription is never offered beside a term by hand of its level,
 * and beginning one would throw that term away. Free levels are taken and left as one likes.
 */
export function isGivenByHandSince(
  held: MembershipFacts & { startedAt: number; status: MembershipStatus },
  heldLevel: { unitAmount: number } | null,
  checkout: { mode: Offer['mode']; createdAt: number },
): boolean {
  const runsByHand = hasRights(held.status) && held.kind === 'RECURRING' && held.stripeStatus === null
  const isPaid = heldLevel !== null && heldLevel.unitAmount > 0
  return checkout.mode === 'subscription' && runsByHand && isPaid && held.startedAt >= checkout.createdAt
}

type TermPayment = Pick<
  PaymentRecord,
  'id' | 'amount' | 'amountRefunded' | 'dispute' | 'periodEndsAt' | 'refundAsked' | 'credited' | 'voidedAt'
>

/** What of a payment lowers the price of a membership. */
export interface CreditPart {
  paymentId: string
  amount: number
}

/**
 * What was paid for the running term and can still be credited, the newest payment first. Payments name the end of what they paid for. A payment that is
 * disputed counts for nothing until the bank has decided.
 * @param payments newest first
 */
export function paidForTerm(
  { endsAt }: Pick<MembershipFacts, 'endsAt'>,
  payments: readonly TermPayment[],
): CreditPart[] {
  if (endsAt === null) return []
  return payments
    .filter(({ periodEndsAt }) => periodEndsAt !== null && Math.abs(periodEndsAt - endsAt) < DAY_MS)
    .map((payment) => ({ paymentId: payment.id, amount: unspentOf(payment) }))
    .filter(({ amount }) => amount > 0)
}

/** From which payments a credit comes. */
export function creditParts(credit: number, paid: readonly CreditPart[]): CreditPart[] {
  let due = credit
  const parts: CreditPart[] = []
  for (const { paymentId, amount } of paid) {
    const part = Math.min(due, amount)
    if (part > 0) parts.push({ paymentId, amount: part })
    due -= part
  }
  return parts
}

/** A free term that runs may be renewed in its last weeks, from its end on. */
export function mayRenewFree(
  { endsAt, stripeStatus }: Pick<MembershipFacts, 'endsAt' | 'stripeStatus'>,
  now: number,
): boolean {
  return stripeStatus === null && endsAt !== null && endsAt - now <= RENEW_WITHIN_MS
}

/** The share of what was paid that falls on the days still to come, today not counted; to the nearest cent. */
export function unusedCredit(
  {
    termStartsAt,
    endsAt,
    paidForTerm,
    pastDueSince,
  }: Pick<HeldTerm, 'termStartsAt' | 'endsAt' | 'paidForTerm' | 'pastDueSince'>,
  now: number,
): number {
  if (endsAt === null || pastDueSince !== null || endsAt <= now || endsAt <= termStartsAt) return 0
  const days = Math.round((endsAt - termStartsAt) / DAY_MS)
  const left = Math.min(days, Math.floor((endsAt - now) / DAY_MS))
  return Math.round((paidForTerm * left) / days)
}
