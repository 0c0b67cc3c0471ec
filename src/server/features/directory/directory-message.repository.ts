import type { Db } from '#server/db/database.ts'
import type { DirectoryMessageTable } from '#server/db/schema/directory-schema.ts'

export async function saveMessage(db: Db, message: Omit<DirectoryMessageTable, 'reportedAt'>): Promise<void> {
  await db
    .insertInto('directoryMessage')
    .values({ ...message, reportedAt: null })
    .execute()
}

export async function findMessage(db: Db, id: string): Promise<DirectoryMessageTable | null> {
  return (await db.selectFrom('directoryMessage').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns false if it was already reported. */
export async function markReported(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('directoryMessage')
    .set({ reportedAt: now })
    .where('id', '=', id)
    .where('reportedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteOldDirectoryMessages(db: Db, before: number): Promise<void> {
  await db.deleteFrom('directoryMessage').where('sentAt', '<', before).execute()
}
