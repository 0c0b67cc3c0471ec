import type { ItemResult, ItemVerdict } from '#contract/console/website/content-import.ts'
import { queryInChunks } from '#server/db/chunked-queries.ts'
import type { Db, Tx } from '#server/db/database.ts'
import {
  type ReadFlags,
  type ReadJson,
  readFlags,
  readJson,
  writeFlags,
  writeJson,
} from '#server/db/schema/column-values.ts'
import type {
  ContentImportPictureTable,
  ContentImportRowTable,
  ContentImportTable,
} from '#server/db/schema/content-schema.ts'

export type ContentImport = ReadFlags<
  ReadJson<ContentImportTable, 'leftOut' | 'redirects'>,
  'takesDrafts' | 'publishes'
> & {
  /** Imports in state `reading` are never queried. */
  state: Exclude<ContentImportTable['state'], 'reading'>
}
export type ContentImportRow = ReadJson<ContentImportRowTable, 'oldPaths' | 'notes' | 'item'>
/** A row without what was found. */
export type ListedRow = Omit<ContentImportRow, 'item'>

const ROWS_AT_ONCE = 20
const LISTED = [
  'importId',
  'line',
  'kind',
  'address',
  'title',
  'date',
  'verdict',
  'oldPaths',
  'notes',
  'recordId',
  'version',
  'result',
] as const

/** Inserts in many short statements that yield in between. The import stays hidden until its last row is stored. */
export async function saveContentImport(
  db: Db,
  file: Pick<ContentImport, 'id' | 'source' | 'filename' | 'site' | 'officerId' | 'leftOut' | 'pictures' | 'createdAt'>,
  rows: readonly ContentImportRow[],
): Promise<void> {
  const empty = {
    state: 'reading' as const,
    takesDrafts: false,
    publishes: false,
    redirects: [],
    confirmedAt: null,
    confirmedBy: null,
    finishedAt: null,
    undoBegunAt: null,
    undoneAt: null,
    undoneBy: null,
  }
  const row = writeFlags(writeJson({ ...file, ...empty }, 'leftOut', 'redirects'), 'takesDrafts', 'publishes')
  await db.insertInto('contentImport').values(row).execute()
  const insert = (some: ContentImportRow[]) =>
    db
      .insertInto('contentImportRow')
      .values(some.map((one) => writeJson(one, 'oldPaths', 'notes', 'item')))
      .execute()
  await queryInChunks(rows, insert, ROWS_AT_ONCE)
  await db.updateTable('contentImport').set({ state: 'checked' }).where('id', '=', file.id).execute()
}

export async function findContentImport(db: Db, id: string): Promise<ContentImport | null> {
  const query = db.selectFrom('contentImport').selectAll().where('id', '=', id).where('state', '!=', 'reading')
  const row = await query.executeTakeFirst()
  return row ? readImport(row) : null
}

/** Newest first. */
export async function listContentImportFiles(db: Db, limit: number): Promise<ContentImport[]> {
  const all = db.selectFrom('contentImport').selectAll().where('state', '!=', 'reading')
  return (await all.orderBy('id', 'desc').limit(limit).execute()).map(readImport)
}

/** Those of the addresses that an import has brought, and that no undo removed. */
export async function findImportedAddresses(db: Db, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queryInChunks(addresses, (some) =>
    db
      .selectFrom('contentImportRow')
      .select('address')
      .where('address', 'in', some)
      .where('result', 'in', ['draft', 'published'])
      .execute(),
  )
  return new Set(rows.map(({ address }) => address))
}

export async function countContentImportRows(
  db: Db,
  importId: string,
): Promise<{ verdict: ItemVerdict; result: ItemResult | null; isChosen: boolean; rows: number }[]> {
  const found = await db
    .selectFrom('contentImportRow')
    .select(({ fn }) => [
      'verdict',
      'result',
      fn.countAll<number>().as('rows'),
      fn.count<number>('recordId').as('chosen'),
    ])
    .where('importId', '=', importId)
    .groupBy(['verdict', 'result'])
    .execute()
  return found.map(({ chosen, rows, ...row }) => ({ ...row, isChosen: Number(chosen) > 0, rows: Number(rows) }))
}

/** In the order of the file. */
export async function listContentImportRows(
  db: Db,
  {
    importId,
    verdict,
    limit,
    offset = 0,
  }: { importId: string; verdict?: ItemVerdict | undefined; limit: number; offset?: number },
): Promise<ListedRow[]> {
  let query = db.selectFrom('contentImportRow').select(LISTED).where('importId', '=', importId)
  if (verdict) query = query.where('verdict', '=', verdict)
  const rows = await query.orderBy('line').limit(limit).offset(offset).execute()
  return rows.map((row) => readJson(row, 'oldPaths', 'notes'))
}

/** The rows that become or became records, with the names of those. */
export async function listChosenRows(db: Db, importId: string): Promise<(ListedRow & { recordId: string })[]> {
  const rows = await db
    .selectFrom('contentImportRow')
    .select(LISTED)
    .where('importId', '=', importId)
    .where('recordId', 'is not', null)
    .orderBy('line')
    .execute()
  return rows.map((row) => readJson({ ...row, recordId: row.recordId ?? '' }, 'oldPaths', 'notes'))
}

/** Rows of a verdict, with what their records are named after. */
export async function listItems(
  db: Db,
  importId: string,
  verdicts: readonly ItemVerdict[],
): Promise<(ContentImportRow & { item: NonNullable<ContentImportRow['item']> })[]> {
  const rows = await db
    .selectFrom('contentImportRow')
    .selectAll()
    .where('importId', '=', importId)
    .where('verdict', 'in', verdicts)
    .orderBy('line')
    .execute()
  return rows.map(readRow).flatMap((row) => (row.item ? [{ ...row, item: row.item }] : []))
}

/** True for exactly one caller, for an import that was only checked. */
export async function beginContentImport(
  tx: Tx,
  id: string,
  { by, takesDrafts, publishes, now }: { by: string; takesDrafts: boolean; publishes: boolean; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('contentImport')
    .set({
      state: 'running',
      takesDrafts: takesDrafts ? 1 : 0,
      publishes: publishes ? 1 : 0,
      confirmedAt: now,
      confirmedBy: by,
    })
    .where('id', '=', id)
    .where('state', '=', 'checked')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function chooseRecord(tx: Tx, importId: string, line: number, recordId: string): Promise<void> {
  await tx
    .updateTable('contentImportRow')
    .set({ recordId })
    .where('importId', '=', importId)
    .where('line', '=', line)
    .execute()
}

/** Locks a running import until the transaction ends, so two processes never work on the same rows. Null when it is no longer running. */
export async function lockRunningContentImport(tx: Tx, id: string): Promise<ContentImport | null> {
  const row = await tx
    .updateTable('contentImport')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  return row ? readImport(row) : null
}

/** The next row to import. */
export async function findNextItem(db: Db, importId: string): Promise<ContentImportRow | null> {
  const row = await db
    .selectFrom('contentImportRow')
    .selectAll()
    .where('importId', '=', importId)
    .where('recordId', 'is not', null)
    .where('result', 'is', null)
    .orderBy('line')
    .limit(1)
    .executeTakeFirst()
  return row ? readRow(row) : null
}

/** Also erases what was found, which the record has now. */
export async function saveResult(
  tx: Tx,
  {
    importId,
    line,
    result,
    version,
    notes,
  }: Pick<ContentImportRow, 'importId' | 'line' | 'result' | 'version' | 'notes'>,
): Promise<void> {
  await tx
    .updateTable('contentImportRow')
    .set({ result, version, notes: JSON.stringify(notes), item: null })
    .where('importId', '=', importId)
    .where('line', '=', line)
    .execute()
}

export async function finishContentImport(
  tx: Tx,
  id: string,
  { redirects, now }: { redirects: ContentImport['redirects']; now: number },
): Promise<void> {
  await tx
    .updateTable('contentImport')
    .set({ state: 'done', finishedAt: now, redirects: JSON.stringify(redirects) })
    .where('id', '=', id)
    .execute()
  await tx.updateTable('contentImportRow').set({ item: null }).where('importId', '=', id).execute()
}

/** True for exactly one caller, for a finished import. */
export async function beginContentUndo(db: Db, id: string, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('contentImport')
    .set({ undoBegunAt: now, undoneBy: by })
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where('undoBegunAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function finishContentUndo(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('contentImport').set({ undoneAt: now }).where('id', '=', id).execute()
}

/** An undo that its officer may not carry out any more: another officer can begin it. What it removed stays removed. */
export async function giveUpContentUndo(db: Db, id: string): Promise<void> {
  await db
    .updateTable('contentImport')
    .set({ undoBegunAt: null, undoneBy: null })
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .execute()
}

/** True when it existed and had not been confirmed. */
export async function deleteUnconfirmedImport(db: Db, id: string): Promise<boolean> {
  const query = db.deleteFrom('contentImport').where('id', '=', id).where('state', '=', 'checked')
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

/** Deletes files that no one imported. Of the others, the old addresses and their results stay, so that nothing is imported twice. */
export async function deleteUnconfirmedImports(db: Db, before: number): Promise<void> {
  const query = db.deleteFrom('contentImport').where('createdAt', '<', before)
  await query.where('state', 'in', ['reading', 'checked']).execute()
}

export async function listImportPictures(db: Db, importId: string): Promise<ContentImportPictureTable[]> {
  return db.selectFrom('contentImportPicture').selectAll().where('importId', '=', importId).orderBy('url').execute()
}

/** A stored picture of another import. */
export async function findStoredPicture(db: Db, url: string): Promise<ContentImportPictureTable | null> {
  const query = db.selectFrom('contentImportPicture').selectAll().where('url', '=', url)
  return (await query.where('filename', 'is not', null).executeTakeFirst()) ?? null
}

export async function saveImportPicture(db: Db, picture: ContentImportPictureTable): Promise<void> {
  const { filename, address, reason } = picture
  await db
    .insertInto('contentImportPicture')
    .values(picture)
    .onConflict((conflict) => conflict.columns(['importId', 'url']).doUpdateSet({ filename, address, reason }))
    .execute()
}

function readImport(row: ContentImportTable): ContentImport {
  return readFlags(readJson(row, 'leftOut', 'redirects'), 'takesDrafts', 'publishes') as ContentImport
}

function readRow(row: ContentImportRowTable): ContentImportRow {
  return readJson(row, 'oldPaths', 'notes', 'item')
}
