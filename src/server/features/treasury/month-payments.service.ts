import type { AppContext } from '#server/app-context.ts'
import type { listMonthPayments, MonthPayment } from '#contract/console/payments.ts'
import { dayOf, formatLongDate } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { moneyCell, writeCsv } from '#server/lib/csv/csv.ts'
import { describeManualPayment } from '#server/features/memberships/payments/manual-payment.rules.ts'
import { listComplimentaryTermsBetween } from '#server/features/memberships/payments/complimentary.queries.ts'
import { refundedAmount } from '#server/features/memberships/payments/refund.rules.ts'
import { countMemberRows, ALL_MEMBERS } from '#server/features/member-admin/member-list.queries.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { formatCents, nextMonth } from './months.rules.ts'
import {
  findDuesBetween,
  findSeatsBetween,
  findSponsorshipsBetween,
  findVoidedBetween,
} from './month-payments.repository.ts'

export function createMonthPaymentsService({ db, clock, timeZone, graceMs }: AppContext) {
  async function find(month: string): Promise<MonthPayment[]> {
    const from = startOfDay(`${month}-01`, timeZone)
    const to = startOfDay(`${nextMonth(month)}-01`, timeZone)
    const [dues, voided, seats, sponsorships, complimentary] = await Promise.all([
      findDuesBetween(db, from, to),
      findVoidedBetween(db, from, to),
      findSeatsBetween(db, from, to),
      findSponsorshipsBetween(db, from, to),
      listComplimentaryTermsBetween(db, from, to),
    ])
    return [
      ...dues.map((row) => ({
        ...duesOf(row),
        paidAt: new Date(Number(row.bookedAt)).toISOString(),
        ...(row.voidedAt !== null && { note: `canceled on ${formatLongDate(row.voidedAt, timeZone)}` }),
        ...(row.replaces !== null && {
          note: `replaces ${row.replaces}, received on ${formatLongDate(row.paidAt, timeZone)}`,
        }),
      })),
      // A separate line, so that a closed month stays unchanged.
      ...voided.map((row) => ({
        ...duesOf(row),
        ...({ kind: 'canceled', amount: 0 } as const),
        id: `${row.id}-canceled`,
        amountRefunded: row.amount,
        paidAt: new Date(row.voidedAt ?? 0).toISOString(),
        note: row.voidReason ?? '',
      })),
      ...seats.map(({ paidAt, ...payment }) => ({
        ...payment,
        ...({ kind: 'event', accountId: null, paidBy: 'Card' } as const),
        paidAt: new Date(Number(paidAt)).toISOString(),
      })),
      ...sponsorships.map(({ paidAt, ...payment }) => ({
        ...payment,
        ...({ kind: 'sponsorship', accountId: null, paidBy: 'Card', refundable: false } as const),
        paidAt: new Date(paidAt).toISOString(),
      })),
      ...complimentary.map(({ givenAt, ...term }) => ({
        ...term,
        ...({ kind: 'complimentary', amount: 0, amountRefunded: 0, dispute: null, refundable: false } as const),
        receiptNumber: '',
        paidBy: 'Complimentary',
        paidAt: new Date(givenAt).toISOString(),
      })),
    ].sort((a, b) => (a.paidAt < b.paidAt ? -1 : 1))
  }

  return {
    /** @param month 'YYYY-MM' on the association's calendar */
    async list(by: Officer, month: string): Promise<ReplyOf<typeof listMonthPayments>> {
      const payments = await find(month)
      const received = sum(payments.map(({ amount }) => amount))
      const returned = sum(payments.map(refundedAmount))
      const moment = { now: clock.now(), graceMs: graceMs() }
      const failing = await countMemberRows(db, { ...ALL_MEMBERS, state: 'PAST_DUE' }, moment)
      const mayRefund = by.permissions.includes('money.change')
      const currency = payments[0]?.currency ?? 'usd'
      return { payments, received, returned, kept: received - returned, currency, mayRefund, failing }
    },

    /** Recorded in the audit log, since it names people and what they paid. */
    async export(by: Officer, month: string): Promise<ServedFile> {
      const payments = await find(month)
      const details = { month, payments: payments.length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'payments.exported', subjectId: by.accountId, details },
        clock.now(),
      )
      const rows = payments.map((payment) => [
        dayOf(Date.parse(payment.paidAt), timeZone),
        payment.receiptNumber,
        payment.kind,
        payment.what,
        payment.name,
        payment.email,
        payment.paidBy,
        moneyCell(payment.amount),
        moneyCell(refundedAmount(payment)),
        moneyCell(payment.amount - refundedAmount(payment)),
        payment.currency.toUpperCase(),
        remarkOf(payment),
      ])
      return { filename: `payments-${month}.csv`, content: new TextEncoder().encode(writeCsv([HEADING, ...rows])) }
    },
  }
}

export type MonthPaymentsService = ReturnType<typeof createMonthPaymentsService>

const HEADING = [
  'day',
  'receipt',
  'kind',
  'for',
  'name',
  'email',
  'paidBy',
  'amount',
  'returned',
  'kept',
  'currency',
  'remark',
]

type DuesRow = Awaited<ReturnType<typeof findDuesBetween>>[number]

function duesOf(row: DuesRow): Omit<MonthPayment, 'paidAt'> {
  const { id, name, email, accountId, what, receiptNumber, amount, amountRefunded, currency, dispute } = row
  const { couponCode, discount, reference } = row
  return {
    id,
    name,
    email,
    accountId,
    what,
    receiptNumber,
    amount,
    amountRefunded,
    currency,
    dispute,
    kind: 'dues',
    refundable: false,
    paidBy: describeManualPayment(reference) ?? 'Card',
    ...(couponCode !== null && { coupon: { code: couponCode, amount: discount } }),
  }
}

function remarkOf({ dispute, coupon, reason, note }: MonthPayment): string {
  return [
    ...(note === undefined ? [] : [note]),
    ...(dispute ? [`dispute ${dispute}`] : []),
    ...(reason === undefined ? [] : [reason]),
    ...(coupon ? [`code ${coupon.code}, ${formatCents(coupon.amount)} off`] : []),
  ].join('; ')
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
