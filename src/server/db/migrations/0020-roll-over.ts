import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** The roll-over to a new year: planned, scheduled, done and undone as one unit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('roll_over')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('state', 'text', required)
    .addColumn('open_key', 'text', (column) => column.unique())
    .addColumn('version', 'integer', required)
    .addColumn('plan', 'text', required)
    .addColumn('run_on', 'text')
    .addColumn('failure', 'text')
    .addColumn('outcome', 'text')
    .addColumn('saved_by', 'text', required)
    .addColumn('saved_at', 'bigint', required)
    .addColumn('done_at', 'bigint')
    .execute()
  await db.schema.createIndex('roll_over_state').on('roll_over').columns(['state', 'done_at']).execute()
}
