import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const account = (column: ColumnDefinitionBuilder) => column.notNull().references('account.id')

/** Pending changes of an account: a new email address, or its deletion (docs/product-rules.md#deleting-an-account). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('email_change')
    .addColumn('account_id', 'text', (column) => account(column).primaryKey())
    .addColumn('email', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .execute()
  await db.schema
    .createTable('account_deletion')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'text', (column) => account(column).unique())
    .addColumn('asked_at', 'bigint', required)
    .execute()
}
