import type { AppContext } from '#server/app-context.ts'
import { KIND_NAMES, PAYMENT_KINDS } from '#contract/console/money/payments.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { formatMoney } from '#contract/money.ts'
import { renderPdf } from '#server/emails/receipt-pdf.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { endOfDay } from '#server/features/content-store/event-times.rules.ts'
import { describeManualPayment } from '#server/features/orders/payments/manual-payment.rules.ts'
import { listStatementLines, type StatementLine } from './statement.repository.ts'

const TYPES = { payment: '', refund: 'Refund of ', dispute: 'Returned by the bank: ', canceled: 'Canceled: ' } as const

export type StatementContext = Pick<AppContext, 'db' | 'clock' | 'timeZone' | 'settings' | 'association'>

/** A calendar year. */
export const spanOf = (year: number, timeZone: string) => ({
  from: startOfDay(`${year}-01-01`, timeZone),
  to: endOfDay(`${year}-12-31`, timeZone),
})

/** The statement of a calendar year of one account; null if nothing was paid. */
export async function printStatement(
  { db, clock, timeZone, settings, association }: StatementContext,
  accountId: string,
  year: number,
): Promise<{ filename: string; pdf: Uint8Array; details: [string, string][] } | null> {
  const account = await findAccount(db, accountId)
  if (!account) return null
  const lines = await listStatementLines(db, account, spanOf(year, timeZone))
  const [first] = lines
  if (!first) return null
  const money = (cents: number) => formatMoney(cents, first.currency)
  const sum = (some: readonly StatementLine[]) => some.reduce((total, { amount }) => total + amount, 0)
  const details: [string, string][] = [
    ['For', `${account.firstName} ${account.lastName}`],
    ['Year', String(year)],
    ...lines.map(({ type, at, what, receiptNumber, amount, reference }): [string, string] => [
      formatLongDate(at, timeZone),
      `${TYPES[type]}${what}, receipt ${receiptNumber}${type === 'payment' ? `, ${describeManualPayment(reference) ?? 'card'}` : ''}: ${money(amount)}`,
    ]),
    ...PAYMENT_KINDS.flatMap((kind): [string, string][] => {
      const own = lines.filter((line) => line.kind === kind)
      return own.length === 0 ? [] : [[KIND_NAMES[kind], money(sum(own))]]
    }),
    ['Total', `${money(sum(lines))} ${first.currency.toUpperCase()}`],
  ]
  const paper = {
    title: `Statement ${year}`,
    heading: `Statement ${year}`,
    createdAt: Math.min(clock.now(), spanOf(year, timeZone).to),
    details,
    notes: [settings().sponsorship.taxWording],
  }
  return { filename: `statement-${year}.pdf`, pdf: await renderPdf(paper, await association()), details }
}
