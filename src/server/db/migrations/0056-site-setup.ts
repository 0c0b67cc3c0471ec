import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** A new site is set up in the browser before it opens (decision record 65). A site without a row is open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site_setup')
    .addColumn('id', 'text', key)
    .addColumn('created_at', 'bigint', required)
    .addColumn('code_hash', 'text')
    .addColumn('code_expires_at', 'bigint')
    .addColumn('browser_hash', 'text')
    .addColumn('opened_at', 'bigint')
    .addColumn('opened_by', 'text')
    .execute()
  await db.schema
    .createTable('setup_step')
    .addColumn('step', 'text', key)
    .addColumn('done_at', 'bigint', required)
    .addColumn('done_by', 'text', required)
    .execute()
  await db.schema
    .createTable('provider_setting')
    .addColumn('name', 'text', key)
    .addColumn('value', 'text', required)
    .addColumn('saved_at', 'bigint', required)
    .addColumn('saved_by', 'text', required)
    .execute()
}
