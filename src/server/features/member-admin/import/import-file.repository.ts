import { type ReadFlags, type ReadJson, readFlags, readJson, writeJson } from '#server/db/schema/column-values.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { ImportFileTable, ImportRowTable } from '#server/db/schema/member-admin-schema.ts'
import type { EarlierName } from '#contract/console/people/earlier-levels.ts'
import type { RowError } from './member-rows.rules.ts'

export type ImportFile = ReadFlags<
  ReadJson<ImportFileTable, 'headings' | 'columns' | 'levelNames'>,
  'sendsInvitations'
> & {
  /** Files in state `reading` are never queried. */
  state: Exclude<ImportFileTable['state'], 'reading'>
}

export type ImportRow = Omit<ReadJson<ImportRowTable, 'original' | 'cells' | 'changes' | 'faults'>, 'fileId' | 'doneAt'>

// Each value is a bind parameter, and databases limit their number.
const ROWS_AT_ONCE = 100

/** Inserts in many short statements that yield in between. The file stays hidden until its last row is stored. */
export async function saveImportFile(
  db: Db,
  file: Pick<
    ImportFile,
    'id' | 'filename' | 'officerId' | 'headings' | 'columns' | 'startsOn' | 'system' | 'levelNames'
  >,
  rows: readonly ImportRow[],
  now: number,
): Promise<void> {
  await db
    .insertInto('importFile')
    .values({
      id: file.id,
      filename: file.filename,
      officerId: file.officerId,
      headings: JSON.stringify(file.headings),
      columns: JSON.stringify(file.columns),
      startsOn: file.startsOn,
      system: file.system,
      levelNames: JSON.stringify(file.levelNames),
      state: 'reading',
      sendsInvitations: 0,
      createdAt: now,
      confirmedAt: null,
      confirmedBy: null,
      finishedAt: null,
      undoBegunAt: null,
      undoneAt: null,
      undoneBy: null,
    })
    .execute()
  await insertRows(db, file.id, rows)
}

/** Replaces the verdicts of a file that was not imported yet. False when it is no longer `checked`. */
export async function replaceImportRows(
  db: Db,
  {
    id,
    columns,
    startsOn,
    system,
    levelNames,
  }: Pick<ImportFile, 'id' | 'columns' | 'startsOn' | 'system' | 'levelNames'>,
  rows: readonly ImportRow[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importFile')
    .set({
      state: 'reading',
      columns: JSON.stringify(columns),
      startsOn,
      system,
      levelNames: JSON.stringify(levelNames),
    })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db.deleteFrom('importRow').where('fileId', '=', id).execute()
  await insertRows(db, id, rows)
  return true
}

/**
 * Replaces a row that an officer corrected, and the verdicts of others that this changed. False when the row is no longer as it was read, or
 * the file no longer `checked`. Call in a transaction.
 */
export async function replaceCorrectedRows(
  tx: Tx,
  {
    id,
    line,
    before,
    levelNames,
  }: { id: string; line: number; before: readonly string[]; levelNames: readonly EarlierName[] },
  rows: readonly ImportRow[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('importFile')
    .set({ levelNames: JSON.stringify(levelNames) })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const stored = await tx
    .selectFrom('importRow')
    .select('original')
    .where('fileId', '=', id)
    .where('line', '=', line)
    .executeTakeFirst()
  if (stored?.original !== JSON.stringify(before)) return false
  for (const row of rows) {
    await tx
      .updateTable('importRow')
      .set(writeJson(row, 'original', 'cells', 'changes', 'faults'))
      .where('fileId', '=', id)
      .where('line', '=', row.line)
      .execute()
  }
  return true
}

async function insertRows(db: Db, fileId: string, rows: readonly ImportRow[]): Promise<void> {
  const valuesOf = (row: ImportRow) => ({
    ...writeJson(row, 'original', 'cells', 'changes', 'faults'),
    fileId,
    doneAt: null,
  })
  const insert = (some: ImportRow[]) => db.insertInto('importRow').values(some.map(valuesOf)).execute()
  await queryInChunks(rows, insert, ROWS_AT_ONCE)
  await db.updateTable('importFile').set({ state: 'checked' }).where('id', '=', fileId).execute()
}

export async function findImportFile(db: Db, id: string): Promise<ImportFile | null> {
  const row = await db
    .selectFrom('importFile')
    .selectAll()
    .where('id', '=', id)
    .where('state', '!=', 'reading')
    .executeTakeFirst()
  return row ? readFile(row) : null
}

/** Newest first. */
export async function listImportFiles(db: Db, limit: number): Promise<ImportFile[]> {
  const rows = await db
    .selectFrom('importFile')
    .selectAll()
    .where('state', '!=', 'reading')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(readFile)
}

/** Rows by verdict, and how many of them have been imported. */
export async function countImportRows(
  db: Db,
  fileId: string,
): Promise<{ verdict: ImportRowTable['verdict']; rows: number; done: number }[]> {
  const found = await db
    .selectFrom('importRow')
    .select((eb) => ['verdict', eb.fn.countAll<number>().as('rows'), eb.fn.count<number>('doneAt').as('done')])
    .where('fileId', '=', fileId)
    .groupBy('verdict')
    .execute()
  return found.map(({ verdict, rows, done }) => ({ verdict, rows: Number(rows), done: Number(done) }))
}

export async function listImportRows(
  db: Db,
  { fileId, verdict, limit }: { fileId: string; verdict: ImportRowTable['verdict']; limit?: number },
): Promise<ImportRow[]> {
  let query = db
    .selectFrom('importRow')
    .selectAll()
    .where('fileId', '=', fileId)
    .where('verdict', '=', verdict)
    .orderBy('line')
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).map(readRow)
}

/** All rows, in file order. */
export async function listAllImportRows(db: Db, fileId: string): Promise<ImportRow[]> {
  const rows = await db.selectFrom('importRow').selectAll().where('fileId', '=', fileId).orderBy('line').execute()
  return rows.map(readRow)
}

/** True for exactly one caller. */
export async function beginImport(
  db: Db,
  id: string,
  { by, sendsInvitations, now }: { by: string; sendsInvitations: boolean; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importFile')
    .set({
      state: 'running',
      confirmedAt: now,
      confirmedBy: by,
      sendsInvitations: sendsInvitations ? 1 : 0,
    })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Locks a running import until the transaction ends, so two processes never work on the same rows. Null when it is no longer running. */
export async function lockRunningImport(tx: Tx, id: string): Promise<ImportFile | null> {
  const row = await tx
    .updateTable('importFile')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  return row ? readFile(row) : null
}

/** The next rows to import, in file order. */
export async function listPendingRows(db: Db, fileId: string, limit: number): Promise<ImportRow[]> {
  const rows = await db
    .selectFrom('importRow')
    .selectAll()
    .where('fileId', '=', fileId)
    .where('verdict', 'in', ['new', 'changed'])
    .where('doneAt', 'is', null)
    .orderBy('line')
    .limit(limit)
    .execute()
  return rows.map(readRow)
}

/** Also erases the row's content, which the member's record holds now. */
export async function markRowDone(db: Db, fileId: string, line: number, now: number): Promise<void> {
  await db
    .updateTable('importRow')
    .set({ doneAt: now, original: '[]', cells: 'null', changes: '[]' })
    .where('fileId', '=', fileId)
    .where('line', '=', line)
    .execute()
}

/** For a row that was valid when checked and no longer is. */
export async function markRowInvalid(
  db: Db,
  { fileId, line }: { fileId: string; line: number },
  faults: readonly RowError[],
): Promise<void> {
  await db
    .updateTable('importRow')
    .set({ verdict: 'wrong', faults: JSON.stringify(faults), changes: '[]' })
    .where('fileId', '=', fileId)
    .where('line', '=', line)
    .execute()
}

/** Excludes the next pending row from the import. Returns its line, or null when there is none. */
export async function excludeNextRow(db: Db, fileId: string, faults: readonly RowError[]): Promise<number | null> {
  const row = await db
    .selectFrom('importRow')
    .select('line')
    .where('fileId', '=', fileId)
    .where('verdict', 'in', ['new', 'changed'])
    .where('doneAt', 'is', null)
    .orderBy('line')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  await db
    .updateTable('importRow')
    .set({ verdict: 'wrong', cells: 'null', changes: '[]', faults: JSON.stringify(faults) })
    .where('fileId', '=', fileId)
    .where('line', '=', row.line)
    .execute()
  return row.line
}

export async function finishImport(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('importFile').set({ state: 'done', finishedAt: now }).where('id', '=', id).execute()
}

/** True for exactly one caller, for a finished import. */
export async function beginUndo(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('importFile')
    .set({ undoBegunAt: now, undoneBy: by })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where('undoBegunAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function finishUndo(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('importFile').set({ undoneAt: now }).where('id', '=', id).execute()
}

/** True when it existed and had not been confirmed. */
export async function deleteUnconfirmedImport(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('importFile')
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes old files: rejected rows are personal data too. */
export async function deleteOldImportFiles(db: Db, before: number): Promise<void> {
  await db.deleteFrom('importFile').where('createdAt', '<', before).where('state', '!=', 'running').execute()
}

function readFile(row: ImportFileTable): ImportFile {
  return readFlags(readJson(row, 'headings', 'columns', 'levelNames'), 'sendsInvitations') as ImportFile
}

function readRow(row: ImportRowTable): ImportRow {
  return readJson(row, 'original', 'cells', 'changes', 'faults')
}
