import { isDeepStrictEqual } from 'node:util'
import type { AppContext } from '#server/app-context.ts'
import {
  CHANGED_ROWS_SHOWN,
  type chooseImportColumns,
  type correctImportRow,
  importColumnName,
  isOwnColumn,
  MEMBER_COLUMN_NAMES,
  type ImportColumn,
  IMPORT_MAX_ROWS,
  INVALID_ROWS_SHOWN,
  type ImportLine,
  type ImportReport,
} from '#contract/console/import.ts'
import { dayOf } from '#contract/dates/dates.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/audit-log/audit.repository.ts'
import { countCell, csvRows, detectSeparator, writeLongCsv, type CsvRow } from '#server/lib/csv/csv.ts'
import { newId } from '#server/lib/ids.ts'
import { collectYielding, mapYielding } from '#server/jobs/event-loop-yield.ts'
import { fieldProblem, Problem } from '#server/lib/problem.ts'
import { decodeSpreadsheet } from '#server/lib/csv/spreadsheet-text.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import {
  beginImport,
  beginUndo,
  countImportRows,
  deleteUnconfirmedImport,
  findImportFile,
  listAllImportRows,
  listImportFiles,
  listImportRows,
  replaceCorrectedRows,
  replaceImportRows,
  saveImportFile,
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import { withEarlierChoices, columnsOf } from './import-columns.rules.ts'
import { eraseUnchangedRows, findFirstRow, listOriginalRows } from './import-original.repository.ts'
import { findHeadings, rememberHeadings } from './import-heading.repository.ts'
import { findExistingAccounts } from './existing-accounts.repository.ts'
import { levelsByKey } from '#server/features/levels/level.queries.ts'
import { queueNextRows } from './member-import-run.service.ts'
import { describeUndo, queueUndo } from './member-import-undo.service.ts'
import { validateEachRow, type RowVerdict } from './member-import.rules.ts'
import { missingColumns, parseEachMemberRow, type MemberCells } from './member-rows.rules.ts'
import { headingKey } from './systems/heading-key.rules.ts'
import { isDayFirst, recognizeSystem } from './systems/import-systems.rules.ts'
import { recognizeColumns } from './systems/recognize-columns.rules.ts'

const IMPORTS_LISTED = 10

export function createMemberImportService({ db, clock, timeZone, graceMs, cache, wakeOutbox }: AppContext) {
  const fields = () => recordColumns(fieldsInUse(cache.content().recordFields))

  async function requireFile(id: string): Promise<ImportFile> {
    const file = await findImportFile(db, id)
    if (!file) throw new Problem('NOT_FOUND')
    return file
  }

  async function officerName(id: string): Promise<string> {
    const officer = await findAccount(db, id)
    return officer ? `${officer.firstName} ${officer.lastName}` : 'An officer'
  }

  async function lineOf(file: ImportFile): Promise<ImportLine & { done: number }> {
    const counted = await countImportRows(db, file.id)
    const counts = { rows: 0, new: 0, changed: 0, unchanged: 0, wrong: 0 }
    for (const { verdict, rows } of counted) {
      counts[verdict] = rows
      counts.rows += rows
    }
    return {
      id: file.id,
      filename: file.filename,
      state: file.state,
      by: await officerName(file.officerId),
      createdAt: iso(file.createdAt),
      finishedAt: file.finishedAt === null ? null : iso(file.finishedAt),
      undoneAt: file.undoneAt === null ? null : iso(file.undoneAt),
      counts,
      done: counted.reduce((sum, { done }) => sum + done, 0),
    }
  }

  async function report(file: ImportFile): Promise<ImportReport> {
    const { done, ...line } = await lineOf(file)
    const [wrong, changed] = await Promise.all([
      listImportRows(db, { fileId: file.id, verdict: 'wrong', limit: INVALID_ROWS_SHOWN }),
      file.state === 'checked'
        ? listImportRows(db, { fileId: file.id, verdict: 'changed', limit: CHANGED_ROWS_SHOWN })
        : [],
    ])
    const columns = columnsOf(file, fields())
    const first = file.state === 'checked' ? await findFirstRow(db, file.id) : null
    return {
      ...line,
      confirmedAt: file.confirmedAt === null ? null : iso(file.confirmedAt),
      sendsInvitations: file.sendsInvitations,
      system: file.system,
      columns: file.headings.map((heading, index) => ({
        heading,
        column: columns[index] ?? null,
        sample: first?.[index]?.trim() ?? '',
      })),
      fields: fields().map(({ id, name }) => ({ column: id, name })),
      startsOn: columns.includes('startedOn') ? null : file.startsOn,
      missing: file.state === 'checked' ? missingColumns(columns, file.startsOn) : [],
      progress: { done, total: line.counts.new + line.counts.changed },
      wrong: wrong.map((row) => ({
        line: row.line,
        email: row.cells?.email ?? '',
        faults: row.faults.map((fault) => ({
          ...fault,
          // Several columns can be the status, and the sentence quotes the one that counts.
          cell:
            fault.column && columns.indexOf(fault.column) === columns.lastIndexOf(fault.column)
              ? (row.original[columns.indexOf(fault.column)] ?? '')
              : '',
        })),
      })),
      changed: changed.map((row) => ({ line: row.line, email: row.cells?.email ?? '', changes: row.changes })),
      undo: file.state === 'done' ? await describeUndo(db, file.id) : null,
      undoBegunAt: file.undoBegunAt === null ? null : iso(file.undoBegunAt),
      undoneBy: file.undoneBy === null ? null : await officerName(file.undoneBy),
    }
  }

  async function judgeRows(
    lines: readonly CsvRow[],
    {
      columns,
      startsOn,
      system,
    }: Pick<ImportFile, 'startsOn' | 'system'> & { columns: readonly (ImportColumn | null)[] },
  ): Promise<ImportRow[]> {
    const levels = await levelsByKey(db)
    const format = { isDayFirst: isDayFirst(system), today: dayOf(clock.now(), timeZone) }
    const readings = await collectYielding(parseEachMemberRow(lines, levels, columns, fields(), startsOn, format))
    const emails = readings.map(({ cells }) => cells.email)
    const usernames = readings.map(({ cells }) => cells.username)
    const known = await findExistingAccounts(db, { emails, usernames }, { timeZone, graceMs: graceMs() })
    const verdicts = await collectYielding(validateEachRow(readings, known, fields()))
    return mapYielding(readings, (reading, index) =>
      toRow(reading, verdicts[index] ?? { kind: 'unchanged' }, lines[index + 1]?.cells ?? []),
    )
  }

  return {
    /** Checks a file without importing anything. @throws Problem INVALID_INPUT with a message for the file */
    async check(by: Officer, filename: string, bytes: Uint8Array): Promise<ImportReport> {
      const lines = await withFileErrors(() => readLines(bytes))
      const headings = (lines[0]?.cells ?? []).map((heading) => heading.trim())
      const system = recognizeSystem(headings)
      const columns = withEarlierChoices(headings, await findHeadings(db, headings.map(headingKey)), fields(), system)
      const now = clock.now()
      const startsOn = dayOf(now, timeZone)
      const rows = await judgeRows(lines, { columns, startsOn, system })
      const id = newId(now)
      await saveImportFile(
        db,
        { id, filename, officerId: by.accountId, headings, columns, startsOn, system },
        rows,
        now,
      )
      return report(await requireFile(id))
    },

    /**
     * Checks a file again with other columns, and remembers them for the next file with these headings.
     * @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed, INVALID_INPUT for a column that was chosen twice
     */
    async chooseColumns(id: string, given: BodyOf<typeof chooseImportColumns>): Promise<ImportReport> {
      const file = await requireFile(id)
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
      const rows = await judgeRows([heading, ...(await listOriginalRows(db, id))], { columns, startsOn, system })
      if (!(await replaceImportRows(db, { id, columns: [...columns], startsOn, system }, rows)))
        throw new Problem('CHANGED_MEANWHILE')
      const chosen = file.headings.map((text, index) => [headingKey(text), columns[index] ?? null] as const)
      await rememberHeadings(db, new Map(chosen.filter(([key]) => key !== '')), clock.now())
      return report(await requireFile(id))
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
      const file = await requireFile(id)
      const columns = columnsOf(file, fields())
      const index = columns.indexOf(column)
      const stored = await listAllImportRows(db, id)
      const row = stored.find((one) => one.line === line)
      if (file.state !== 'checked' || !row || index < 0 || (row.original[index] ?? '') !== before)
        throw new Problem('CHANGED_MEANWHILE')
      const corrected = file.headings.map((_, at) => (at === index ? after : (row.original[at] ?? '')))
      const lines = stored.map((one) => ({ line: one.line, cells: one === row ? corrected : one.original }))
      const judged = await judgeRows([{ line: 1, cells: file.headings }, ...lines], { ...file, columns })
      const changed = judged.filter((one, at) => !isDeepStrictEqual(one, pickRow(stored[at])))
      const isReplaced = await db
        .transaction()
        .execute((tx) => replaceCorrectedRows(tx, { id, line, before: row.original }, changed))
      if (!isReplaced) throw new Problem('CHANGED_MEANWHILE')
      return report(await requireFile(id))
    },

    async list(): Promise<ImportLine[]> {
      const files = await listImportFiles(db, IMPORTS_LISTED)
      return Promise.all(files.map(async (file) => lineOf(file)))
    },

    /** @throws Problem NOT_FOUND */
    describe: async (id: string): Promise<ImportReport> => report(await requireFile(id)),

    /** Starts importing the valid rows in the background. Idempotent: later calls only return the progress. @throws Problem NOT_FOUND */
    async confirm(by: Officer, id: string, { sendsInvitations }: { sendsInvitations: boolean }): Promise<ImportReport> {
      const { counts, filename } = await lineOf(await requireFile(id))
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginImport(tx, id, { by: by.accountId, sendsInvitations, now }))) return
        await eraseUnchangedRows(tx, id)
        const details = { batch: id, filename, ...counts, sendsInvitations }
        await writeAudit(tx, { actor: by.accountId, action: 'members.import_confirmed', subjectId: id, details }, now)
        await queueNextRows(tx, { importId: id, after: 0 }, now)
      })
      wakeOutbox()
      return report(await requireFile(id))
    },

    /** Starts deleting the imported accounts that have not been used since, in the background. @throws Problem NOT_FOUND, CHANGED_MEANWHILE until the import has finished */
    async undo(by: Officer, id: string): Promise<ImportReport> {
      const { filename, state } = await requireFile(id)
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
      return report(await requireFile(id))
    },

    /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it is confirmed */
    async discard(id: string): Promise<void> {
      await requireFile(id)
      if (!(await deleteUnconfirmedImport(db, id))) throw new Problem('CHANGED_MEANWHILE')
    },

    /** With the first day that was chosen for all rows, so that the corrected file keeps it. @throws Problem NOT_FOUND */
    async invalidRows(id: string): Promise<ServedFile> {
      const file = await requireFile(id)
      const { headings, startsOn } = file
      const isStartForAll = startsOn !== null && !columnsOf(file, fields()).includes('startedOn')
      const rows = await listImportRows(db, { fileId: id, verdict: 'wrong' })
      const content = await writeLongCsv([
        [...headings, ...(isStartForAll ? [MEMBER_COLUMN_NAMES.startedOn] : []), 'line', 'error', 'what to do'],
        ...rows.map(({ line, original, faults }) => [
          ...headings.map((_, index) => original[index] ?? ''),
          ...(isStartForAll ? [startsOn] : []),
          countCell(line),
          faults.map(({ column, sentence }) => (column ? `${column}: ${sentence}` : sentence)).join(' '),
          faults.map(({ cure }) => cure).join(' '),
        ]),
      ])
      return { filename: 'wrong-rows.csv', content }
    },
  }
}

export type MemberImportService = ReturnType<typeof createMemberImportService>

const iso = (instant: number) => new Date(instant).toISOString()

/** Reports errors about the whole file under the file field. */
async function withFileErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof Problem ? error : fieldProblem('file', (error as Error).message)
  }
}

/** @throws Error with a message for the officer */
async function readLines(bytes: Uint8Array): Promise<CsvRow[]> {
  const text = decodeSpreadsheet(bytes)
  const lines = await collectYielding(csvRows(text, detectSeparator(text)))
  if (lines.length < 2)
    throw new Error('The file has no rows. The first line names the columns; each further line is one member.')
  if (lines.length - 1 > IMPORT_MAX_ROWS)
    throw new Error(`The file has more than ${IMPORT_MAX_ROWS.toLocaleString('en-US')} rows. Split it into two.`)
  return lines
}

/** Without the columns that are not part of a verdict. */
function pickRow(stored: ImportRow | undefined): ImportRow | null {
  if (!stored) return null
  const { line, verdict, original, cells, changes, faults } = stored
  return { line, verdict, original, cells, changes, faults }
}

function toRow(
  { line, cells }: { line: number; cells: MemberCells },
  verdict: RowVerdict,
  original: readonly string[],
): ImportRow {
  return {
    line,
    verdict: verdict.kind,
    original: [...original],
    cells,
    changes: verdict.kind === 'changed' ? verdict.changes : [],
    faults: verdict.kind === 'wrong' ? verdict.faults : [],
  }
}
