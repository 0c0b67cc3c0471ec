import type { AppContext } from '#server/app-context.ts'
import type { getPayout, listPayouts, PayoutLineView } from '#contract/console/money/payouts.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Problem } from '#server/lib/problem.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { PaymentProviderError, type PayoutLine } from '#server/stripe/payment-gateway.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { moneyCell, writeCsv, type CsvCell } from '#server/lib/csv/csv.ts'
import { nextMonth } from './months.rules.ts'
import { findPayers } from './payers.repository.ts'

/** Payouts are read from the card provider each time, since only it knows its fees and dates. */
export function createPayoutsService({ db, clock, gateway, timeZone }: AppContext) {
  const list = (month: string) =>
    orProviderAway(gateway.listPayouts({ from: `${month}-01`, to: `${nextMonth(month)}-01` }))

  async function withPayers(lines: readonly PayoutLine[]): Promise<PayoutLineView[]> {
    const intents = lines.flatMap(({ paymentIntentId }) => paymentIntentId ?? [])
    const paidBy = await findPayers(db, [...new Set(intents)])
    return lines.map(({ paymentIntentId, at, description, kind, amount, fee, net }) => {
      const known = paidBy.get(paymentIntentId ?? '')
      const payer = known ?? { name: description, what: '', receiptNumber: '', accountId: null }
      return { kind, at: new Date(at).toISOString(), ...payer, amount, fee, net }
    })
  }

  return {
    /** @param month 'YYYY-MM' @throws Problem PROVIDER_AWAY */
    async list(month: string): Promise<ReplyOf<typeof listPayouts>> {
      return { payouts: await list(month) }
    },

    /** @throws Problem NOT_FOUND, PROVIDER_AWAY */
    async read(payoutId: string): Promise<ReplyOf<typeof getPayout>> {
      const found = await orProviderAway(gateway.readPayout(payoutId))
      if (!found) throw new Problem('NOT_FOUND')
      const { payout, lines } = found
      return { payout, lines: await withPayers(lines), fees: lines.reduce((sum, { fee }) => sum + fee, 0) }
    },

    /** Recorded in the audit log, since it names people and what they paid. @throws Problem PROVIDER_AWAY */
    async export(by: Officer, month: string): Promise<ServedFile> {
      const rows: CsvCell[][] = []
      for (const { id, arrivesOn, currency } of await list(month)) {
        const found = await orProviderAway(gateway.readPayout(id))
        for (const line of await withPayers(found?.lines ?? []))
          rows.push([
            id,
            arrivesOn,
            dayOf(Date.parse(line.at), timeZone),
            line.kind,
            line.receiptNumber,
            line.name,
            line.what,
            moneyCell(line.amount),
            moneyCell(line.fee),
            moneyCell(line.net),
            currency.toUpperCase(),
          ])
      }
      const details = { month, lines: rows.length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'payouts.exported', subjectId: by.accountId, details },
        clock.now(),
      )
      return { filename: `payouts-${month}.csv`, content: new TextEncoder().encode(writeCsv([HEADING, ...rows])) }
    },
  }
}

export type PayoutsService = ReturnType<typeof createPayoutsService>

const HEADING = ['payout', 'inTheBankOn', 'day', 'kind', 'receipt', 'name', 'for', 'amount', 'fee', 'net', 'currency']

/** @throws Problem PROVIDER_AWAY if the card provider does not respond */
export async function orProviderAway<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof PaymentProviderError) throw new Problem('PROVIDER_AWAY')
    throw error
  }
}
