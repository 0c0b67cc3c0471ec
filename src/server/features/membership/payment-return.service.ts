import type { Kysely } from 'kysely'
import type { Tx } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { PaymentFacts, PaymentGateway } from '#server/payments/payment-gateway.ts'
import type { Alarms } from '#server/platform/alarms.ts'
import { askUntilAlone } from '#server/payments/ask-again.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { lockAccount } from '../account/account.repository.ts'
import { isGrantedTerm } from './complimentary.repository.ts'
import { findLevel } from './level.repository.ts'
import { endMembership, extendMembership, findCurrentMembership, type Membership } from './membership.repository.ts'
import { hasLiveSubscription } from './membership.rules.ts'
import type { NoticeService } from './notice.service.ts'
import { afterReturn, isWhollyReturned, type AfterReturn } from './payment-return.rules.ts'
import { findPaymentByIntent, listPayments, updateReturned, type PaymentRecord } from './payment.repository.ts'

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
  async function end(tx: Tx, membership: Membership, endedAt: number, reason: string): Promise<void> {
    const now = clock.now()
    await endMembership(tx, membership.id, { endedAt, now })
    await notices.withhold(tx, membership, { kind: 'canceled', aboutAt: endedAt })
    const { accountId, stripeSubscriptionId: subscriptionId } = membership
    await writeAudit(
      tx,
      { actor: 'stripe', action: 'membership.ended', subjectId: accountId, details: { reason } },
      now,
    )
    if (subscriptionId && hasLiveSubscription(membership)) {
      await addToOutbox(
        tx,
        { kind: 'payment.end_subscription', payload: { subscriptionId }, dedupeKey: `end:${subscriptionId}` },
        now,
      )
    }
  }

  /** Takes a renewal by hand back. */
  async function shorten(tx: Tx, membership: Membership, endsAt: number, reason: string): Promise<void> {
    const now = clock.now()
    await extendMembership(tx, membership.id, { endsAt, now })
    const details = { level: membership.levelKey, endsAt, before: membership.endsAt, reason }
    await writeAudit(
      tx,
      { actor: 'stripe', action: 'membership.shortened', subjectId: membership.accountId, details },
      now,
    )
  }

  /** What is left of a membership without this payment. */
  async function remains(tx: Tx, membership: Membership, { id, accountId }: PaymentRecord): Promise<AfterReturn> {
    if (membership.endedAt !== null) return 'untouched'
    const term = { ...membership, isGranted: await isGrantedTerm(tx, membership) }
    const payments = await listPayments(tx, accountId)
    const level = await findLevel(tx, membership.levelKey)
    return afterReturn(term, { returned: id, payments, level, now: clock.now() })
  }

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
    const membership = await findCurrentMembership(tx, payment.accountId)
    if (!membership) return true
    await tell(tx, membership, payment, facts)
    const wasReturned = isWhollyReturned(payment)
    if (wasReturned || !isWhollyReturned({ ...payment, amountRefunded, dispute })) return true
    const isRefund = amountRefunded >= payment.amount
    const reason = isRefund ? 'refunded' : 'dispute lost'
    const left = await remains(tx, membership, payment)
    if (left === 'over') await end(tx, membership, (isRefund ? refundedAt : null) ?? now, reason)
    else if (left !== 'untouched') await shorten(tx, membership, left.endsAt, reason)
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
