import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import {
  type chooseImportColumns,
  type correctImportRow,
  importColumnName,
  isOwnColumn,
  type ImportColumn,
  type ImportReport,
} from '#contract/console/import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import type { Officer } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { newId } from '#server/lib/ids.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import {
  beginImport,
  beginUndo,
  deleteUnconfirmedImport,
  listAllImportRows,
  replaceCorrectedRows,
  replaceImportRows,
  saveImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import { withEarlierChoices, columnsOf } from './import-columns.rules.ts'
import { eraseUnchangedRows, listOriginalRows } from './import-original.repository.ts'
import { findHeadings, rememberHeadings } from './import-heading.repository.ts'
import { queueNextRows } from './member-import-run.service.ts'
import { describeUndo, queueUndo } from './member-import-undo.service.ts'
import type { ImportReports } from './review/import-report.service.ts'
import type { RowReview } from './review/row-review.service.ts'
import { headingKey } from './systems/heading-key.rules.ts'
import { recognizeSystem } from './systems/import-systems.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'

/** Checks files of members, and imports their valid rows when an officer confirms. */
export function createMemberImportService(
  { db, clock, timeZone, cache, wakeOutbox }: AppContext,
  { reports, rowReview: { readLines, reviewRows } }: { reports: ImportReports; rowReview: RowReview },
) {
  const fields = () => recordColumns(fieldsInUse(cache.content().recordFields))

  return {
    /** Checks a file without importing anything. @throws Problem INVALID_INPUT with a message for the file */
    async check(by: Officer, filename: string, bytes: Uint8Array): Promise<ImportReport> {
      const lines = await readLines(bytes)
      const headings = (lines[0]?.cells ?? []).map((heading) => heading.trim())
      const system = recognizeSystem(headings)
      const columns = withEarlierChoices(headings, await findHeadings(db, headings.map(headingKey)), fields(), system)
      const now = clock.now()
      const startsOn = dayOf(now, timeZone)
      const rows = await reviewRows(lines, { columns, startsOn, system })
      const id = newId(now)
      await saveImportFile(
        db,
        { id, filename, officerId: by.accountId, headings, columns, startsOn, system },
        rows,
        now,
      )
      return reports.describe(id)
    },

    /**
     * Checks a file again with other columns, and remembers them for the next file with these headings.
     * @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed, INVALID_INPUT for a column that was chosen twice
     */
    async chooseColumns(id: string, given: BodyOf<typeof chooseImportColumns>): Promise<ImportReport> {
      const file = await reports.require(id)
      const startsOn = given.startsOn ?? file.startsOn
      const system = given.system === undefined ? file.system : given.system
      const columns = given.columns ?? recognizeColumns(file.headings, fields(), system)
      if (file.state !== 'checked' || columns.length !== file.headings.length) throw new Problem('CHANGED_MEANWHILE')
      const twice = columns.find(
        (column, index) => column !== null && column !== 'status' && columns.indexOf(column) !== index,
      )
      const names = { fields: fields().map(({ id: column, name }) => ({ column, name })) }
      if (twice)
        throw fieldProblem('columns', `Two columns of the file are ${importColumnName(twice, names)}. Choose one.`)
      const isKnown = (column: ImportColumn | null) =>
        column === null || isOwnColumn(column) || names.fields.some((one) => one.column === column)
      if (!columns.every(isKnown)) throw new Problem('CHANGED_MEANWHILE')
      const heading = { line: 1, cells: file.headings }
      const rows = await reviewRows([heading, ...(await listOriginalRows(db, id))], { columns, startsOn, system })
      if (!(await replaceImportRows(db, { id, columns: [...columns], startsOn, system }, rows)))
        throw new Problem('CHANGED_MEANWHILE')
      const chosen = file.headings.map((text, index) => [headingKey(text), columns[index] ?? null] as const)
      await rememberHeadings(db, new Map(chosen.filter(([key]) => key !== '')), clock.now())
      return reports.describe(id)
    },

    /**
     * Corrects a cell of a file that is not imported yet, and checks the rows again: another row can have the same address.
     * @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed, or if the cell is no longer as it was shown
     */
    async correct(
      id: string,
      line: number,
      { column, before, after }: BodyOf<typeof correctImportRow>,
    ): Promise<ImportReport> {
      const file = await reports.require(id)
      const columns = columnsOf(file, fields())
      const index = columns.indexOf(column)
      const stored = await listAllImportRows(db, id)
      const row = stored.find((one) => one.line === line)
      if (file.state !== 'checked' || !row || index < 0 || (row.original[index] ?? '') !== before)
        throw new Problem('CHANGED_MEANWHILE')
      const corrected = file.headings.map((_, at) => (at === index ? after : (row.original[at] ?? '')))
      const lines = stored.map((one) => ({ line: one.line, cells: one === row ? corrected : one.original }))
      const judged = await reviewRows([{ line: 1, cells: file.headings }, ...lines], { ...file, columns })
      const changed = judged.filter((one, at) => !isDeepStrictEqual(one, pickRow(stored[at])))
      const isReplaced = await db
        .transaction()
        .execute((tx) => replaceCorrectedRows(tx, { id, line, before: row.original }, changed))
      if (!isReplaced) throw new Problem('CHANGED_MEANWHILE')
      return reports.describe(id)
    },

    /** Starts importing the valid rows in the background. Idempotent: later calls only return the progress. @throws Problem NOT_FOUND */
    async confirm(by: Officer, id: string, { sendsInvitations }: { sendsInvitations: boolean }): Promise<ImportReport> {
      const { counts, filename } = await reports.line(await reports.require(id))
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginImport(tx, id, { by: by.accountId, sendsInvitations, now }))) return
        await eraseUnchangedRows(tx, id)
        const details = { batch: id, filename, ...counts, sendsInvitations }
        await writeAudit(tx, { actor: by.accountId, action: 'members.import_confirmed', subjectId: id, details }, now)
        await queueNextRows(tx, { importId: id, after: 0 }, now)
      })
      wakeOutbox()
      return reports.describe(id)
    },

    /** Starts deleting the imported accounts that have not been used since, in the background. @throws Problem NOT_FOUND, CHANGED_MEANWHILE until the import has finished */
    async undo(by: Officer, id: string): Promise<ImportReport> {
      const { filename, state } = await reports.require(id)
      if (state !== 'done') throw new Problem('CHANGED_MEANWHILE')
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginUndo(tx, id, { by: by.accountId, now }))) return
        const { removes, keeps } = await describeUndo(tx, id)
        const details = { batch: id, filename, removes, keeps }
        await writeAudit(tx, { actor: by.accountId, action: 'members.import_undone', subjectId: id, details }, now)
        await queueUndo(tx, { importId: id, after: '' }, now)
      })
      wakeOutbox()
      return reports.describe(id)
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed */
    async discard(id: string): Promise<void> {
      await reports.require(id)
      if (!(await deleteUnconfirmedImport(db, id))) throw new Problem('CHANGED_MEANWHILE')
    },
  }
}

export type MemberImportService = ReturnType<typeof createMemberImportService>

/** Without the columns that are not part of a verdict. */
function pickRow(stored: ImportRow | undefined): ImportRow | null {
  if (!stored) return null
  const { line, verdict, original, cells, changes, faults } = stored
  return { line, verdict, original, cells, changes, faults }
}
