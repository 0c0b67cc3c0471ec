import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Content revisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('content_revision')
    .addColumn('id', 'text', key)
    .addColumn('kind', 'text', required)
    .addColumn('record_id', 'text', required)
    .addColumn('number', 'integer', required)
    .addColumn('action', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('saved_by', 'text', required)
    .addColumn('saved_at', 'bigint', required)
    .addColumn('publish_at', 'bigint')
    .addColumn('is_newest', 'integer', required)
    .execute()
  await db.schema
    .createIndex('content_revision_number')
    .unique()
    .on('content_revision')
    .columns(['kind', 'record_id', 'number'])
    .execute()
  await db.schema
    .createIndex('content_revision_newest')
    .on('content_revision')
    .columns(['is_newest', 'kind', 'action'])
    .execute()
  await db.schema
    .createTable('picture_description')
    .addColumn('bucket', 'text', required)
    .addColumn('folder', 'text', required)
    .addColumn('filename', 'text', required)
    .addColumn('alt', 'text', required)
    .addPrimaryKeyConstraint('picture_description_key', ['bucket', 'folder', 'filename'])
    .execute()
}
