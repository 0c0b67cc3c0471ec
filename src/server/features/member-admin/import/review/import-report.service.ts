import type { AppContext } from '#server/app-context.ts'
import {
  CHANGED_ROWS_SHOWN,
  INVALID_ROWS_SHOWN,
  MEMBER_COLUMN_NAMES,
  type ImportLine,
  type ImportReport,
} from '#contract/console/import.ts'
import { recordColumns } from '#contract/console/people/record-columns.ts'
import { fieldsInUse } from '#contract/member-record/record-fields.ts'
import { findAccount } from '#server/features/accounts/account.queries.ts'
import { listLevels } from '#server/features/levels/level.queries.ts'
import type { ServedFile } from '#server/http/serve.ts'
import { countCell, writeLongCsv } from '#server/lib/csv/csv.ts'
import { Problem } from '#server/lib/problem.ts'
import { columnsOf } from '../import-columns.rules.ts'
import {
  countImportRows,
  findImportFile,
  listImportFiles,
  listImportRows,
  type ImportFile,
} from '../import-file.repository.ts'
import { findFirstRow } from '../import-original.repository.ts'
import { describeUndo } from '../member-import-undo.service.ts'
import { missingColumns } from '../member-rows.rules.ts'

const IMPORTS_LISTED = 10

/** What officers read about the files of members: what a file would do, how far its import is, and its wrong rows. */
export function createImportReports({ db, cache }: AppContext) {
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
    const counts = { rows: 0, new: 0, changed: 0, unchanged: 0, leftOut: 0, wrong: 0 }
    for (const { verdict, rows } of counted) {
      counts[verdict === 'left-out' ? 'leftOut' : verdict] = rows
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
      levelNames: file.levelNames ?? [],
      levels: (await listLevels(db)).map(({ key, name }) => ({ key, name })),
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

  return {
    /** @throws Problem NOT_FOUND */
    require: requireFile,
    line: lineOf,
    report,

    async list(): Promise<ImportLine[]> {
      const files = await listImportFiles(db, IMPORTS_LISTED)
      return Promise.all(files.map(async (file) => lineOf(file)))
    },

    /** @throws Problem NOT_FOUND */
    describe: async (id: string): Promise<ImportReport> => report(await requireFile(id)),

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

export type ImportReports = ReturnType<typeof createImportReports>

const iso = (instant: number) => new Date(instant).toISOString()
