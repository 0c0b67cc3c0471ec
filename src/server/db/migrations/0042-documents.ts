import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** PDF documents with their versions; the order and the name of pictures in the media library, and when each was added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('document')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('filename', 'text', (column) => column.notNull().unique())
    .addColumn('title', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('number', 'integer', required)
    .addColumn('updated_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('document_version')
    .addColumn('document_id', 'text', (column) => column.notNull().references('document.id').onDelete('cascade'))
    .addColumn('number', 'integer', required)
    .addColumn('stored_name', 'text', required)
    .addColumn('original_name', 'text', required)
    .addColumn('bytes', 'integer', required)
    .addColumn('pages', 'integer', required)
    .addColumn('sha256', 'text', required)
    .addColumn('saved_by', 'text', required)
    .addColumn('saved_at', 'bigint', required)
    .addPrimaryKeyConstraint('document_version_key', ['document_id', 'number'])
    .execute()
  await db.schema.alterTable('picture_description').addColumn('name', 'text').execute()
  await db.schema.alterTable('picture_description').addColumn('position', 'integer').execute()
}
