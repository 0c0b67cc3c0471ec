import type { Db } from '#server/db/database.ts'
import type { DirectoryListingTable } from '#server/db/schema/directory-schema.ts'
import { newId } from '#server/lib/ids.ts'
import { refreshDirectoryWords } from '#server/features/member-record/directory-words.commands.ts'

export type DirectoryChoice = Pick<DirectoryListingTable, 'inMembers' | 'inPublic' | 'takesMessages'>

/** Stores what a member chose, and the words the member is found by. Call it in a transaction that holds the account's lock. */
export async function saveListing(db: Db, accountId: string, choice: DirectoryChoice, now: number): Promise<void> {
  await db
    .insertInto('directoryListing')
    .values({ id: newId(now), accountId, ...choice, sortName: '', updatedAt: now })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ ...choice, updatedAt: now }))
    .execute()
  await refreshDirectoryWords(db, accountId)
}
