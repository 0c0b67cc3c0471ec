import type { Db } from '#server/db/database.ts'

/** All rows as in the file. */
export async function listOriginalRows(db: Db, fileId: string): Promise<{ line: number; cells: string[] }[]> {
  const rows = await db
    .selectFrom('importRow')
    .select(['line', 'original'])
    .where('fileId', '=', fileId)
    .orderBy('line')
    .execute()
  return rows.map(({ line, original }) => ({ line, cells: JSON.parse(original) as string[] }))
}

/** The first row of a file; null once its content was erased. */
export async function findFirstRow(db: Db, fileId: string): Promise<string[] | null> {
  const row = await db
    .selectFrom('importRow')
    .select('original')
    .where('fileId', '=', fileId)
    .orderBy('line')
    .limit(1)
    .executeTakeFirst()
  return row ? (JSON.parse(row.original) as string[]) : null
}

/** Erases the content of rows that an import does not change. */
export async function eraseUnchangedRows(db: Db, fileId: string): Promise<void> {
  await db
    .updateTable('importRow')
    .set({ original: '[]', cells: 'null' })
    .where('fileId', '=', fileId)
    .where('verdict', 'in', ['unchanged', 'left-out'])
    .execute()
}
