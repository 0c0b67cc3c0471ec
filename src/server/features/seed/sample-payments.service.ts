import type { Tx } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import { termEnd } from '#server/features/memberships/membership-start.commands.ts'
import { manualReference } from '#server/features/orders/payments/manual-payment.rules.ts'
import {
  recordPayment,
  updateRefundState,
  voidPayment,
} from '#server/features/memberships/payments/payment.commands.ts'
import { findPayment, type PaymentRecord } from '#server/features/memberships/payments/payment.queries.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { returnedAt } from './sample-members.rules.ts'
import type { SampleMember } from './sample-members.service.ts'

const DAY_MS = 86_400_000
const FIRST_CHECK = 1_001

/** Inserts the payments of a sample member with their receipts; the last one may be refunded, disputed or recorded twice. */
export async function seedPayments(
  tx: Tx,
  { person, index, account, level, times }: Pick<SampleMember, 'person' | 'index' | 'account' | 'level' | 'times'>,
  { officerId, now }: { officerId: string; now: number },
): Promise<void> {
  const { by, refunded, dispute, voided } = person

  function referenceOf(turn: number): string {
    if (by === 'cash') return manualReference(account.id, { method: 'cash', reference: `envelope ${turn + 1}` })
    return manualReference(account.id, { method: 'cheque', reference: String(FIRST_CHECK + index * 10 + turn) })
  }

  async function pay(paidAt: number, turn: number): Promise<PaymentRecord | null> {
    const id = newId(paidAt)
    const reference = by === 'card' ? `sample:${id}` : referenceOf(turn)
    await recordPayment(
      tx,
      {
        id,
        accountId: account.id,
        checkoutId: null,
        reference,
        paymentIntentId: null,
        purpose: turn === 0 ? 'start' : 'renewal',
        levelKey: level.key,
        amount: level.unitAmount,
        currency: level.currency,
        receiptNumber: receiptNumber(id, paidAt, (instant) => String(new Date(instant).getUTCFullYear())),
        periodEndsAt: termEnd(paidAt, level),
        paidAt,
        receiptSentAt: paidAt,
      },
      paidAt,
    )
    return findPayment(tx, id)
  }

  let last: PaymentRecord | null = null
  for (const [turn, months] of person.paid.entries()) last = await pay(times.at(months), turn)
  if (!last) return
  if (refunded > 0 || dispute) {
    const refundedAt = Math.min(returnedAt(times.termStartsAt), now)
    const amountRefunded = Math.round(refunded * 100)
    const refund = { amountRefunded, refundedAt: refunded > 0 ? refundedAt : null, dispute: dispute ?? null }
    await updateRefundState(tx, last, refund, refundedAt)
  }
  if (voided) {
    const second = await pay(times.termStartsAt + DAY_MS, person.paid.length)
    if (second) await voidPayment(tx, second, { by: officerId, reason: voided, now: times.termStartsAt + 3 * DAY_MS })
  }
}
