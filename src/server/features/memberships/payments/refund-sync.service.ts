import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { askUntilAlone } from '#server/payments/ask-again.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { lockAccount } from '../account/account.repository.ts'
import { findCurrentMembership, type Membership } from './membership.repository.ts'
import type { NoticeService } from './notice.service.ts'
import { closeCreditedPages, setCreditReleased } from './payment-credit.repository.ts'
import { isWhollyReturned } from './payment-return.rules.ts'
import { findPaymentByIntent, setRefundAsked, updateReturned, type PaymentRecord } from './payment.repository.ts'
import { takeBackTerm, tellOwedCredit } from './term-return.ts'

export interface PaymentReturnService {
  /**
   * Brings a payment to what the provider says came back of it. A membership ends when what paid for it was refunded whole or a dispute about it is
   * lost; its subscription is ended too. A term by hand that was renewed by it keeps what other payments paid for. True when something differed. A
   * payment that is not ours changes nothing.
   * @throws PaymentProviderError when the provider cannot be asked
   */
  sync(paymentIntentId: string): Promise<boolean>
  /** Whether a payment is one of ours. */
  isKnown(paymentIntentId: string): Promise<boolean>
}

export function createPaymentReturnService({
  db,
  clock,
  gateway,
  alarms,
  notices,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  gateway: PaymentGateway
  alarms: Alarms
  notices: NoticeService
  wakeOutbox(): void
}): PaymentReturnService {
  /** Tells the member, and the officers of a dispute: they have days to answer the bank. */
  async function tell(tx: Tx, membership: Membership, payment: PaymentRecord, facts: PaymentFacts): Promise<void> {
    const now = clock.now()
    if (facts.amountRefunded > payment.amountRefunded) {
      await notices.tell(tx, membership, { kind: 'refunded', aboutAt: facts.refundedAt ?? now })
    }
    if (facts.dispute === payment.dispute || facts.dispute === null) return
    await notices.tell(tx, membership, {
      kind: facts.dispute === 'open' ? 'dispute_opened' : 'dispute_closed',
      aboutAt: payment.paidAt,
    })
    if (facts.dispute !== 'won')
      await alarms.raise('payment-disputed', { payment: payment.id, state: facts.dispute }, tx)
  }

  /** Brings credits from and to a payment to what came back of it. The officers are told of what a member owes since then. */
  async function followCredit(tx: Tx, before: PaymentRecord, after: PaymentRecord): Promise<void> {
    const now = clock.now()
    await closeCreditedPages(tx, after.id, now)
    const isReturned = isWhollyReturned(after)
    if (after.checkoutId !== null && isReturned !== isWhollyReturned(before)) {
      await setCreditReleased(tx, after.checkoutId, isReturned ? now : null)
    }
    // A refund that failed at the bank, or was called back, was asked for no more.
    if (after.amountRefunded < before.amountRefunded) await setRefundAsked(tx, after.id, 0)
    await tellOwedCredit(tx, alarms, before, after)
  }

  async function apply(tx: Tx, payment: PaymentRecord, facts: PaymentFacts): Promise<boolean> {
    const { amountRefunded, refundedAt, dispute } = facts
    if (amountRefunded === payment.amountRefunded && dispute === payment.dispute) return false
    const now = clock.now()
    await updateReturned(tx, payment.id, { amountRefunded, refundedAt, dispute })
    await writeAudit(
      tx,
      {
        actor: 'stripe',
        action: 'payment.returned',
        subjectId: payment.accountId,
        details: { payment: payment.id, amountRefunded, dispute },
      },
      now,
    )
    const after: PaymentRecord = { ...payment, amountRefunded, refundedAt, dispute }
    await followCredit(tx, payment, after)
    const membership = await findCurrentMembership(tx, payment.accountId)
    if (!membership) return true
    await tell(tx, membership, payment, facts)
    if (isWhollyReturned(payment) || !isWhollyReturned(after)) return true
    const isRefund = amountRefunded >= payment.amount
    const reason = isRefund ? 'refunded' : 'dispute lost'
    const endedAt = (isRefund ? refundedAt : null) ?? now
    await takeBackTerm(tx, payment, { actor: 'stripe', reason, endedAt, now })
    return true
  }

  return {
    isKnown: async (paymentIntentId) => (await findPaymentByIntent(db, paymentIntentId)) !== null,

    async sync(paymentIntentId) {
      const differed = await askUntilAlone(async (isLast) => {
        const known = await findPaymentByIntent(db, paymentIntentId)
        const facts = known && (await gateway.readPayment(paymentIntentId))
        if (!facts) return false
        return db.transaction().execute(async (tx) => {
          await lockAccount(tx, known.accountId)
          const payment = await findPaymentByIntent(tx, paymentIntentId)
          if (!payment) return false
          const isAsKnown = payment.amountRefunded === known.amountRefunded && payment.dispute === known.dispute
          return isAsKnown || isLast ? apply(tx, payment, facts) : null
        })
      })
      if (differed) wakeOutbox()
      return differed ?? false
    },
  }
}
