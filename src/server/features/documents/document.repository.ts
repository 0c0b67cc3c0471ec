import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { DocumentTable, DocumentVersionTable } from '#server/db/schema/document-schema.ts'

export type Document = Selectable<DocumentTable>
export type DocumentVersion = Selectable<DocumentVersionTable>

export async function findDocument(db: Db, id: string): Promise<Document | null> {
  return (await db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns false if it has another version by now. */
export async function updateDocument(
  db: Db,
  { id, version }: Pick<Document, 'id' | 'version'>,
  change: Partial<Pick<Document, 'title' | 'number'>> & Pick<Document, 'updatedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('document')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a document with its versions. Returns false if it has another version by now. */
export async function deleteDocumentRow(db: Db, { id, version }: Pick<Document, 'id' | 'version'>): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('document')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Newest first, with the name of who saved each; null for a deleted account. */
export async function listDocumentVersions(
  db: Db,
  documentId: string,
): Promise<(DocumentVersion & { firstName: string | null; lastName: string | null })[]> {
  return db
    .selectFrom('documentVersion')
    .leftJoin('account', 'account.id', 'documentVersion.savedBy')
    .selectAll('documentVersion')
    .select(['account.firstName', 'account.lastName'])
    .where('documentId', '=', documentId)
    .orderBy('number', 'desc')
    .execute()
}
