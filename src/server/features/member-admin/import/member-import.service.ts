import type { Kysely } from 'kysely'
import {
  CHANGED_ROWS_SHOWN,
  MOST_IMPORT_ROWS,
  WRONG_ROWS_SHOWN,
  type ImportLine,
  type ImportReport,
} from '#contract/console-import.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { countCell, csvRows, separatorOf, writeLongCsv, type CsvRow } from '#server/platform/csv.ts'
import { newId } from '#server/platform/ids.ts'
import { collectInTurns, mapInTurns } from '#server/platform/pacing.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { textOfSpreadsheet } from '#server/platform/spreadsheet-text.ts'
import { findAccount } from '../account/account.repository.ts'
import {
  beginImport,
  beginUndo,
  countImportRows,
  dropImportFile,
  findImportFile,
  listImportFiles,
  listImportRows,
  saveImportFile,
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import { findKnownPeople } from './known-people.repository.ts'
import { levelsByKey } from './level.repository.ts'
import { queueNextRows } from './member-import-run.service.ts'
import { describeUndo, queueUndo } from './member-import-undo.ts'
import { judgements, type Verdict } from './member-import.rules.ts'
import { memberRows, recogniseColumns, type MemberCells } from './member-rows.rules.ts'

export interface MemberImportService {
  /** Looks at a file and imports nothing. @throws Problem INVALID_INPUT with a sentence for the file */
  check(by: Officer, filename: string, bytes: Uint8Array): Promise<ImportReport>
  list(): Promise<ImportLine[]>
  /** @throws Problem NOT_FOUND */
  describe(id: string): Promise<ImportReport>
  /** Imports what is right, from now on by itself. The second time it only says how far it is. @throws Problem NOT_FOUND */
  confirm(by: Officer, id: string, wanted: { sendsInvitations: boolean }): Promise<ImportReport>
  /** Removes, from now on by itself, the accounts it made that nobody has used since. @throws Problem NOT_FOUND, CHANGED_MEANWHILE while it is not finished */
  undo(by: Officer, id: string): Promise<ImportReport>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it was confirmed */
  drop(id: string): Promise<void>
  /** @throws Problem NOT_FOUND */
  wrongRows(id: string): Promise<ServedFile>
}

const IMPORTS_LISTED = 10

export function createMemberImportService({
  db,
  clock,
  timeZone,
  graceMs,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  graceMs(): number
  wakeOutbox(): void
}): MemberImportService {
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
      listImportRows(db, { fileId: file.id, verdict: 'wrong', limit: WRONG_ROWS_SHOWN }),
      file.state === 'checked'
        ? listImportRows(db, { fileId: file.id, verdict: 'changed', limit: CHANGED_ROWS_SHOWN })
        : [],
    ])
    const columns = recogniseColumns(file.headings)
    return {
      ...line,
      confirmedAt: file.confirmedAt === null ? null : iso(file.confirmedAt),
      sendsInvitations: file.sendsInvitations,
      columns: file.headings.map((heading, index) => ({ heading, column: columns[index] ?? null })),
      progress: { done, total: line.counts.new + line.counts.changed },
      wrong: wrong.map((row) => ({
        line: row.line,
        email: row.cells?.email ?? '',
        faults: row.faults.map((fault) => ({
          ...fault,
          cell: fault.column ? (row.original[columns.indexOf(fault.column)] ?? '') : '',
        })),
      })),
      changed: changed.map((row) => ({ line: row.line, email: row.cells?.email ?? '', changes: row.changes })),
      undo: file.state === 'done' ? await describeUndo(db, file.id) : null,
      undoBegunAt: file.undoBegunAt === null ? null : iso(file.undoBegunAt),
      undoneBy: file.undoneBy === null ? null : await officerName(file.undoneBy),
    }
  }

  return {
    async check(by, filename, bytes) {
      const levels = await levelsByKey(db)
      const { lines, readings } = await sayOfFile(async () => {
        const read = await readLines(bytes)
        return { lines: read, readings: await collectInTurns(memberRows(read, levels)) }
      })
      const emails = readings.map(({ cells }) => cells.email)
      const usernames = readings.map(({ cells }) => cells.username)
      const known = await findKnownPeople(db, { emails, usernames }, { timeZone, graceMs: graceMs() })
      const verdicts = await collectInTurns(judgements(readings, known))
      const rows = await mapInTurns(readings, (reading, index) =>
        toRow(reading, verdicts[index] ?? { kind: 'unchanged' }, lines[index + 1]?.cells ?? []),
      )
      const now = clock.now()
      const id = newId(now)
      const headings = (lines[0]?.cells ?? []).map((heading) => heading.trim())
      await saveImportFile(db, { id, filename, officerId: by.accountId, headings }, rows, now)
      return report(await requireFile(id))
    },

    async list() {
      const files = await listImportFiles(db, IMPORTS_LISTED)
      return Promise.all(files.map(async (file) => lineOf(file)))
    },

    describe: async (id) => report(await requireFile(id)),

    async confirm(by, id, { sendsInvitations }) {
      const { counts, filename } = await lineOf(await requireFile(id))
      const now = clock.now()
      await db.transaction().execute(async (tx) => {
        if (!(await beginImport(tx, id, { by: by.accountId, sendsInvitations, now }))) return
        const details = { batch: id, filename, ...counts, sendsInvitations }
        await writeAudit(tx, { actor: by.accountId, action: 'members.import_confirmed', subjectId: id, details }, now)
        await queueNextRows(tx, { importId: id, after: 0 }, now)
      })
      wakeOutbox()
      return report(await requireFile(id))
    },

    async undo(by, id) {
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

    async drop(id) {
      await requireFile(id)
      if (!(await dropImportFile(db, id))) throw new Problem('CHANGED_MEANWHILE')
    },

    async wrongRows(id) {
      const { headings } = await requireFile(id)
      const rows = await listImportRows(db, { fileId: id, verdict: 'wrong' })
      const content = await writeLongCsv([
        [...headings, 'line', 'what is wrong', 'what to do'],
        ...rows.map(({ line, original, faults }) => [
          ...headings.map((_, index) => original[index] ?? ''),
          countCell(line),
          faults.map(({ column, sentence }) => (column ? `${column}: ${sentence}` : sentence)).join(' '),
          faults.map(({ cure }) => cure).join(' '),
        ]),
      ])
      return { filename: 'wrong-rows.csv', content }
    },
  }
}

/** What is wrong with the file as a whole comes back under its field. */
async function sayOfFile<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof Problem ? error : fieldProblem('file', (error as Error).message)
  }
}

/** @throws Error with a sentence */
async function readLines(bytes: Uint8Array): Promise<CsvRow[]> {
  const text = textOfSpreadsheet(bytes)
  const lines = await collectInTurns(csvRows(text, separatorOf(text)))
  if (lines.length < 2)
    throw new Error('The file has no rows. The first line names the columns, each further one is a person.')
  if (lines.length - 1 > MOST_IMPORT_ROWS) {
    throw new Error(`The file has more than ${MOST_IMPORT_ROWS.toLocaleString('en-US')} rows. Split it into two.`)
  }
  return lines
}

function toRow(
  { line, cells }: { line: number; cells: MemberCells },
  verdict: Verdict,
  original: readonly string[],
): ImportRow {
  const isUnchanged = verdict.kind === 'unchanged'
  return {
    line,
    verdict: verdict.kind,
    original: isUnchanged ? [] : [...original],
    cells: isUnchanged ? null : cells,
    changes: verdict.kind === 'changed' ? verdict.changes : [],
    faults: verdict.kind === 'wrong' ? verdict.faults : [],
  }
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
