import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { DocumentTable, DocumentVersionTable } from '#server/db/schema/document-schema.ts'

/** What visitors get at the address of a document. */
export type ServedDocument = Pick<DocumentVersionTable, 'storedName' | 'bytes' | 'sha256' | 'savedAt'>

/** The current file of each document, by file name. */
export async function listServedDocuments(db: Db): Promise<Map<string, ServedDocument>> {
  const rows = await currentVersions(db)
    .select(['document.filename', 'storedName', 'bytes', 'sha256', 'savedAt'])
    .execute()
  return new Map(rows.map(({ filename, ...served }) => [filename, served]))
}

/** A document with its current file and the name of who saved that; null for a deleted account. */
export type CurrentDocument = Selectable<DocumentTable> &
  Pick<DocumentVersionTable, 'bytes' | 'pages' | 'savedBy'> & { firstName: string | null; lastName: string | null }

export async function isDocumentFile(db: Db, filename: string): Promise<boolean> {
  return (
    (await db.selectFrom('document').select('id').where('filename', '=', filename).executeTakeFirst()) !== undefined
  )
}

/** All documents by title. */
export async function listCurrentDocuments(db: Db): Promise<CurrentDocument[]> {
  return currentVersions(db)
    .leftJoin('account', 'account.id', 'documentVersion.savedBy')
    .selectAll('document')
    .select(['bytes', 'pages', 'savedBy', 'account.firstName', 'account.lastName'])
    .orderBy('document.title')
    .orderBy('document.id')
    .execute()
}

function currentVersions(db: Db) {
  return db
    .selectFrom('document')
    .innerJoin('documentVersion', (join) =>
      join
        .onRef('documentVersion.documentId', '=', 'document.id')
        .onRef('documentVersion.number', '=', 'document.number'),
    )
}
