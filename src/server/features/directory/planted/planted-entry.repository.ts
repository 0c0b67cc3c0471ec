import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { foldText } from '#server/db/fold-text.rules.ts'
import { readJson, writeJson, type ReadJson } from '#server/db/schema/column-values.ts'
import type { PlantedEntryTable } from '#server/db/schema/directory-schema.ts'

export type StoredPlantedEntry = ReadJson<PlantedEntryTable, 'record'>

/** Those that the directory shows. */
export async function listShownEntries(db: Db): Promise<StoredPlantedEntry[]> {
  const rows = await db.selectFrom('plantedEntry').selectAll().where('removedAt', 'is', null).execute()
  return rows.map((row) => readJson(row, 'record'))
}

/** Those that are shown first, then the newest. */
export async function listAllEntries(db: Db): Promise<StoredPlantedEntry[]> {
  const rows = await db.selectFrom('plantedEntry').selectAll().orderBy('addedAt', 'desc').orderBy('id').execute()
  const entries = rows.map((row) => readJson(row, 'record'))
  return [
    ...entries.filter(({ removedAt }) => removedAt === null),
    ...entries.filter(({ removedAt }) => removedAt !== null),
  ]
}

/** Also a removed one. */
export async function findPlantedEntry(db: Db, id: string): Promise<StoredPlantedEntry | null> {
  const row = await db.selectFrom('plantedEntry').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? readJson(row, 'record') : null
}

export async function findShownEntry(db: Db, id: string): Promise<StoredPlantedEntry | null> {
  const entry = await findPlantedEntry(db, id)
  return entry?.removedAt === null ? entry : null
}

/** False if an entry with this name is shown. */
export async function insertPlantedEntry(
  db: Db,
  entry: Omit<StoredPlantedEntry, 'nameKey' | 'removedAt' | 'removedBy'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('plantedEntry')
    .values({ ...writeJson(entry, 'record'), nameKey: entry.sortName, removedAt: null, removedBy: null })
    .onConflict((conflict) => conflict.column('nameKey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False if it was removed before. */
export async function endPlantedEntry(
  db: Db,
  id: string,
  by: { removedBy: string; removedAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('plantedEntry')
    .set({ ...by, nameKey: null })
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether an account, open or closed, has this name. */
export async function isNameOfAccount(
  db: Db,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<boolean> {
  const rows = await db
    .selectFrom('account')
    .select('firstName')
    .where(sql<boolean>`lower(last_name) = lower(${lastName})`)
    .execute()
  return rows.some((row) => foldText(row.firstName) === foldText(firstName))
}
