import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Officers add invented people to the directory for members, by which a copy of it is recognized. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('planted_entry')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('first_name', 'text', required)
    .addColumn('last_name', 'text', required)
    .addColumn('sort_name', 'text', required)
    .addColumn('name_key', 'text', (column) => column.unique())
    .addColumn('record', 'text', required)
    .addColumn('added_at', 'bigint', required)
    .addColumn('added_by', 'text', required)
    .addColumn('removed_at', 'bigint')
    .addColumn('removed_by', 'text')
    .execute()
}
