import type { Db } from '#server/db/database.ts'
import type { Note } from './note.queries.ts'

export async function insertNotes(
  db: Db,
  notes: readonly Pick<Note, 'id' | 'accountId' | 'kind' | 'text' | 'writtenBy' | 'writtenAt' | 'runId'>[],
): Promise<void> {
  if (notes.length === 0) return
  await db
    .insertInto('memberNote')
    .values(notes.map((note) => ({ ...note, editedAt: null, deletedAt: null, version: 1 })))
    .execute()
}

/** False if the note changed since this version, or was deleted. */
export async function changeNoteText(
  db: Db,
  { id, text, version }: { id: string; text: string; version: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('memberNote')
    .set((eb) => ({ text, editedAt: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @param deletedAt null: restores it */
export async function markNoteDeleted(db: Db, id: string, deletedAt: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('memberNote')
    .set((eb) => ({ deletedAt, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('deletedAt', deletedAt === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Erases the text of notes that officers deleted before `deletedBefore`. The row stays until `emptyBefore`: undoing a merge of accounts needs every row
 * that it moved.
 */
export async function eraseDeletedNotes(
  db: Db,
  { deletedBefore, emptyBefore }: { deletedBefore: number; emptyBefore: number },
): Promise<void> {
  await db.deleteFrom('memberNote').where('deletedAt', '<', emptyBefore).execute()
  await db
    .updateTable('memberNote')
    .set({ text: '' })
    .where('deletedAt', '<', deletedBefore)
    .where('text', '!=', '')
    .execute()
}

/** Deletes the notes that a bulk action added. Returns the members that had one. */
export async function deleteNotesOfRun(db: Db, runId: string, now: number): Promise<string[]> {
  const rows = await db
    .updateTable('memberNote')
    .set((eb) => ({ deletedAt: now, version: eb('version', '+', 1) }))
    .where('runId', '=', runId)
    .where('deletedAt', 'is', null)
    .returning('accountId')
    .execute()
  return rows.map(({ accountId }) => accountId)
}
