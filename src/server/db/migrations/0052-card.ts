import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Members have a card with a code that officers scan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_card')
    .addColumn('account_id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('number', 'integer', (column) => column.notNull().unique())
    .addColumn('code_id', 'text', required)
    .addColumn('code_hash', 'text', (column) => column.notNull().unique())
    .addColumn('made_at', 'bigint', required)
    .addColumn('revoked_at', 'bigint')
    .execute()
}
