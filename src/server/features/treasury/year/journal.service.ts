import type { AppContext } from '#server/app-context.ts'
import type { exportJournal } from '#contract/console/money/year.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { moneyCell, writeCsv, type CsvCell } from '#server/lib/csv/csv.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { endOfDay } from '#server/features/content-store/event-times.rules.ts'
import { orProviderAway } from '../payouts.service.ts'
import { journalOf, summarizeByDay, type AccountNames, type JournalEntry } from './journal.rules.ts'
import { listLines } from '../payment-lines.repository.ts'

const ALL = 1_000_000
const BYTE_ORDER_MARK = '\ufeff'

/** The journal for the accountant. The card provider is asked for its fees each time, since only it knows them. */
export function createJournalService({ db, clock, gateway, timeZone, settings }: AppContext) {
  async function journalBetween(from: string, to: string): Promise<JournalEntry[]> {
    const span = { from: startOfDay(from, timeZone), to: endOfDay(to, timeZone) }
    const rows = await listLines(db, span, { sort: 'day', order: 'asc', limit: ALL })
    const [lines, payouts] = await orProviderAway(
      Promise.all([gateway.listBalanceLines(span), gateway.listPayouts({ from, to: dayAfter(to) })]),
    )
    return journalOf(
      rows.map((row) => ({ ...row, day: dayOf(row.at, timeZone), memo: `${row.name}, ${row.what}` })),
      { lines: lines.map((line) => ({ ...line, day: dayOf(line.at, timeZone) })), payouts },
    )
  }

  return {
    /** Recorded in the audit log, since it names people and what they paid. @throws Problem PROVIDER_AWAY */
    async export(by: Officer, { from, to, format }: QueryOf<typeof exportJournal>): Promise<ServedFile> {
      const entries = await journalBetween(from, to)
      const details = { from, to, format, entries: entries.length }
      await writeAudit(
        db,
        { actor: by.accountId, action: 'journal.exported', subjectId: by.accountId, details },
        clock.now(),
      )
      const { accounts } = settings().accounting
      const text = format === 'csv' ? journalCsv(entries, accounts) : quickBooksCsv(summarizeByDay(entries), accounts)
      const name = format === 'csv' ? 'journal' : 'quickbooks-journal'
      return { filename: `${name}-${from}-to-${to}.csv`, content: new TextEncoder().encode(text) }
    },
  }
}

export type JournalService = ReturnType<typeof createJournalService>

/** A blank cell on the other side, as accountants expect. */
const side = (cents: number): CsvCell => (cents === 0 ? '' : moneyCell(cents))

function journalCsv(entries: readonly JournalEntry[], accounts: AccountNames): string {
  const rows = entries.flatMap(({ day, reference, memo, lines }, index) =>
    lines.map(({ account, debit, credit }): CsvCell[] => [
      day,
      String(index + 1),
      accounts[account],
      side(debit),
      side(credit),
      memo,
      reference,
    ]),
  )
  return writeCsv([['Date', 'Entry', 'Account', 'Debit', 'Credit', 'Memo', 'Reference'], ...rows])
}

/** The columns that QuickBooks Online expects of journal entries: rows with one number are one entry. It does not read a byte order mark. */
function quickBooksCsv(entries: readonly JournalEntry[], accounts: AccountNames): string {
  const rows = entries.flatMap(({ day, memo, lines }) =>
    lines.map(({ account, debit, credit }): CsvCell[] => [
      `WEB-${day}`,
      `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`,
      accounts[account],
      side(debit),
      side(credit),
      `${memo} ${day}`,
    ]),
  )
  const heading = ['JournalNo', 'JournalDate', 'AccountName', 'Debits', 'Credits', 'Description']
  return writeCsv([heading, ...rows]).replace(BYTE_ORDER_MARK, '')
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
