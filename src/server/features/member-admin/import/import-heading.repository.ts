import type { ImportColumn } from '#contract/console/import.ts'
import type { Db } from '#server/db/database.ts'

/** What officers chose for headings of earlier files, by the key of the heading; null is ignored. */
export async function findHeadings(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, ImportColumn | null>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('importHeading')
    .select(['heading', 'columnName'])
    .where('heading', 'in', keys)
    .execute()
  return new Map(rows.map(({ heading, columnName }) => [heading, columnName]))
}

export async function rememberHeadings(
  db: Db,
  chosen: ReadonlyMap<string, ImportColumn | null>,
  now: number,
): Promise<void> {
  if (chosen.size === 0) return
  await db
    .insertInto('importHeading')
    .values([...chosen].map(([heading, columnName]) => ({ heading, columnName, chosenAt: now })))
    .onConflict((conflict) =>
      conflict.column('heading').doUpdateSet((eb) => ({
        columnName: eb.ref('excluded.columnName'),
        chosenAt: eb.ref('excluded.chosenAt'),
      })),
    )
    .execute()
}
