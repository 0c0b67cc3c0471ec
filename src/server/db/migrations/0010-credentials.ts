import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Credentials with decisions and evidence, and batches of imported members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('credential')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('npi', 'text', required)
    .addColumn('licence_state', 'text', required)
    .addColumn('given_at', 'bigint', required)
    .addColumn('status', 'text', required)
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('evidence', 'text')
    .execute()
  await db.schema.createIndex('credential_account').on('credential').columns(['account_id', 'given_at']).execute()
  await db.schema.createIndex('credential_status').on('credential').column('status').execute()
  await db.schema
    .createTable('member_import')
    .addColumn('account_id', 'text', key)
    .addColumn('batch', 'text', required)
    .addColumn('imported_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('member_import_batch').on('member_import').column('batch').execute()
}
