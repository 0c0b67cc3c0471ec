import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Files of members imported by officers, and merged accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('import_file')
    .addColumn('id', 'text', key)
    .addColumn('filename', 'text', required)
    .addColumn('officer_id', 'text', required)
    .addColumn('headings', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('sends_invitations', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('confirmed_by', 'text')
    .addColumn('finished_at', 'bigint')
    .execute()
  await db.schema
    .createTable('import_row')
    .addColumn('file_id', 'text', (column) => column.notNull().references('import_file.id').onDelete('cascade'))
    .addColumn('line', 'integer', required)
    .addColumn('verdict', 'text', required)
    .addColumn('original', 'text', required)
    .addColumn('cells', 'text', required)
    .addColumn('changes', 'text', required)
    .addColumn('faults', 'text', required)
    .addColumn('done_at', 'bigint')
    .addPrimaryKeyConstraint('import_row_key', ['file_id', 'line'])
    .execute()
  await db.schema
    .createTable('account_merge')
    .addColumn('id', 'text', key)
    .addColumn('kept_id', 'text', required)
    .addColumn('merged_id', 'text', required)
    .addColumn('officer_id', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('merged_at', 'bigint', required)
    .addColumn('changes', 'text', required)
    .addColumn('undone_at', 'bigint')
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema.createIndex('account_merge_kept').on('account_merge').column('kept_id').execute()
  await db.schema.createIndex('account_merge_merged').on('account_merge').column('merged_id').execute()
  await db.schema.createIndex('credential_npi').on('credential').column('npi').execute()
}
