import type { Db } from '#server/db/database.ts'

/** Entries of rolls on which the remaining account of a merge is not. */
export async function listMovingEntries(db: Db, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('rollEntry')
    .select('id')
    .where('accountId', '=', from)
    .where('rollId', 'not in', (eb) => eb.selectFrom('rollEntry').select('rollId').where('accountId', '=', to))
    .execute()
  return rows.map(({ id }) => id)
}
