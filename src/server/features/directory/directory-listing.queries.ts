import type { Db } from '#server/db/database.ts'
import type { DirectoryListingTable } from '#server/db/schema/directory-schema.ts'

/** null: the member never chose anything, and is not listed. */
export async function findListing(db: Db, accountId: string): Promise<DirectoryListingTable | null> {
  const row = await db.selectFrom('directoryListing').selectAll().where('accountId', '=', accountId).executeTakeFirst()
  return row ?? null
}
