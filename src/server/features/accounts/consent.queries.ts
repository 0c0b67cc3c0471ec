import type { Db } from '#server/db/database.ts'

/** Oldest first. */
export async function listConsents(
  db: Db,
  personId: string,
): Promise<{ kind: string; version: string; givenAt: number }[]> {
  return db
    .selectFrom('consent')
    .select(['kind', 'version', 'givenAt'])
    .where('personId', '=', personId)
    .orderBy('givenAt')
    .execute()
}
