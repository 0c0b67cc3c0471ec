import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Subscriptions of an earlier system at the card provider are imported without a charge (decision record 69). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('membership').addColumn('subscription_imported_at', 'bigint').execute()
  await db.schema
    .createTable('subscription_import')
    .addColumn('id', 'text', key)
    .addColumn('subscriptions', 'integer', required)
    .addColumn('imported_at', 'bigint', required)
    .addColumn('imported_by', 'text', required)
    .addColumn('undone_at', 'bigint')
    .addColumn('undone_by', 'text')
    .execute()
  await db.schema
    .createTable('subscription_import_row')
    .addColumn('import_id', 'text', required)
    .addColumn('subscription_id', 'text', required)
    .addColumn('account_id', 'text', required)
    .addColumn('customer_id', 'text', required)
    .addColumn('level_key', 'text', required)
    .addColumn('amount', 'integer', required)
    .addColumn('state', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('membership_id', 'text')
    .addColumn('before_import', 'text')
    .addColumn('after_import', 'text')
    .addColumn('done_at', 'bigint')
    .addPrimaryKeyConstraint('subscription_import_row_pk', ['import_id', 'subscription_id'])
    .execute()
  await db.schema
    .createIndex('subscription_import_row_subscription')
    .on('subscription_import_row')
    .column('subscription_id')
    .execute()
  await db.schema
    .createTable('earlier_level')
    .addColumn('earlier', 'text', key)
    .addColumn('level_key', 'text')
    .addColumn('chosen_at', 'bigint', required)
    .execute()
}
