import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Newsletter subscribers and suppressed addresses (docs/product-rules.md#double-opt-in, docs/product-rules.md#suppression). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('subscriber')
    .addColumn('id', 'text', key)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', required)
    .addColumn('source', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .addColumn('left_at', 'bigint')
    .execute()
  await db.schema
    .createTable('suppression')
    .addColumn('email_hash', 'text', key)
    .addColumn('reason', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
}
