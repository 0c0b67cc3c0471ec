import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Exports of other systems are recognized, and imports of subscribers and past payments can be undone (decision record 66). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_file').addColumn('system', 'text').execute()
  await db.schema
    .createTable('subscriber_import')
    .addColumn('id', 'text', key)
    .addColumn('filename', 'text', required)
    .addColumn('system', 'text')
    .addColumn('counts', 'text', required)
    .addColumn('imported_at', 'bigint', required)
    .addColumn('imported_by', 'text', required)
    .addColumn('undone_at', 'bigint')
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema
    .createTable('subscriber_import_row')
    .addColumn('import_id', 'text', required)
    .addColumn('email_hash', 'text', required)
    .addColumn('act', 'text', required)
    .addColumn('subscriber_id', 'text')
    .addColumn('state_before', 'text')
    .addColumn('reason', 'text')
    .addColumn('reason_before', 'text')
    .addColumn('touched_at', 'bigint')
    .addPrimaryKeyConstraint('subscriber_import_row_pk', ['import_id', 'email_hash'])
    .execute()
  await db.schema
    .createIndex('subscriber_import_row_email_hash')
    .on('subscriber_import_row')
    .column('email_hash')
    .execute()
  await db.schema
    .createTable('payment_import')
    .addColumn('id', 'text', key)
    .addColumn('filename', 'text', required)
    .addColumn('payments', 'integer', required)
    .addColumn('imported_at', 'bigint', required)
    .addColumn('imported_by', 'text', required)
    .addColumn('undone_at', 'bigint')
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema
    .createTable('payment_import_row')
    .addColumn('payment_id', 'text', key)
    .addColumn('import_id', 'text', required)
    .execute()
  await db.schema.createIndex('payment_import_row_import').on('payment_import_row').column('import_id').execute()
}
