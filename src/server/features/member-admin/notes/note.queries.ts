import { sql, type Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { MemberNoteTable } from '#server/db/schema/console-schema.ts'

export type Note = Selectable<MemberNoteTable>
/** A note with the name of its author; null for a former member. */
export type SignedNote = Note & { authorName: string | null }

export function notes(db: Db) {
  return db
    .selectFrom('memberNote')
    .leftJoin('account', 'account.id', 'memberNote.writtenBy')
    .selectAll('memberNote')
    .select(sql<string | null>`account.first_name || ' ' || account.last_name`.as('authorName'))
}

/** Also deleted notes that can still be restored. */
export async function findNote(
  db: Db,
  { accountId, noteId }: { accountId: string; noteId: string },
): Promise<SignedNote | null> {
  const row = await notes(db)
    .where('memberNote.id', '=', noteId)
    .where('memberNote.accountId', '=', accountId)
    .executeTakeFirst()
  return row ?? null
}
