import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.notNull().primaryKey()

/** Requests for a second officer's approval, and email changes and account endings made by officers (decision record 28). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approval')
    .addColumn('id', 'text', key)
    .addColumn('act', 'text', required)
    .addColumn('subject_id', 'text', required)
    .addColumn('payload', 'text', required)
    .addColumn('reason', 'text', required)
    .addColumn('asked_by', 'text', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('open_key', 'text', (column) => column.unique())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('note', 'text')
    .execute()
  await db.schema.createIndex('approval_subject').on('approval').column('subject_id').execute()
  await db.schema.createIndex('approval_state').on('approval').columns(['state', 'asked_at']).execute()

  await db.schema
    .createTable('account_end')
    .addColumn('account_id', 'text', (column) => key(column).references('account.id'))
    .addColumn('ending', 'text', required)
    .addColumn('ended_by', 'text', required)
    .addColumn('ended_at', 'bigint', required)
    .execute()

  // One statement per column: SQLite cannot add several at once. Pending changes were requested by the owner.
  for (const name of ['asked_by', 'approved_by', 'reason'] as const) {
    await db.schema.alterTable('email_change').addColumn(name, 'text').execute()
  }
  await db.schema
    .alterTable('account_deletion')
    .addColumn('ending', 'text', (column) => column.notNull().defaultTo('self'))
    .execute()
  for (const name of ['asked_by', 'approved_by', 'reason'] as const) {
    await db.schema.alterTable('account_deletion').addColumn(name, 'text').execute()
  }
}
