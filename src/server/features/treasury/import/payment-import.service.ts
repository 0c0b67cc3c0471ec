import { createHash } from 'node:crypto'
import type { AppContext } from '#server/app-context.ts'
import {
  PAYMENT_COLUMN_NAMES,
  PAYMENT_COLUMNS,
  PAYMENT_FILE_MAX_ROWS,
  PAYMENT_ROWS_SHOWN,
  type listPaymentImports,
  type PaymentColumn,
  type PaymentFile,
} from '#contract/console/money/payment-imports.ts'
import { errors } from '#contract/errors.ts'
import { writesDayFirst } from '#contract/dates/day-order.ts'
import { region } from '#contract/region.ts'
import { dayOf } from '#contract/dates/dates.ts'
import { addDays } from '#contract/dates/days.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { Tx } from '#server/db/database.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import type { Officer } from '#server/http/serve.ts'
import { countCell, detectSeparator, readCsvRows, writeCsv, type CsvRow } from '#server/lib/csv/csv.ts'
import { readsDayFirst } from '#server/lib/csv/read-day.rules.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { newId } from '#server/lib/ids.ts'
import { startOfDay } from '#server/lib/local-time.rules.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { lockAccount } from '#server/features/accounts/account.commands.ts'
import { findAccount, findAccountByEmail } from '#server/features/accounts/account.queries.ts'
import { levelsByKey, type Level } from '#server/features/levels/level.queries.ts'
import { recordPayment } from '#server/features/memberships/payments/payment.commands.ts'
import { noonUtc } from '#server/features/memberships/term-days.rules.ts'
import type { ActAuthorizer } from '#server/features/officers/approvals/act-guard.service.ts'
import { manualReference } from '#server/features/orders/payments/manual-payment.rules.ts'
import { receiptNumber } from '#server/features/orders/payments/receipt-number.rules.ts'
import { readPastPayment, recognizePaymentColumns, type PastPayment } from './payment-file.rules.ts'
import {
  beginPaymentUndo,
  deleteImportedPayment,
  hasPaymentImport,
  hasSamePayment,
  hasStatementSince,
  levelOf,
  listImportedPayments,
  listPaymentImportFiles,
  savePaymentImport,
} from './payment-import.repository.ts'

const LISTED = 10

interface Given {
  filename: string
  columns?: string | undefined
}

type Verdict = 'new' | 'known' | 'wrong'

interface Judged {
  line: number
  email: string
  verdict: Verdict
  sentence: string
  payment: PastPayment | null
  accountId: string
  level: Level | null
}

/** Past payments of dues from a file: each row is judged before anything is written, then the new ones are recorded as history, and an import can be undone. */
export function createPaymentImports(ctx: AppContext, { guard }: { guard: ActAuthorizer }) {
  const { db, clock, timeZone, yearOf } = ctx

  async function judge(tx: Tx, by: Officer, rows: readonly CsvRow[], columns: readonly (PaymentColumn | null)[]) {
    const levels = await levelsByKey(tx)
    const seen = new Set<string>()
    const judged: Judged[] = []
    const isDays = (column: PaymentColumn | null) => column === 'paidOn' || column === 'endsOn'
    const days = rows.flatMap(({ cells }) => cells.filter((_, index) => isDays(columns[index] ?? null)))
    const isDayFirst = readsDayFirst(days, writesDayFirst(region().country))
    for (const { line, cells } of rows) {
      const cell = (column: PaymentColumn) => cells[columns.indexOf(column)]?.trim() ?? ''
      const row = { line, email: cell('email'), accountId: '', level: null, payment: null }
      const wrong = (sentence: string) => void judged.push({ ...row, verdict: 'wrong', sentence })
      const known = (sentence: string) => void judged.push({ ...row, verdict: 'known', sentence })
      const read = readPastPayment(cell, dayOf(clock.now(), timeZone), isDayFirst)
      if ('sentence' in read) {
        wrong(read.sentence)
        continue
      }
      const { payment } = read
      const account = await findAccountByEmail(tx, payment.email)
      if (!account) {
        wrong('No account has this email. Import its member first.')
        continue
      }
      const refusal = await guard.refusal(tx, { act: 'recordPayments', by: by.accountId, on: account.id })
      if (refusal !== null) {
        wrong(errors[refusal].message)
        continue
      }
      const level = await levelOf(tx, account.id, payment.level, levels)
      if (!level) {
        wrong(
          payment.level === ''
            ? 'The row has no level, and its member has none.'
            : `There is no level "${payment.level}".`,
        )
        continue
      }
      if (payment.currency !== '' && payment.currency !== level.currency) {
        wrong(`The currency is ${payment.currency.toUpperCase()}; this site counts ${level.currency.toUpperCase()}.`)
        continue
      }
      if (account.deactivatedBy !== null) {
        wrong(errors.ACCOUNT_CLOSED.message)
        continue
      }
      const references = payment.methods.map((method) => manualReference(account.id, { ...payment, method }))
      const double = [
        ...references.map((one) => one.toLowerCase()),
        `${account.id} ${payment.paidOn} ${payment.amount}`,
      ]
      if (double.some((key) => seen.has(key))) {
        known('Another row of the file has the same payment.')
        continue
      }
      for (const key of double) seen.add(key)
      const day = {
        from: startOfDay(payment.paidOn, timeZone),
        to: startOfDay(addDays(payment.paidOn, 1), timeZone),
      }
      const same = { accountId: account.id, references, providerId: payment.reference, amount: payment.amount, ...day }
      if (await hasSamePayment(tx, same)) {
        known('Is recorded already, with the same reference or the same day and amount.')
        continue
      }
      judged.push({
        ...row,
        accountId: account.id,
        level,
        payment,
        verdict: 'new',
        sentence: `Is recorded for ${level.name}.`,
      })
    }
    return judged
  }

  return {
    /** A dry run. @throws Problem INVALID_INPUT with a message for the file */
    async check(by: Officer, given: Given, bytes: Uint8Array): Promise<PaymentFile> {
      const { headings, rows } = readFile(bytes)
      const columns = columnsOf(headings, given)
      const judged = await db.transaction().execute((tx) => judge(tx, by, rows, columns))
      const skipped = judged.filter(({ verdict }) => verdict !== 'new')
      const head = ['Line', 'Email', 'What happens']
      return {
        digest: digestOf(bytes),
        columns: headings.map((heading, index) => ({
          heading,
          column: columns[index] ?? null,
          sample: rows[0]?.cells[index]?.trim() ?? '',
        })),
        counts: {
          new: judged.length - skipped.length,
          known: skipped.filter(({ verdict }) => verdict === 'known').length,
          wrong: skipped.filter(({ verdict }) => verdict === 'wrong').length,
          total: judged.reduce((sum, { payment }) => sum + (payment?.amount ?? 0), 0),
        },
        skipped: skipped.slice(0, PAYMENT_ROWS_SHOWN).map(({ line, email, sentence }) => ({ line, email, sentence })),
        verdicts: writeCsv([head, ...judged.map(({ line, email, sentence }) => [countCell(line), email, sentence])]),
      }
    },

    /** Records the new payments, as of now: no receipt is emailed, and no membership changes. @throws Problem INVALID_INPUT, CHANGED_MEANWHILE */
    async import(
      by: Officer,
      { digest, ...given }: Given & { digest: string },
      bytes: Uint8Array,
    ): Promise<{ recorded: number }> {
      if (digestOf(bytes) !== digest) throw new Problem('CHANGED_MEANWHILE')
      const { headings, rows } = readFile(bytes)
      const columns = columnsOf(headings, given)
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const ids: string[] = []
        for (const { payment, accountId, level } of await judge(tx, by, rows, columns)) {
          if (!payment || !level) continue
          const id = newId(now)
          const paidAt = Math.min(noonUtc(payment.paidOn), now)
          const isNew = await recordPayment(
            tx,
            {
              id,
              accountId,
              checkoutId: null,
              paymentIntentId: null,
              purpose: 'renewal',
              levelKey: level.key,
              amount: payment.amount,
              currency: level.currency,
              paidAt,
              activatedAt: paidAt,
              // The earlier system sent one.
              receiptSentAt: paidAt,
              reference: manualReference(accountId, payment),
              receiptNumber: receiptNumber(id, paidAt, yearOf),
              periodEndsAt: payment.endsOn === null ? null : noonUtc(payment.endsOn),
            },
            now,
          )
          if (isNew) ids.push(id)
        }
        if (ids.length === 0) return { recorded: 0 }
        const file = { id: newId(now), filename: given.filename, importedAt: now, importedBy: by.accountId }
        await savePaymentImport(tx, file, ids)
        const details = { batch: file.id, filename: given.filename, payments: ids.length }
        const entry = { actor: by.accountId, action: 'payments.imported' as const, subjectId: file.id, details }
        await writeAudit(tx, entry, now)
        return { recorded: ids.length }
      })
    },

    async list(): Promise<ReplyOf<typeof listPaymentImports>> {
      const files = await listPaymentImportFiles(db, LISTED)
      const imports = await Promise.all(
        files.map(async ({ id, filename, payments, importedAt, importedBy, undoneAt }) => {
          const officer = await findAccount(db, importedBy)
          return {
            id,
            filename,
            payments,
            at: new Date(importedAt).toISOString(),
            by: officer ? `${officer.firstName} ${officer.lastName}` : 'An officer',
            undoneAt: undoneAt === null ? null : new Date(undoneAt).toISOString(),
          }
        }),
      )
      return { imports }
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE if it was undone before */
    async undo(by: Officer, id: string): Promise<{ removed: number; kept: number }> {
      if (!(await hasPaymentImport(db, id))) throw new Problem('NOT_FOUND')
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const file = await beginPaymentUndo(tx, id, { by: by.accountId, now })
        if (!file) throw new Problem('CHANGED_MEANWHILE')
        let removed = 0
        for (const [accountId, payments] of Map.groupBy(await listImportedPayments(tx, id), (one) => one.accountId)) {
          await lockAccount(tx, accountId)
          const refusal = await guard.refusal(tx, { act: 'recordPayments', by: by.accountId, on: accountId })
          if (refusal !== null) continue
          for (const { id: paymentId, paidAt, recordedAt } of payments) {
            const year = Number(dayOf(paidAt, timeZone).slice(0, 4))
            if (await hasStatementSince(tx, { accountId, year, since: recordedAt })) continue
            if (await deleteImportedPayment(tx, paymentId)) removed++
          }
        }
        const result = { removed, kept: file.payments - removed }
        const details = { batch: id, filename: file.filename, ...result }
        const entry = { actor: by.accountId, action: 'payments.import_undone' as const, subjectId: id, details }
        await writeAudit(tx, entry, now)
        return result
      })
    },
  }
}

export type PaymentImports = ReturnType<typeof createPaymentImports>

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** @throws Problem INVALID_INPUT with a message for the file */
function readFile(bytes: Uint8Array): { headings: string[]; rows: CsvRow[] } {
  let lines: CsvRow[]
  try {
    const text = decodeSpreadsheet(bytes)
    lines = readCsvRows(text, detectSeparator(text))
  } catch (error) {
    throw fieldProblem('file', (error as Error).message)
  }
  const [heading, ...rows] = lines
  if (!heading || rows.length === 0)
    throw fieldProblem(
      'file',
      'The file has no rows. The first line names the columns; each further line is one payment.',
    )
  if (rows.length > PAYMENT_FILE_MAX_ROWS)
    throw fieldProblem(
      'file',
      `The file has more than ${PAYMENT_FILE_MAX_ROWS.toLocaleString('en-US')} rows. Split it.`,
    )
  return { headings: heading.cells.map((name) => name.trim()), rows }
}

/** @throws Problem INVALID_INPUT for a column that was chosen twice */
function columnsOf(headings: readonly string[], { columns }: Given): (PaymentColumn | null)[] {
  if (columns === undefined) return recognizePaymentColumns(headings)
  const chosen = columns.split(',').map((name) => PAYMENT_COLUMNS.find((one) => one === name) ?? null)
  const twice = chosen.find((column, index) => column !== null && chosen.indexOf(column) !== index)
  if (twice) throw fieldProblem('columns', `Two columns of the file are ${PAYMENT_COLUMN_NAMES[twice]}. Choose one.`)
  return headings.map((_, index) => chosen[index] ?? null)
}
