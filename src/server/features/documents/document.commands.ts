import type { Insertable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { DocumentTable, DocumentVersionTable } from '#server/db/schema/document-schema.ts'

export async function insertDocument(db: Db, document: Insertable<DocumentTable>): Promise<void> {
  await db.insertInto('document').values(document).execute()
}

export async function insertDocumentVersion(db: Db, version: Insertable<DocumentVersionTable>): Promise<void> {
  await db.insertInto('documentVersion').values(version).execute()
}
