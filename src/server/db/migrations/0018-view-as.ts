import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Officers who see the site as a member does (issue 8, 3; decision record 18). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_viewing')
    .addColumn('id', 'text', key)
    .addColumn('officer_id', 'text', required)
    .addColumn('session_id', 'text', required)
    .addColumn('account_id', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('member_viewing_account').on('member_viewing').column('account_id').execute()
  await db.schema.createIndex('member_viewing_ended').on('member_viewing').column('ended_at').execute()
}
