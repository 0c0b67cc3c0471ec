import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Members have a record: values of fields that the association defines, also entered while joining. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('record_value')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'text', required)
    .addColumn('field_key', 'text', required)
    .addColumn('value', 'text', required)
    .addColumn('audience', 'text', required)
    .addColumn('changed_at', 'bigint', required)
    .addColumn('changed_by', 'text', required)
    .addColumn('confirmed_on', 'text')
    .addUniqueConstraint('record_value_field', ['account_id', 'field_key'])
    .execute()
  await db.schema.alterTable('pending_registration').addColumn('record', 'text').execute()
}
