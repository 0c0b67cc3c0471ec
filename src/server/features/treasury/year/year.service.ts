import { region } from '#contract/region.ts'
import type { AppContext } from '#server/app-context.ts'
import { KIND_NAMES, PAYMENT_KINDS } from '#contract/console/money/payments.ts'
import type { getYear, saveAccounting, YearBasis } from '#contract/console/money/year.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { moneyCell, writeCsv, type CsvCell } from '#server/lib/csv/csv.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { SINGLE_RECORD_ID } from '#server/features/content-store/content-kind.rules.ts'
import { lockContent } from '#server/features/content-store/content.commands.ts'
import { endOfDay } from '#server/features/content-store/event-times.rules.ts'
import type { BulkContentEditor } from '#server/features/content/record-writer.service.ts'
import { METHOD_LABELS } from '#server/features/orders/payments/manual-payment.rules.ts'
import { yearBefore, yearOfDay, yearSpan } from './fiscal-year.rules.ts'
import { sumLedger, type LedgerSum } from '#server/features/orders/payments/ledger.queries.ts'

const ACCOUNTING = { kind: 'settings-accounting', id: SINGLE_RECORD_ID } as const

/** The totals of a year, and the settings of the books. */
export function createYearService(
  { db, clock, timeZone, settings, cache }: AppContext,
  { content }: { content: Pick<BulkContentEditor, 'publish'> },
) {
  const sum = (rows: readonly LedgerSum[], which: (row: LedgerSum) => boolean = () => true) =>
    rows.filter(which).reduce((total, { amount }) => total + amount, 0)
  const isReturn = ({ type }: LedgerSum) => type === 'refund' || type === 'dispute'
  const refunded = (rows: readonly LedgerSum[]) => 0 - sum(rows, isReturn)
  // A canceled record was never received; it is no refund.
  const received = (rows: readonly LedgerSum[]) => sum(rows, (row) => !isReturn(row))

  async function read(
    by: Officer,
    { year: asked, basis }: { year?: number | undefined; basis: YearBasis },
  ): Promise<ReplyOf<typeof getYear>> {
    const { fiscalYearBeginsIn, accounts } = settings().accounting
    const today = dayOf(clock.now(), timeZone)
    const year = asked ?? yearOfDay(today, basis, fiscalYearBeginsIn)
    const span = yearSpan(year, basis, fiscalYearBeginsIn)
    const last = yearSpan(year - 1, basis, fiscalYearBeginsIn)
    const startsOf = (months: readonly string[]) => months.map((month) => startOfDay(`${month}-01`, timeZone))
    // Until the same day, once the year is under way; afterwards all of it.
    const until = today < span.to ? endOfDay(yearBefore(today < span.from ? span.from : today), timeZone) : Infinity
    const rows = await sumLedger(db, { starts: startsOf(span.months), to: endOfDay(span.to, timeZone) })
    const earlierEnd = endOfDay(last.to, timeZone)
    const earlier = await sumLedger(db, {
      starts: [...startsOf(last.months), ...(until < earlierEnd ? [until] : [])],
      to: earlierEnd,
    })
    const toDate = earlier.filter(({ at }) => at < until)
    const monthOf = ({ at }: LedgerSum) => dayOf(at, timeZone).slice(0, 7)
    const byMonth = Map.groupBy(rows, monthOf)
    const byMonthBefore = Map.groupBy(earlier, monthOf)
    const months = span.months.map((month, index) => {
      const own = byMonth.get(month) ?? []
      const of = (kind: LedgerSum['kind']) => sum(own, (row) => row.kind === kind)
      return {
        month,
        dues: of('dues'),
        seats: of('seats'),
        sponsorship: of('sponsorship'),
        refunded: refunded(own),
        revenue: sum(own),
        before: sum(byMonthBefore.get(last.months[index] ?? '') ?? []),
      }
    })
    const kinds = PAYMENT_KINDS.map((kind) => {
      const own = rows.filter((row) => row.kind === kind)
      const isOwn = (row: LedgerSum) => row.kind === kind
      const all = received(own)
      const revenue = sum(own)
      return {
        kind,
        received: all,
        refunded: refunded(own),
        revenue,
        before: sum(earlier, isOwn),
        beforeToDate: sum(toDate, isOwn),
      }
    })
    const methods = [
      ...Map.groupBy(
        rows.filter(({ amount }) => amount !== 0),
        ({ method }) => method,
      ),
    ].map(([method, own]) => ({
      method: METHOD_LABELS[method],
      received: received(own),
      refunded: refunded(own),
    }))
    const revenue = sum(rows)
    return {
      year,
      basis,
      label: span.label,
      from: span.from,
      to: span.to,
      currency: rows[0]?.currency ?? region().currency,
      months,
      kinds,
      methods: methods.sort((a, b) => b.received - a.received),
      total: {
        received: received(rows),
        refunded: refunded(rows),
        revenue,
        before: sum(earlier),
        beforeToDate: sum(toDate),
      },
      fiscalYearBeginsIn,
      accounts,
      mayChange: by.permissions.includes('money.change'),
    }
  }

  return {
    read,

    async export(by: Officer, asked: { year?: number | undefined; basis: YearBasis }): Promise<ServedFile> {
      const { label, months, total, kinds } = await read(by, asked)
      const heading = ['Month', ...PAYMENT_KINDS.map((kind) => KIND_NAMES[kind]), 'Refunded', 'Revenue', 'Year before']
      const rows = months.map(({ month, dues, seats, sponsorship, refunded, revenue, before }): CsvCell[] => [
        month,
        ...[dues, seats, sponsorship, refunded, revenue, before].map(moneyCell),
      ])
      const sums = [...kinds.map(({ revenue }) => revenue), total.refunded, total.revenue, total.before]
      const content = writeCsv([heading, ...rows, ['Total', ...sums.map(moneyCell)]])
      return { filename: `income-${label}.csv`, content: new TextEncoder().encode(content) }
    },

    /** Kept with its versions, like every setting. */
    async saveAccounting(by: Officer, wanted: BodyOf<typeof saveAccounting>): Promise<ReplyOf<typeof saveAccounting>> {
      await db.transaction().execute(async (tx) => {
        await lockContent(tx)
        await content.publish(tx, by.accountId, ACCOUNTING, wanted)
      })
      await cache.refresh()
      return wanted
    },
  }
}

export type YearService = ReturnType<typeof createYearService>
