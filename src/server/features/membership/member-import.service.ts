import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  CHANGED_ROWS_SHOWN,
  MOST_IMPORT_ROWS,
  WRONG_ROWS_SHOWN,
  type ImportLine,
  type ImportReport,
} from '#contract/console-import.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Tx } from '#server/db/database.ts'
import type { Officer, ServedFile } from '#server/http/serve.ts'
import { writeAudit } from '#server/platform/audit.repository.ts'
import type { Clock } from '#server/platform/clock.ts'
import { readCsvRows, separatorOf, writeCsv, type CsvRow } from '#server/platform/csv.ts'
import { newId } from '#server/platform/ids.ts'
import type { EffectHandler } from '#server/platform/outbox-worker.ts'
import { addToOutbox } from '#server/platform/outbox.repository.ts'
import { fieldProblem, Problem } from '#server/platform/problem.ts'
import { textOfSpreadsheet } from '#server/platform/spreadsheet-text.ts'
import { findAccount } from '../account/account.repository.ts'
import { hashPassword } from '../auth/passwords.ts'
import {
  beginImport,
  countImportRows,
  dropImportFile,
  findImportFile,
  finishImport,
  holdRunningImport,
  leaveOutNextRow,
  listImportFiles,
  listImportRows,
  listWaitingRows,
  markRowDone,
  markRowWrong,
  saveImportFile,
  type ImportFile,
  type ImportRow,
} from './import-file.repository.ts'
import type { ImportInvitations } from './import-invitation.ts'
import { findKnownPeople } from './known-people.repository.ts'
import { listLevels, type Level } from './level.repository.ts'
import { judgeRow, judgeRows, type Verdict } from './member-import.rules.ts'
import { readMemberRows, recogniseColumns, type MemberCells, type RowFault } from './member-rows.rules.ts'
import { bringTo, takeOver } from './take-over.ts'

export interface MemberImportService {
  /** Looks at a file and imports nothing. @throws Problem INVALID_INPUT with a sentence for the file */
  check(by: Officer, filename: string, bytes: Uint8Array): Promise<ImportReport>
  list(): Promise<ImportLine[]>
  /** @throws Problem NOT_FOUND */
  describe(id: string): Promise<ImportReport>
  /** Imports what is right, from now on by itself. The second time it only says how far it is. @throws Problem NOT_FOUND */
  confirm(by: Officer, id: string, wanted: { sendsInvitations: boolean }): Promise<ImportReport>
  /** @throws Problem NOT_FOUND, CHANGED_MEANWHILE once it was confirmed */
  drop(id: string): Promise<void>
  /** @throws Problem NOT_FOUND */
  wrongRows(id: string): Promise<ServedFile>
  effects: Record<string, EffectHandler>
}

/** Of one transaction: short, so that nobody who logs in meanwhile waits for it. */
const ROWS_AT_ONCE = 25
const IMPORTS_LISTED = 10
/** After so many tries in vain a row alone is left out, so that it does not hold up the others. */
const TRIES_A_ROW = 3

export function createMemberImportService({
  db,
  clock,
  timeZone,
  invitations,
  wakeOutbox,
}: {
  db: Kysely<Schema>
  clock: Clock
  timeZone: string
  invitations: ImportInvitations
  wakeOutbox(): void
}): MemberImportService {
  async function readLevels(): Promise<ReadonlyMap<string, Level>> {
    return new Map((await listLevels(db)).map((level) => [level.key, level]))
  }

  async function requireFile(id: string): Promise<ImportFile> {
    const file = await findImportFile(db, id)
    if (!file) throw new Problem('NOT_FOUND')
    return file
  }

  async function lineOf(file: ImportFile): Promise<ImportLine & { done: number }> {
    const counted = await countImportRows(db, file.id)
    const officer = await findAccount(db, file.officerId)
    const counts = { rows: 0, new: 0, changed: 0, unchanged: 0, wrong: 0 }
    for (const { verdict, rows } of counted) {
      counts[verdict] = rows
      counts.rows += rows
    }
    return {
      id: file.id,
      filename: file.filename,
      state: file.state,
      by: officer ? `${officer.firstName} ${officer.lastName}` : 'An officer',
      createdAt: iso(file.createdAt),
      finishedAt: file.finishedAt === null ? null : iso(file.finishedAt),
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
        faults: row.faults.map((fault) => ({ ...fault, cell: fault.column ? (row.cells?.[fault.column] ?? '') : '' })),
      })),
      changed: changed.map((row) => ({ line: row.line, email: row.cells?.email ?? '', changes: row.changes })),
    }
  }

  /** Judges a row once more, as things are now: somebody may have come or changed since the file was looked at. */
  async function importRow(
    tx: Tx,
    file: ImportFile,
    row: ImportRow,
    { levels, passwordHash }: { levels: ReadonlyMap<string, Level>; passwordHash: string },
  ): Promise<void> {
    const now = clock.now()
    const cells = row.cells
    if (!cells) return markRowDone(tx, file.id, row.line, now)
    const refuse = (faults: readonly RowFault[]) => markRowWrong(tx, { fileId: file.id, line: row.line }, faults)
    const [reading] = readMemberRows([HEADING, { line: row.line, cells: HEADING.cells.map(cellOf(cells)) }], levels)
    if (!reading) return refuse([MEANWHILE])
    const known = await findKnownPeople(tx, { emails: [cells.email], usernames: [cells.username] }, timeZone)
    const verdict = judgeRow(reading, known)
    const by = { batch: file.id, actor: file.confirmedBy ?? file.officerId, now }
    if (verdict.kind === 'unchanged') return markRowDone(tx, file.id, row.line, now)
    if (verdict.kind === 'wrong') return refuse(verdict.faults)
    if (verdict.kind !== row.verdict) return refuse([MEANWHILE])
    if (verdict.kind === 'new') {
      const level = levels.get(cells.level)
      const accountId = level && 'row' in reading && (await takeOver(tx, { row: reading.row, level, passwordHash }, by))
      if (!accountId) return refuse([MEANWHILE])
      if (file.sendsInvitations) await invitations.invite(tx, accountId, now)
      return markRowDone(tx, file.id, row.line, now)
    }
    const { accountId, changes } = verdict
    const isAsSeen = JSON.stringify(changes) === JSON.stringify(row.changes)
    if (!isAsSeen || !(await bringTo(tx, { accountId, cells, changes, level: levels.get(cells.level) }, by))) {
      return refuse([MEANWHILE])
    }
    return markRowDone(tx, file.id, row.line, now)
  }

  /** Some rows, and the order for the next ones, in one transaction: what a dead process had begun is done anew, what it had done is not. */
  async function importSome(id: string, limit: number): Promise<void> {
    const levels = await readLevels()
    // One hash for all: of a password nobody knows.
    const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
    await db.transaction().execute(async (tx) => {
      const file = await holdRunningImport(tx, id)
      if (!file) return
      const rows = await listWaitingRows(tx, id, limit)
      for (const row of rows) await importRow(tx, file, row, { levels, passwordHash })
      const last = rows.at(-1)
      if (last) await queueNext(tx, id, last.line)
      else await finishImport(tx, id, clock.now())
    })
  }

  /** A row that fails alone, again and again, does not hold up the others. */
  async function leaveOneOut(id: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await holdRunningImport(tx, id))) return
      const line = await leaveOutNextRow(tx, id, [NOT_STORED])
      if (line !== null) await queueNext(tx, id, line)
    })
  }

  const goOn: EffectHandler = async ({ importId }, { attempts }) => {
    const id = String(importId)
    try {
      await importSome(id, attempts > 1 ? 1 : ROWS_AT_ONCE)
    } catch (error) {
      if (attempts <= TRIES_A_ROW) throw error
      await leaveOneOut(id)
    }
    wakeOutbox()
  }

  function queueNext(tx: Tx, importId: string, after: number): Promise<void> {
    const dedupeKey = `members.import:${importId}:${after}`
    return addToOutbox(tx, { kind: 'members.import', payload: { importId }, dedupeKey }, clock.now())
  }

  return {
    async check(by, filename, bytes) {
      const levels = await readLevels()
      const { lines, readings } = sayOfFile(() => {
        const read = readLines(bytes)
        return { lines: read, readings: readMemberRows(read, levels) }
      })
      const emails = readings.map(({ cells }) => cells.email)
      const usernames = readings.map(({ cells }) => cells.username)
      const verdicts = judgeRows(readings, await findKnownPeople(db, { emails, usernames }, timeZone))
      const rows = readings.map((reading, index) =>
        toRow(reading, verdicts[index] ?? { kind: 'unchanged' }, lines[index + 1]?.cells ?? []),
      )
      const now = clock.now()
      const id = newId(now)
      const headings = (lines[0]?.cells ?? []).map((heading) => heading.trim())
      await db
        .transaction()
        .execute((tx) => saveImportFile(tx, { id, filename, officerId: by.accountId, headings }, rows, now))
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
        await queueNext(tx, id, 0)
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
      const content = writeCsv([
        [...headings, 'line', 'what is wrong', 'what to do'],
        ...rows.map(({ line, original, faults }) => [
          ...headings.map((_, index) => original[index] ?? ''),
          String(line),
          faults.map(({ column, sentence }) => (column ? `${column}: ${sentence}` : sentence)).join(' '),
          faults.map(({ cure }) => cure).join(' '),
        ]),
      ])
      return { filename: 'wrong-rows.csv', content: new TextEncoder().encode(content) }
    },

    effects: { 'members.import': goOn },
  }
}

/** As the rows of a file are read again, by the names of our own columns. */
const HEADING: CsvRow = {
  line: 1,
  cells: ['email', 'username', 'firstName', 'lastName', 'level', 'startedOn', 'endsOn'],
}
const cellOf = (cells: MemberCells) => (column: string) => cells[column as keyof MemberCells]

const MEANWHILE: RowFault = {
  column: null,
  sentence: 'This person came or was changed after the file was looked at, so nothing was imported.',
  cure: 'Choose this row again in a new file, and look at what it would change.',
}
const NOT_STORED: RowFault = {
  column: null,
  sentence: 'Something went wrong on our side with this row, so it was left out.',
  cure: 'Try it again in a new file, or tell the webmaster the time.',
}

/** What is wrong with the file as a whole comes back under its field. */
function sayOfFile<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Problem ? error : fieldProblem('file', (error as Error).message)
  }
}

/** @throws Error with a sentence */
function readLines(bytes: Uint8Array): CsvRow[] {
  const text = textOfSpreadsheet(bytes)
  const lines = readCsvRows(text, separatorOf(text))
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
