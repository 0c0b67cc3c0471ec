import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import {
  KIND_NAMES,
  PAYMENT_KINDS,
  STATE_NAMES,
  type listPayments,
  type PaymentLine,
  type PaymentQuery,
} from '#contract/console/money/payments.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { moneyCell, writeLongCsv, type CsvCell } from '#server/lib/csv/csv.ts'
import { endOfDay } from '#server/features/content-store/event-times.rules.ts'
import { countMemberRows, ALL_MEMBERS } from '#server/features/member-admin/member-list.queries.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { countRefundsDue, listLines, sumLines, type LineFilter, type LineRow } from './payment-lines.repository.ts'
import { paymentState } from './payment/received-payment.service.ts'

/** More lines than any span of an association has; a file has all of them. */
const ALL = 1_000_000

type Query = PaymentQuery

export function createPaymentListService({ db, clock, timeZone, graceMs }: AppContext) {
  const filterOf = ({ from, to, ...rest }: Query): LineFilter => ({
    ...rest,
    from: startOfDay(from, timeZone),
    to: endOfDay(to, timeZone),
  })

  return {
    async list(
      by: Officer,
      { page, size, ...query }: Query & { page: number; size: number },
    ): Promise<ReplyOf<typeof listPayments>> {
      const filter = filterOf(query)
      const moment = { now: clock.now(), graceMs: graceMs() }
      const summed = sumLines(db, { ...filter, kind: undefined }).then((byKind) => {
        const shown = byKind.filter(({ kind }) => query.kind === undefined || kind === query.kind)
        const sum = (key: 'received' | 'refunded' | 'lines' | 'payments' | 'refunds') =>
          shown.reduce((total, one) => total + one[key], 0)
        return { byKind, sum, total: sum('lines') }
      })
      const ofPage = { ...query, offset: (page - 1) * size, limit: size }
      const [rows, { byKind, sum, total }, failing, refundsDue] = await Promise.all([
        query.sort === 'name'
          ? summed.then(({ total: matching }) => listLines(db, filter, { ...ofPage, matching }))
          : listLines(db, filter, ofPage),
        summed,
        countMemberRows(db, { ...ALL_MEMBERS, states: ['PAST_DUE'] }, moment),
        countRefundsDue(db),
      ])
      return {
        lines: rows.map(toLine),
        total,
        sums: {
          received: sum('received'),
          refunded: sum('refunded'),
          revenue: sum('received') - sum('refunded'),
          payments: sum('payments'),
          refunds: sum('refunds'),
        },
        kinds: PAYMENT_KINDS.map((kind) => {
          const one = byKind.find((found) => found.kind === kind)
          return { kind, revenue: (one?.received ?? 0) - (one?.refunded ?? 0), lines: one?.lines ?? 0 }
        }),
        currency: rows[0]?.currency ?? region().currency,
        failing,
        refundsDue,
        mayChange: by.permissions.includes('money.change'),
      }
    },

    /** Exactly the lines of the list. Recorded in the audit log, since it names people and what they paid. */
    async export(by: Officer, query: Query): Promise<ServedFile> {
      const rows = await listLines(db, filterOf(query), { ...query, limit: ALL })
      const { from, to } = query
      const details = { from, to, payments: rows.length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'payments.exported', subjectId: by.accountId, details },
        clock.now(),
      )
      const cells = rows.map((row): CsvCell[] => {
        const line = toLine(row)
        return [
          dayOf(row.at, timeZone),
          line.receiptNumber,
          KIND_NAMES[line.kind],
          TYPE_NAMES[line.type],
          line.what,
          line.name,
          line.email,
          line.paidBy,
          moneyCell(line.amount),
          line.currency.toUpperCase(),
          STATE_NAMES[line.state],
          line.note ?? '',
        ]
      })
      return { filename: `payments-${from}-to-${to}.csv`, content: await writeLongCsv([HEADING, ...cells]) }
    },
  }
}

export type PaymentListService = ReturnType<typeof createPaymentListService>

const HEADING = [
  'Day',
  'Receipt',
  'Kind',
  'Line',
  'For',
  'From',
  'Email',
  'Paid by',
  'Amount',
  'Currency',
  'Status',
  'Note',
]

const TYPE_NAMES: Record<PaymentLine['type'], string> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  canceled: 'Canceled receipt',
  complimentary: 'Complimentary term',
}

function toLine(row: LineRow): PaymentLine {
  const { id, paymentId, kind, type, name, email, accountId, what, receiptNumber, amount, currency } = row
  const isFree = type === 'complimentary'
  return {
    id,
    paymentId,
    kind,
    type,
    at: new Date(Number(row.at)).toISOString(),
    name,
    email,
    accountId,
    what,
    receiptNumber,
    paidBy: isFree
      ? 'Complimentary'
      : (describeManualPayment(row.reference) ?? (row.paid === 0 ? 'Nothing to pay' : 'Card')),
    amount,
    currency,
    state: isFree ? 'complimentary' : paymentState({ ...row, amount: row.paid }),
    note: noteOf(row),
  }
}

function noteOf({ note, couponCode, discount, currency, type }: LineRow): string | null {
  if (couponCode !== null && type === 'payment') return `Coupon ${couponCode}, ${formatMoney(discount, currency)} off`
  return type === 'canceled' || type === 'complimentary' ? note : null
}
