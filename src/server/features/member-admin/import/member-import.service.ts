import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import {
  type chooseImportColumns,
  type chooseImportLevels,
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
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import { withEarlierChoices, columnsOf } from './import-columns.rules.ts'
import { eraseUnchangedRows, listOriginalRows } from './import-original.repository.ts'
import { findHeadings, rememberHeadings } from './import-heading.repository.ts'
import { levelsByKey } from '#server/features/levels/level.queries.ts'
import { saveEarlierLevel } from '#server/features/levels/level.commands.ts'
import { queueNextRows } from './member-import-run.service.ts'
import { describeUndo, queueUndo } from './member-import-undo.service.ts'
import type { ImportReports } from './review/import-report.service.ts'
import { choicesOf } from './review/level-names.rules.ts'
import type { RowReview } from './review/row-review.service.ts'
import { headingKey } from '#server/lib/heading-key.rules.ts'
import { recognizeSystem } from './systems/import-systems.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'

/** Checks files of members, and imports their valid rows when an officer confirms. */
export function createMemberImportService(
  { db, clock, timeZone, cache, wakeOutbox }: AppContext,
  { reports, rowReview: { readLines, reviewRows } }: { reports: ImportReports; rowReview: RowReview },
) {
  const fields = () => recordColumns(fieldsInUse(cache.content().recordFields))

  /** Stores what each row would do now. @throws Problem CHANGED_MEANWHILE if the file was confirmed meanwhile */
  async function checkAgain(file: ImportFile, given: Parameters<RowReview['reviewRows']>[1]): Promise<void> {
    const lines = [{ line: 1, cells: file.headings }, ...(await listOriginalRows(db, file.id))]
    const { rows, levelNames } = await reviewRows(lines, given)
    const { columns, startsOn, system } = given
    const isReplaced = await replaceImportRows(
      db,
      { id: file.id, columns: [...columns], startsOn, system, levelNames },
      rows,
    )
    if (!isReplaced) throw new Problem('CHANGED_MEANWHILE')
  }

  return {
    /** Checks a file without importing anything. @throws Problem INVALID_INPUT with a message for the file */
    async check(by: Officer, filename: string, bytes: Uint8Array): Promise<ImportReport> {
      const lines = await readLines(bytes)
      const headings = (lines[0]?.cells ?? []).map((heading) => heading.trim())
      const system = recognizeSystem(headings)
      const columns = withEarlierChoices(headings, await findHeadings(db, headings.map(headingKey)), fields(), system)
      const now = clock.now()
      const startsOn = dayOf(now, timeZone)
      const { rows, levelNames } = await reviewRows(lines, { columns, startsOn, system })
      const id = newId(now)
      await saveImportFile(
        db,
        { id, filename, officerId: by.accountId, headings, columns, startsOn, system, levelNames },
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
      await checkAgain(file, { columns, startsOn, system, choices: choicesOf(file.levelNames) })
      const chosen = file.headings.map((text, index) => [headingKey(text), columns[index] ?? null] as const)
      await rememberHeadings(db, new Map(chosen.filter(([key]) => key !== '')), clock.now())
      return reports.describe(id)
    },

    /**
     * Checks a file again with the levels that officers chose for names in it, and remembers them for the next file with these names.
     * @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed, INVALID_INPUT for a level that is gone
     */
    async chooseLevels(id: string, given: BodyOf<typeof chooseImportLevels>): Promise<ImportReport> {
      const file = await reports.require(id)
      if (file.state !== 'checked') throw new Problem('CHANGED_MEANWHILE')
      const levels = await levelsByKey(db)
      if (given.levels.some(({ levelKey }) => levelKey !== null && !levels.has(levelKey)))
        throw fieldProblem('levels', 'One of these levels is no longer there. Reload the page, and choose again.')
      const offered = new Set(file.levelNames?.map(({ key }) => key))
      const chosen = given.levels.filter(({ key }) => offered.has(key))
      const choices = [...choicesOf(file.levelNames), ...chosen.map(({ key, levelKey }) => [key, levelKey] as const)]
      await checkAgain(file, { ...file, columns: columnsOf(file, fields()), choices })
      // Rows without a level are another thing in every file.
      for (const { key: earlier, levelKey } of chosen)
        if (earlier !== '') await saveEarlierLevel(db, { earlier, levelKey }, clock.now())
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
      const heading = { line: 1, cells: file.headings }
      const choices = choicesOf(file.levelNames)
      const { rows, levelNames } = await reviewRows([heading, ...lines], { ...file, columns, choices })
      const changed = rows.filter((one, at) => !isDeepStrictEqual(one, pickRow(stored[at])))
      const isReplaced = await db
        .transaction()
        .execute((tx) => replaceCorrectedRows(tx, { id, line, before: row.original, levelNames }, changed))
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
