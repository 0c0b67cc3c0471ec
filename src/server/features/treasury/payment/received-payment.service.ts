import type { ReceivedPayment } from './payment-refund.rules.ts'
import type { PaymentState } from '#contract/console/money/payments.ts'
import type { Db } from '#server/db/database.ts'
import type { PaymentKind } from '#server/db/schema/money-schema.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { findLevel } from '#server/features/levels/level.queries.ts'
import { findPayment } from '#server/features/memberships/payments/payment.queries.ts'
import { describeManualPayment, isManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import {
  isFullyRefunded,
  refundedAmount,
  type Returned,
} from '#server/features/orders/payments/refunded-amount.rules.ts'
import { sumCompletedRefunds, sumRefundsOnTheWay } from '#server/features/orders/payments/refund.queries.ts'
import { failedRefunds } from '#server/features/rsvps/orders/rsvp-price.rules.ts'
import { findRsvpOrder } from '#server/features/rsvps/orders/rsvp-order.commands.ts'
import { findSponsorship } from '#server/features/sponsors/orders/sponsorship.commands.ts'

type Reader = (db: Db, id: string) => Promise<Omit<ReceivedPayment, 'kind'> | null>

const NO_SEATS = { rsvpId: null, eventId: null }

const READERS: Record<PaymentKind, Reader> = {
  async dues(db, id) {
    const payment = await findPayment(db, id)
    if (!payment) return null
    const account = await findAccount(db, payment.accountId)
    return {
      ...payment,
      ...NO_SEATS,
      name: account ? `${account.firstName} ${account.lastName}` : 'Deleted account',
      email: account?.email ?? '',
      accountId: account?.id ?? null,
      what: (await findLevel(db, payment.levelKey))?.name ?? payment.levelKey,
      byHand: describeManualPayment(payment.reference),
      manualReference: isManualPayment(payment.reference) ? payment.reference : null,
      hasCard: payment.paymentIntentId !== null,
      failed: 0,
    }
  },

  async seats(db, id) {
    const order = await findRsvpOrder(db, id)
    if (order?.state !== 'paid') return null
    const made = await sumCompletedRefunds(db, id)
    return {
      ...order,
      ...(await commonOf(db, order)),
      what: order.title,
      failed: order.manualReference === null ? failedRefunds({ ...order, made }) : 0,
    }
  },

  async sponsorship(db, id) {
    const order = await findSponsorship(db, id)
    if (order?.state !== 'paid') return null
    return {
      ...order,
      ...NO_SEATS,
      ...(await commonOf(db, order)),
      name: order.company || order.name,
      what: order.tierName,
      failed: 0,
    }
  },
}

/** @param db a transaction, to read it as it is while its account or event is locked */
export async function findReceivedPayment(db: Db, kind: PaymentKind, id: string): Promise<ReceivedPayment | null> {
  const found = await READERS[kind](db, id)
  return found && { ...found, kind }
}

/** The payment that replaced a canceled one, or null. */
export async function findReplacementReceipt(db: Db, kind: PaymentKind, id: string): Promise<string | null> {
  const table = TABLES[kind]
  const row = await db.selectFrom(table).select('receiptNumber').where('replacesId', '=', id).executeTakeFirst()
  return row?.receiptNumber ?? null
}

export const TABLES = { dues: 'payment', seats: 'rsvpOrder', sponsorship: 'sponsorship' } as const satisfies Record<
  PaymentKind,
  string
>

export function paymentState(payment: Returned): PaymentState {
  if ((payment.voidedAt ?? null) !== null) return 'canceled'
  if (payment.dispute === 'lost') return 'lost'
  if (payment.dispute === 'open') return 'disputed'
  if (isFullyRefunded(payment)) return 'refunded'
  return refundedAmount(payment) > 0 ? 'partly-refunded' : 'paid'
}

interface OrderPayment {
  id: string
  receiptNumber: string | null
  manualReference: string | null
  paymentReference: string | null
  paidAt: number | null
  recordedAt: number | null
}

async function commonOf(
  db: Db,
  { id, receiptNumber, manualReference, paymentReference, paidAt, recordedAt }: OrderPayment,
) {
  return {
    accountId: null,
    receiptNumber: receiptNumber ?? '',
    byHand: describeManualPayment(manualReference),
    hasCard: paymentReference !== null,
    paidAt: paidAt ?? 0,
    recordedAt: recordedAt ?? paidAt ?? 0,
    credited: 0,
    refunding: await sumRefundsOnTheWay(db, id),
  }
}
