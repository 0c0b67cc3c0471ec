import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Officers' roles and terms, second factors, and indexes for the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('officer_term')
    .addColumn('id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('role', 'text', required)
    .addColumn('starts_on', 'text', required)
    .addColumn('ends_on', 'text', required)
    .addColumn('given_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('officer_term_account').on('officer_term').column('account_id').execute()
  await db.schema
    .createTable('second_factor')
    .addColumn('account_id', 'text', key)
    .addColumn('secret', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint', required)
    .execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('code_hash', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('recovery_code_account').on('recovery_code').column('account_id').execute()
  await db.schema
    .createTable('session_proof')
    .addColumn('session_id', 'text', key)
    .addColumn('account_id', 'text', required)
    .addColumn('proved_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('audit_at').on('audit').columns(['at', 'id']).execute()
}
