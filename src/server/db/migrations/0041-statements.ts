import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Statements of a year, emailed to each member who paid, once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('statement_delivery')
    .addColumn('year', 'integer', required)
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('asked_by', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('queued_at', 'bigint')
    .addColumn('sent_at', 'bigint')
    .addColumn('skipped_at', 'bigint')
    .addPrimaryKeyConstraint('statement_delivery_key', ['year', 'account_id'])
    .execute()
}
