import type { Kysely } from 'kysely'
import type { listMonthPayments, MonthPayment } from '#contract/console-payments.ts'
import { dayOf, formatLongDate } from '#contract/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { moneyCell, writeCsv } from '#server/platform/csv.ts'
import { handWords } from '../membership/by-hand.rules.ts'
import { findComplimentaryBetween } from '../membership/complimentary.repository.ts'
import { returnedOf } from '../membership/payment-return.rules.ts'
import { countMemberRows, EVERYBODY } from '../membership/member-list.repository.ts'
import { startOfDay } from '#server/platform/local-time.rules.ts'
import { decimal, nextMonth } from './months.rules.ts'
import {
  findDuesBetween,
  findSeatsBetween,
  findSponsorshipsBetween,
  findVoidedBetween,
} from './month-payments.repository.ts'

export interface MonthPaymentsService {
  /** @param month 'YYYY-MM', of the association's calendar */
  list(by: Officer, month: string): Promise<ReplyOf<typeof listMonthPayments>>
  /** Written down: it names people and what they paid. */
  export(by: Officer, month: string): Promise<ServedFile>
}

export function createMonthPaymentsService({
  db,
  clock,
  timeZone,
  graceMs,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
}): MonthPaymentsService {
  async function find(month: string): Promise<MonthPayment[]> {
    const from = startOfDay(`${month}-01`, timeZone)
    const to = startOfDay(`${nextMonth(month)}-01`, timeZone)
    const [dues, voided, seats, sponsorships, complimentary] = await Promise.all([
      findDuesBetween(db, from, to),
      findVoidedBetween(db, from, to),
      findSeatsBetween(db, from, to),
      findSponsorshipsBetween(db, from, to),
      findComplimentaryBetween(db, from, to),
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
      // A line of its own, so that a month that is closed stays as it was.
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
    async list(by, month) {
      const payments = await find(month)
      const received = sum(payments.map(({ amount }) => amount))
      const returned = sum(payments.map(returnedOf))
      const moment = { now: clock.now(), graceMs: graceMs() }
      const failing = await countMemberRows(db, { ...EVERYBODY, state: 'PAST_DUE' }, moment)
      const mayRefund = by.permissions.includes('money.change')
      const currency = payments[0]?.currency ?? 'usd'
      return { payments, received, returned, kept: received - returned, currency, mayRefund, failing }
    },

    async export(by, month) {
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
        moneyCell(returnedOf(payment)),
        moneyCell(payment.amount - returnedOf(payment)),
        payment.currency.toUpperCase(),
        remarkOf(payment),
      ])
      return { filename: `payments-${month}.csv`, content: new TextEncoder().encode(writeCsv([HEADING, ...rows])) }
    },
  }
}

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
    paidBy: handWords(reference) ?? 'Card',
    ...(couponCode !== null && { coupon: { code: couponCode, amount: discount } }),
  }
}

function remarkOf({ dispute, coupon, reason, note }: MonthPayment): string {
  return [
    ...(note === undefined ? [] : [note]),
    ...(dispute ? [`dispute ${dispute}`] : []),
    ...(reason === undefined ? [] : [reason]),
    ...(coupon ? [`code ${coupon.code}, ${decimal(coupon.amount)} off`] : []),
  ].join('; ')
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
